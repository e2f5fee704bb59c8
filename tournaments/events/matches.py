"""The matches of a tournament of team matches: the table of its league, or the tree of its knock-out.

Both follow from the sessions alone: two teams with the starting numbers 1 and 2 meet, 3 and 4, and so on. A match is
finished once its session is published or closed. Readers see the published sessions, directors also the closed ones.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Exists, OuterRef

from movements.teams import pair_all
from scoring.formats import MatchPoints, find_format
from scoring.teams import LeagueRules, LeagueStanding, TeamMatch, TreeNode, build_tree, rank_league
from tournaments.models import Entrant, Publication, Session, SessionStandings, Team, Tournament
from tournaments.publication.teams.names import name_teams
from tournaments.reports.session import RankedPlayer, decode_players
from tournaments.teams.quarters import find_opponent
from tournaments.versions.steps import WITHDRAWN


class PlayedMatch(NamedTuple):
    """A finished match of two teams (by their numbers in the tournament), with the number of its session.

    `bonuses` has the starting bonus that is part of a team's points, by the team's number.
    """

    session: int
    result: TeamMatch
    bonuses: Mapping[int, Fraction]


class Fixture(NamedTuple):
    """A match of the league: the two teams, the session in which it was or will be played, and the result.

    `session` is None if no session has it yet.
    """

    home: int
    away: int
    session: int | None
    played: PlayedMatch | None


@dataclass(frozen=True, slots=True)
class LeagueRound:
    """A round of a league: its matches, and the teams that rest."""

    number: int
    fixtures: tuple[Fixture, ...]
    resting: tuple[int, ...] = ()

    @property
    def is_planned(self) -> bool:
        """True if each of its matches has a session."""
        return all(each.session is not None for each in self.fixtures)


@dataclass(frozen=True, slots=True)
class MatchesOfTournament:
    """The matches of a tournament. Teams are numbers; `names` has their names, and `ids` their ids.

    `table` and `rounds` are those of a league, `tree` is that of a knock-out. `planned` has the session of two teams
    that have still to meet. `reasons` has the reason of a director's decision, by winner and loser.
    """

    tournament: Tournament
    names: Mapping[int, str]
    ids: Mapping[int, int]
    played: tuple[PlayedMatch, ...]
    planned: Mapping[frozenset[int], int] = field(default_factory=dict)
    table: tuple[LeagueStanding, ...] = ()
    rounds: tuple[LeagueRound, ...] = ()
    tree: tuple[tuple[TreeNode, ...], ...] = ()
    reasons: Mapping[tuple[int, int], str] = field(default_factory=dict)

    @property
    def is_league(self) -> bool:
        return self.tournament.meeting == Tournament.MeetingKind.LEAGUE

    def find_session(self, home: int, away: int) -> int | None:
        """Return the number of the session in which these teams met last, or will meet. None if there is none."""
        both = frozenset((home, away))
        met = [each.session for each in self.played if {each.result.home, each.result.away} == both]
        return met[-1] if met else self.planned.get(both)


def has_matches(tournament: Tournament) -> bool:
    """Return whether team matches are played in the tournament."""
    return find_format(tournament.format).has_matches


def read_matches(tournament: Tournament, *, in_public: bool) -> MatchesOfTournament:
    """Return the matches of the tournament with the names of its teams. At most seven queries."""
    rows = dict(read_published_rows(tournament))
    if not in_public:
        rows |= dict(read_closed_rows(tournament, but=rows.keys()))
    played = tuple(match for number in sorted(rows) for match in pair_rows(number, rows[number]))
    teams = list_competing(tournament, played)
    names = name_teams(teams, in_public=in_public)
    numbers, results = sorted(names), [each.result for each in played]
    found = MatchesOfTournament(
        tournament=tournament,
        names=names,
        ids={team.number: team.pk for team in teams},
        played=played,
        planned=read_planned(tournament, but=rows.keys()),
    )
    if found.is_league:
        rules = LeagueRules(Fraction(tournament.win_points), Fraction(tournament.draw_points))
        rounds = tuple(plan_rounds(numbers, played, found.planned))
        return replace(found, table=rank_league(numbers, results, rules), rounds=rounds)
    words = list(tournament.match_decisions.order_by("pk").values_list("winner__number", "loser__number", "reason"))
    reasons = {(winner, loser): reason for winner, loser, reason in words}
    return replace(found, tree=build_tree(numbers, results, newest_words(words)), reasons=reasons)


def newest_words(words: Iterable[tuple[int, int, str]]) -> dict[tuple[int, int], int]:
    """Return the team that goes on, by both teams with the lower number first. The newest decision of a pair counts."""
    return {(min(winner, loser), max(winner, loser)): winner for winner, loser, _reason in words}


def read_published_rows(tournament: Tournament) -> Iterator[tuple[int, list[RankedPlayer]]]:
    """Yield the number of each session with a ranking that readers see, and the rows of this ranking. One query."""
    versions = Publication.objects.filter(session=OuterRef("session"), version__gt=OuterRef("version"))
    newest = Publication.objects.filter(
        ~Exists(versions), session__tournament=tournament, session__put_away_at=None, session__shows_ranking=True
    ).exclude(status=WITHDRAWN)
    for number, rows in newest.order_by("session__number").values_list("session__number", "data__players"):
        yield number, list(decode_players(rows))


def read_closed_rows(tournament: Tournament, *, but: Collection[int]) -> Iterator[tuple[int, list[RankedPlayer]]]:
    """Yield the number of each closed session that is not in `but`, and the rows of its present ranking.

    Two queries.
    """
    closed = tournament.sessions.filter(closed_at__isnull=False, put_away_at=None).exclude(number__in=but)
    entrants = Entrant.objects.filter(session__in=closed, team__isnull=False).select_related("team")
    known = {entrant.pk: entrant for entrant in entrants}
    for number, data in SessionStandings.objects.filter(session__in=closed).values_list("session__number", "data"):
        rows = [{**row, "number": known[row["id"]].number} for row in data.get("players", ()) if row["id"] in known]
        yield number, list(decode_players([{**row, "team": team_number(known[row["id"]])} for row in rows]))


def team_number(entrant: Entrant) -> int:
    return entrant.team.number if entrant.team else 0


def pair_rows(session: int, rows: Iterable[RankedPlayer]) -> Iterator[PlayedMatch]:
    """Yield the matches of a session from the rows of its ranking. A match without a counted étui is left out."""
    by_number = {row.number: row for row in rows}
    for number, home in sorted(by_number.items()):
        away = by_number.get(find_opponent(number))
        if number % 2 == 0 or away is None or (home.overall is None and away.overall is None):
            continue
        points = [MatchPoints(row.overall or 0) for row in (home, away)]
        bonuses = {row.team: MatchPoints(-row.penalty) for row in (home, away) if row.penalty}
        etuis = max(home.attacks, away.attacks)
        yield PlayedMatch(session, TeamMatch(home.team, away.team, points[0], points[1], etuis), bonuses)


def read_planned(tournament: Tournament, *, but: Collection[int]) -> dict[frozenset[int], int]:
    """Return the number of the session in which two teams have still to meet, by their numbers. One query.

    Sessions in `but` are finished.
    """
    sessions = tournament.sessions.filter(put_away_at=None).exclude(number__in=but)
    entrants = Entrant.objects.filter(session__in=sessions, team__isnull=False, last_position=None)
    found = {
        (session, number): team
        for session, number, team in entrants.values_list("session__number", "number", "team__number")
    }
    return {
        frozenset((team, found[session, number + 1])): session
        for (session, number), team in sorted(found.items())
        if number % 2 and (session, number + 1) in found
    }


def list_competing(tournament: Tournament, played: Iterable[PlayedMatch]) -> list[Team]:
    """Return the teams of the competition, by number. Two queries.

    A team that has left before it played is left out. In a knock-out the teams are those that were there when the first
    session started, because another team would change who meets whom.
    """
    met = {team for each in played for team in (each.result.home, each.result.away)}
    teams = list(tournament.teams.order_by("number"))
    begun = tournament.sessions.filter(started_at__isnull=False).order_by("started_at").first()
    if tournament.meeting == Tournament.MeetingKind.LEAGUE or begun is None or begun.started_at is None:
        return [team for team in teams if team.left_at is None or team.number in met]
    start = begun.started_at
    return [
        team
        for team in teams
        if team.number in met or (team.made_at <= start and (team.left_at is None or team.left_at > start))
    ]


def plan_rounds(
    numbers: list[int], played: Iterable[PlayedMatch], planned: Mapping[frozenset[int], int]
) -> Iterator[LeagueRound]:
    """Yield the rounds of a league: after all of them every team has met every other one."""
    met = {frozenset((each.result.home, each.result.away)): each for each in played}
    for number, pairs in enumerate(pair_all(len(numbers)) if len(numbers) > 1 else (), start=1):
        fixtures, there = [], set[int]()
        for first, second in sorted(tuple(sorted(pair)) for pair in pairs):
            home, away = numbers[first - 1], numbers[second - 1]
            there |= {home, away}
            found = met.get(frozenset((home, away)))
            session = found.session if found else planned.get(frozenset((home, away)))
            fixtures.append(Fixture(home, away, session, found))
        yield LeagueRound(number, tuple(fixtures), tuple(team for team in numbers if team not in there))


def list_draft_sessions(tournament: Tournament) -> list[Session]:
    """Return the sessions in preparation, by number, in which a round can be seated."""
    drafts = tournament.sessions.filter(status=Session.Status.DRAFT, put_away_at=None)
    return list(drafts.select_related("tournament__club").order_by("number"))
