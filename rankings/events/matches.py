"""The matches of a tournament of team matches: their rows, single matches, the table of a league, a knock-out.

All follow from the sessions alone: two teams with the starting numbers 1 and 2 meet, 3 and 4, and so on. A match is
finished once its session is published or closed. Readers see the published sessions, directors also the closed ones.

A result comes from the newest publication of its session, or from the standings of a closed session.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from evenings.teams.quarters import find_opponent
from movements.teams import pair_all
from rankings.publication.teams import name_teams
from scoring.formats import MatchPoints, find_format
from scoring.matches import LeagueRules, LeagueStanding, TeamMatch, TreeNode, build_tree, rank_league
from scoring.ties import find_equals
from tournaments.models import Entrant, Publication, Session, SessionStandings, Team, Tournament
from tournaments.reports.session import RankedPlayer, decode_players
from tournaments.versions import WITHDRAWN, find_newest_versions

KINDS = Tournament.MeetingKind
NO_BONUSES: Mapping[int, Fraction] = MappingProxyType({})


class TeamMeeting(NamedTuple):
    """A session in which two teams meet (by their numbers in the tournament): its number, and the result if finished.

    `bonuses` has the starting bonus that is part of a team's points, by the team's number. `version` is the version of
    the publication that has the result, None if the session is not published.
    """

    session: int
    home: int
    away: int
    result: TeamMatch | None = None
    bonuses: Mapping[int, Fraction] = NO_BONUSES
    version: int | None = None

    @property
    def winner(self) -> int | None:
        """The number of the team that won, None without a result and after a draw."""
        won = self.result.winner if self.result else None
        return None if won is None else int(str(won))

    def points_of(self, team: int | None) -> Fraction | None:
        """Return the match points of one of the two teams, None without a result."""
        if self.result is None or team is None:
            return None
        return self.result.home_points if self.home == team else self.result.away_points


def read_rows(tournament: Tournament, *, in_public: bool) -> dict[int, tuple[int | None, list[RankedPlayer]]]:
    """Return the version and the rows of each session whose ranking readers see, by its number. One query.

    If not `in_public`, closed sessions are there too, with the rows of their present ranking. This takes two more.
    """
    shown = {"session__tournament": tournament, "session__put_away_at": None, "session__shows_ranking": True}
    newest = find_newest_versions(Publication, "session").filter(**shown).exclude(status=WITHDRAWN)
    stored = newest.order_by("session__number").values_list("session__number", "version", "data__players")
    found = {number: (version, list(decode_players(rows))) for number, version, rows in stored}
    if in_public:
        return found
    closed = tournament.sessions.filter(closed_at__isnull=False, put_away_at=None).exclude(number__in=found)
    entrants = Entrant.objects.filter(session__in=closed, team__isnull=False)
    known = {pk: own for pk, *own in entrants.values_list("pk", "number", "team__number")}
    for number, data in SessionStandings.objects.filter(session__in=closed).values_list("session__number", "data"):
        rows = [(row, *known[row["id"]]) for row in data.get("players", ()) if row["id"] in known]
        players = decode_players([{**row, "number": place, "team": team} for row, place, team in rows])
        found[number] = (None, list(players))
    return found


def pair_rows(session: int, rows: Iterable[RankedPlayer], version: int | None = None) -> Iterator[TeamMeeting]:
    """Yield the matches of a session from the rows of its ranking. A match without a counted étui is left out."""
    by_number = {row.number: row for row in rows}
    for number, home in sorted(by_number.items()):
        away = by_number.get(find_opponent(number))
        if number % 2 == 0 or away is None or (home.overall is None and away.overall is None):
            continue
        points = [MatchPoints(row.overall or 0) for row in (home, away)]
        bonuses = {row.team: MatchPoints(-row.penalty) for row in (home, away) if row.penalty}
        result = TeamMatch(home.team, away.team, points[0], points[1], max(home.attacks, away.attacks))
        yield TeamMeeting(session, home.team, away.team, result, bonuses, version)


def read_planned(tournament: Tournament, *, but: Collection[int]) -> list[TeamMeeting]:
    """Return the meetings without a result, in the order of the sessions. Sessions in `but` are finished. One query."""
    sessions = tournament.sessions.filter(put_away_at=None).exclude(number__in=but)
    entrants = Entrant.objects.filter(session__in=sessions, team__isnull=False, last_position=None)
    found = {
        (session, number): team
        for session, number, team in entrants.values_list("session__number", "number", "team__number")
    }
    return [
        TeamMeeting(session, team, found[session, number + 1])
        for (session, number), team in sorted(found.items())
        if number % 2 and (session, number + 1) in found
    ]


def join_meetings(meetings: Iterable[TeamMeeting]) -> dict[frozenset[int], list[TeamMeeting]]:
    """Return all meetings of two teams, by their numbers, in the order of the sessions."""
    found: dict[frozenset[int], list[TeamMeeting]] = {}
    for meeting in sorted(meetings, key=lambda each: each[:3]):
        found.setdefault(frozenset((meeting.home, meeting.away)), []).append(meeting)
    return found


def list_competing(tournament: Tournament, meetings: Sequence[TeamMeeting]) -> list[Team]:
    """Return the teams of the competition, by number. Two queries.

    A team that has left before it played is left out, unless each match stands alone and a session still has it. In a
    knock-out the teams are those that were there when the first session started, because another team would change who
    meets whom.
    """
    counted = [each for each in meetings if each.result or tournament.meeting == KINDS.SINGLE]
    met = {team for each in counted for team in (each.home, each.away)}
    teams = list(tournament.teams.order_by("number"))
    begun = tournament.sessions.filter(started_at__isnull=False).order_by("started_at").first()
    if tournament.meeting != KINDS.TREE or begun is None or begun.started_at is None:
        return [team for team in teams if team.left_at is None or team.number in met]
    start = begun.started_at
    return [
        team
        for team in teams
        if team.number in met or (team.made_at <= start and (team.left_at is None or team.left_at > start))
    ]


@dataclass(frozen=True, slots=True)
class MatchPair:
    """Two teams of a round (by their numbers) with all their meetings, the first one first.

    A team is None as long as it is not known, or if there is none. The other fields are only for a knock-out: `winner`
    goes on, `bye` without a match. `decided` has the reason of a director's decision, or "". `is_open`: both teams are
    known, and it is not known which goes on.
    """

    home: int | None
    away: int | None
    meetings: Sequence[TeamMeeting] = ()
    winner: int | None = None
    bye: bool = False
    decided: str = ""
    is_open: bool = False

    @property
    def last(self) -> TeamMeeting | None:
        """The last meeting of the two teams with a result, or None."""
        return next((each for each in reversed(self.meetings) if each.result), None)

    @property
    def is_planned(self) -> bool:
        """True if a session has the match, and it is not played yet."""
        return any(each.result is None for each in self.meetings)


@dataclass(frozen=True, slots=True)
class MatchRound:
    """A round of a league or of a knock-out with its pairs. `resting` are the teams that rest.

    If each match stands alone, a round has the matches of one session, and `number` is the number of the session.
    """

    number: int
    pairs: tuple[MatchPair, ...]
    resting: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchesOfTournament:
    """The matches of a tournament. Teams are numbers; `names` has their names, and `ids` their ids.

    `played` are the meetings with a result. `table` is that of a league. `reasons` has the reason of the newest
    decision on two teams, by winner and loser.
    """

    tournament: Tournament
    names: Mapping[int, str]
    ids: Mapping[int, int]
    played: tuple[TeamMeeting, ...]
    reasons: Mapping[tuple[int, int], str]
    rounds: tuple[MatchRound, ...] = ()
    table: tuple[LeagueStanding, ...] = ()

    @property
    def is_league(self) -> bool:
        return self.tournament.meeting == KINDS.LEAGUE

    @property
    def is_tree(self) -> bool:
        return self.tournament.meeting == KINDS.TREE

    @property
    def sources(self) -> dict[int, int | None]:
        """The version behind the results by the session's number, None if it is closed and not published."""
        return {each.session: each.version for each in self.played}

    @property
    def equals(self) -> list[list[int]]:
        """The teams of a league that share a rank although all of them have played, one list for each rank."""
        played = {int(str(row.team)): row.rank for row in self.table if row.played}
        return [sorted(group) for group in find_equals(played)]


def find_matches(tournament: Tournament, *, in_public: bool) -> MatchesOfTournament | None:
    """Return the matches of the tournament with the names of its teams. At most eight queries.

    Return None if its form of play has no matches.
    """
    if not find_format(tournament.format).has_matches:
        return None
    found = read_rows(tournament, in_public=in_public)
    played = tuple(
        match for number, (version, rows) in sorted(found.items()) for match in pair_rows(number, rows, version)
    )
    meetings = [*played, *read_planned(tournament, but=found.keys())]
    teams = list_competing(tournament, meetings)
    words = tournament.match_decisions.order_by("pk").values_list("winner__number", "loser__number", "reason")
    newest = {frozenset((winner, loser)): ((winner, loser), reason) for winner, loser, reason in words}
    matches = MatchesOfTournament(
        tournament=tournament,
        names=name_teams(teams, in_public=in_public),
        ids={team.number: team.pk for team in teams},
        played=played,
        reasons=dict(newest.values()),
    )
    return with_rounds(matches, join_meetings(meetings))


def with_rounds(
    matches: MatchesOfTournament, meetings: Mapping[frozenset[int], Sequence[TeamMeeting]]
) -> MatchesOfTournament:
    """Return the matches with their rounds, and with the table of a league. `meetings` are all, by the two teams."""
    tournament, numbers = matches.tournament, sorted(matches.names)
    results = [each.result for each in matches.played if each.result]
    decided = {pair: pair[0] for pair in matches.reasons}
    if matches.is_league:
        rules = LeagueRules(Fraction(tournament.win_points), Fraction(tournament.draw_points))
        table = rank_league(numbers, results, rules, decided=decided)
        return replace(matches, table=table, rounds=tuple(plan_rounds(numbers, meetings)))
    if matches.is_tree:
        rounds = (
            MatchRound(number, tuple(read_node(node, meetings, matches.reasons) for node in nodes))
            for number, nodes in enumerate(build_tree(numbers, results, decided), start=1)
        )
        return replace(matches, rounds=tuple(rounds))
    return replace(matches, rounds=tuple(list_single_rounds(meetings)))


def read_node(
    node: TreeNode, meetings: Mapping[frozenset[int], Sequence[TeamMeeting]], reasons: Mapping[tuple[int, int], str]
) -> MatchPair:
    """Return a match of the tree with all meetings of its two teams."""
    loser = node.away if node.winner == node.home else node.home
    return MatchPair(
        node.home,
        node.away,
        meetings.get(frozenset((node.home, node.away)), ()),
        winner=node.winner,
        bye=node.bye,
        decided=reasons.get((node.winner, loser), "") if node.decided else "",
        is_open=node.is_open,
    )


def plan_rounds(numbers: list[int], meetings: Mapping[frozenset[int], Sequence[TeamMeeting]]) -> Iterator[MatchRound]:
    """Yield the rounds of a league. After the last round, every team has met every other team once."""
    for number, pairs in enumerate(pair_all(len(numbers)) if len(numbers) > 1 else (), start=1):
        found, there = [], set[int]()
        for first, second in sorted(tuple(sorted(pair)) for pair in pairs):
            home, away = numbers[first - 1], numbers[second - 1]
            there |= {home, away}
            found.append(MatchPair(home, away, meetings.get(frozenset((home, away)), ())))
        yield MatchRound(number, tuple(found), tuple(team for team in numbers if team not in there))


def list_single_rounds(meetings: Mapping[frozenset[int], Sequence[TeamMeeting]]) -> Iterator[MatchRound]:
    """Yield the matches of each session, if each match stands alone."""
    sessions: dict[int, list[MatchPair]] = {}
    for each in sorted((one for met in meetings.values() for one in met), key=lambda one: one[:2]):
        sessions.setdefault(each.session, []).append(MatchPair(each.home, each.away, (each,)))
    for number, pairs in sorted(sessions.items()):
        yield MatchRound(number, tuple(pairs))


def list_draft_sessions(tournament: Tournament) -> list[Session]:
    """Return the sessions that have not started, by number. A round of matches can be seated in one of them."""
    drafts = tournament.sessions.filter(status=Session.Status.DRAFT, put_away_at=None)
    return list(drafts.select_related("tournament__club").order_by("number"))
