"""The matches between teams: the table of a league, in which everybody meets everybody, and the tree of a knock-out.

A match is won by the team with more match points (FFT 2012, the chapter on team matches). The points for a win, a tie
and a loss in a league are a house rule. The default is the usual 2, 1 and 0.

The first team of a list is the first seed. In the first round the seeds of a match add up to one more than the number
of places. So the first two seeds can only meet in the last match. If the number of teams is no power of 2, the first
seeds go on without a match. The FFT has no rule for this; it is the usual way.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.ranking import NOTHING
from scoring.ties import SHARED, TieBreak, TieRules, find_equals, share_ranks, tell_apart


class TeamMatch(NamedTuple):
    """The two teams of a match and the match points of each, with a starting bonus if there is one.

    `etuis`: the number of étuis that count.
    """

    home: Hashable
    away: Hashable
    home_points: Fraction
    away_points: Fraction
    etuis: int = 0

    @property
    def winner(self) -> Hashable | None:
        """The team with more match points. None after a tie, which a director decides in a knock-out."""
        if self.home_points == self.away_points:
            return None
        return self.home if self.home_points > self.away_points else self.away


@dataclass(frozen=True, slots=True)
class LeagueRules:
    """The points of a league for a match. `ties`: only lots separate teams that are equal in everything."""

    win: Fraction = Fraction(2)
    draw: Fraction = Fraction(1)
    loss: Fraction = Fraction()
    ties: TieRules = field(default=SHARED)

    def __post_init__(self) -> None:
        if not self.loss <= self.draw <= self.win or self.loss == self.win:
            raise ValueError("a win is worth more than a loss, and a draw lies between them")


@dataclass(frozen=True, slots=True)
class LeagueStanding:
    """The place of a team in a league: its points, its match points in all matches, its wins, ties and losses."""

    team: Hashable
    points: Fraction
    match_points: Fraction
    won: int
    drawn: int
    lost: int
    rank: int
    told: TieBreak | None = None

    @property
    def played(self) -> int:
        """The number of the team's matches."""
        return self.won + self.drawn + self.lost


def rank_league(
    teams: Sequence[Hashable],
    matches: Sequence[TeamMatch],
    rules: LeagueRules | None = None,
    *,
    decided: Mapping[tuple[Any, Any], Hashable] = NOTHING,
) -> tuple[LeagueStanding, ...]:
    """Return the table of a league: by points, then by match points. Teams that are equal in both share a rank.

    - `teams`: all teams, with those that have not played yet.
    - `matches`: the finished matches.
    - `decided`: the team that a director put before the other one, by both teams in either order. Equal teams keep
      their shared rank unless these decisions put all of them in one order.

    Raise ValueError for a match of a team that is not in the league.
    """
    rules = rules or LeagueRules()
    own: dict[Any, list[tuple[Fraction, Fraction]]] = {team: [] for team in teams}
    for match in matches:
        if match.home not in own or match.away not in own or match.home == match.away:
            raise ValueError(f"{match.home} and {match.away} are not two teams of the league")
        own[match.home].append((match.home_points, match.away_points))
        own[match.away].append((match.away_points, match.home_points))
    outcomes = {team: [(mine > theirs) - (mine < theirs) for mine, theirs in results] for team, results in own.items()}
    worth = {1: rules.win, 0: rules.draw, -1: rules.loss}
    points = {team: sum((worth[each] for each in scores), Fraction()) for team, scores in outcomes.items()}
    match_points = {team: sum((mine for mine, _ in results), Fraction()) for team, results in own.items()}
    keys = {team: (-points[team], -match_points[team]) for team in own}
    places = {key: place for place, key in enumerate(sorted({*keys.values()}))}
    ranks = share_ranks({team: places[key] for team, key in keys.items()})
    ordered = {team: place for group in find_equals(ranks) for team, place in order_equals(group, decided).items()}
    ties = TieRules((TieBreak.DRAW,), places=ordered) if ordered else rules.ties
    criteria = [each for each in ties.criteria if each is TieBreak.DRAW]
    ranks, separated = tell_apart(ranks, criteria, ties.measure_with({}, {}))
    table = [
        LeagueStanding(
            team=team,
            points=points[team],
            match_points=match_points[team],
            won=outcomes[team].count(1),
            drawn=outcomes[team].count(0),
            lost=outcomes[team].count(-1),
            rank=ranks[team],
            told=separated.get(team),
        )
        for team in own
    ]
    return tuple(sorted(table, key=lambda standing: standing.rank))


def order_equals(teams: Sequence[Any], decided: Mapping[tuple[Any, Any], Hashable]) -> dict[Any, int]:
    """Return the place of each of these teams, from 0, if the decisions put all of them in one order. Otherwise {}.

    `decided`: the team that stands before the other one, by both teams in either order. Decisions follow from each
    other: if A stands before B and B before C, then A stands before C.
    """
    behind = {team: {other for other in teams if _comes_first(team, other, decided)} for team in teams}
    for middle in teams:
        for team in teams:
            if middle in behind[team]:
                behind[team] |= behind[middle]
    places = {team: len(teams) - 1 - len(after) for team, after in behind.items()}
    return places if sorted(places.values()) == list(range(len(teams))) else {}


def _comes_first(team: Any, other: Any, decided: Mapping[tuple[Any, Any], Hashable]) -> bool:
    return team != other and team in (decided.get((team, other)), decided.get((other, team)))


class TreeNode(NamedTuple):
    """A match of the tree. A team is None as long as it is not known, or if there is none.

    `bye`: the only team goes on without a match. `match`: the played match, or None. `decided`: a director decided who
    goes on, because the match was drawn or not played.
    """

    home: Any = None
    away: Any = None
    winner: Any = None
    match: TeamMatch | None = None
    bye: bool = False
    decided: bool = False

    @property
    def is_open(self) -> bool:
        """True if both teams are known, and it is not known which goes on."""
        return self.home is not None and self.away is not None and self.winner is None


def seed_places(places: int) -> list[int]:
    """Return the seeds in the order of the tree, for a power of 2: 1, 4, 2, 3 for four places."""
    order = [1]
    while len(order) < places:
        double = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, double - one)]
    return order


def build_tree(
    teams: Sequence[Hashable],
    matches: Sequence[TeamMatch],
    decisions: Mapping[tuple[Any, Any], Hashable],
) -> tuple[tuple[TreeNode, ...], ...]:
    """Return the rounds of a knock-out, each with its matches from top to bottom.

    Without two teams there are no rounds.

    - `teams`: the first seed first.
    - `matches`: the finished matches, the oldest first. If two teams met twice, the last match counts.
    - `decisions`: the team that goes on, by both teams in either order, if the director decided it. A decision counts
      only without a winner of the match.
    """
    if len(teams) < 2:
        return ()
    places = 2
    while places < len(teams):
        places *= 2
    matches_by_teams = {frozenset((match.home, match.away)): match for match in matches}
    line: list[Any] = [teams[seed - 1] if seed <= len(teams) else None for seed in seed_places(places)]
    rounds = []
    while len(line) > 1:
        first = len(line) == places
        pairs = zip(line[::2], line[1::2], strict=True)
        nodes = tuple(_play(home, away, matches_by_teams, decisions, bye=first) for home, away in pairs)
        rounds.append(nodes)
        line = [node.winner for node in nodes]
    return tuple(rounds)


def _play(
    home: Any,
    away: Any,
    known: Mapping[frozenset[Any], TeamMatch],
    decisions: Mapping[tuple[Any, Any], Hashable],
    *,
    bye: bool,
) -> TreeNode:
    """Return the match of two teams with its winner. `bye`: a team without an opponent goes on."""
    if home is None or away is None:
        alone = home if away is None else away
        return TreeNode(home, away, alone if bye else None, bye=bye)
    match = known.get(frozenset((home, away)))
    winner = match.winner if match else None
    if winner is not None:
        return TreeNode(home, away, winner, match)
    word = decisions.get((home, away), decisions.get((away, home)))
    return TreeNode(home, away, word, match, decided=word is not None)
