"""The rows of matches: which teams have met in which session with which result, and which will meet.

A result comes from the newest publication of its session, or from the standings of a closed session.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Exists, OuterRef

from evenings.teams.quarters import find_opponent
from scoring.formats import MatchPoints
from scoring.matches import TeamMatch
from tournaments.models import Entrant, Publication, SessionStandings, Team, Tournament
from tournaments.reports.session import RankedPlayer, decode_players
from tournaments.versions.steps import WITHDRAWN


class PlayedMatch(NamedTuple):
    """A finished match of two teams (by their numbers in the tournament), with the number of its session.

    `bonuses` has the starting bonus that is part of a team's points, by the team's number. `version` is the version of
    the publication that has the result, None if the session is not published.
    """

    session: int
    result: TeamMatch
    bonuses: Mapping[int, Fraction]
    version: int | None = None

    def points_of(self, team: int) -> Fraction:
        """Return the match points of one of the two teams."""
        return self.result.home_points if self.result.home == team else self.result.away_points


class TeamMeeting(NamedTuple):
    """A session in which two teams meet (by their numbers): the session's number, and the result if it is finished."""

    session: int
    home: int
    away: int
    played: PlayedMatch | None = None


def read_published_rows(tournament: Tournament) -> Iterator[tuple[int, int, list[RankedPlayer]]]:
    """Yield the number of each session with a ranking that readers see, its version, and its rows. One query."""
    versions = Publication.objects.filter(session=OuterRef("session"), version__gt=OuterRef("version"))
    newest = Publication.objects.filter(
        ~Exists(versions), session__tournament=tournament, session__put_away_at=None, session__shows_ranking=True
    ).exclude(status=WITHDRAWN)
    columns = ("session__number", "version", "data__players")
    for number, version, rows in newest.order_by("session__number").values_list(*columns):
        yield number, version, list(decode_players(rows))


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


def pair_rows(session: int, rows: Iterable[RankedPlayer], version: int | None = None) -> Iterator[PlayedMatch]:
    """Yield the matches of a session from the rows of its ranking. A match without a counted étui is left out."""
    by_number = {row.number: row for row in rows}
    for number, home in sorted(by_number.items()):
        away = by_number.get(find_opponent(number))
        if number % 2 == 0 or away is None or (home.overall is None and away.overall is None):
            continue
        points = [MatchPoints(row.overall or 0) for row in (home, away)]
        bonuses = {row.team: MatchPoints(-row.penalty) for row in (home, away) if row.penalty}
        etuis = max(home.attacks, away.attacks)
        result = TeamMatch(home.team, away.team, points[0], points[1], etuis)
        yield PlayedMatch(session, result, bonuses, version)


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


def join_meetings(
    played: Iterable[PlayedMatch], planned: Iterable[TeamMeeting]
) -> dict[frozenset[int], list[TeamMeeting]]:
    """Return all meetings of two teams, by their numbers, in the order of the sessions."""
    meetings = [*planned]
    for each in played:
        home, away = int(str(each.result.home)), int(str(each.result.away))
        meetings.append(TeamMeeting(each.session, home, away, each))
    found: dict[frozenset[int], list[TeamMeeting]] = {}
    for meeting in sorted(meetings, key=lambda each: each[:3]):
        found.setdefault(frozenset((meeting.home, meeting.away)), []).append(meeting)
    return found


def list_competing(
    tournament: Tournament, played: Iterable[PlayedMatch], planned: Iterable[TeamMeeting] = ()
) -> list[Team]:
    """Return the teams of the competition, by number. Two queries.

    A team that has left before it played is left out, unless each match stands alone and a session still has it. In a
    knock-out the teams are those that were there when the first session started, because another team would change who
    meets whom.
    """
    met = {team for each in played for team in (each.result.home, each.result.away)}
    if tournament.meeting == Tournament.MeetingKind.SINGLE:
        met |= {team for each in planned for team in (each.home, each.away)}
    teams = list(tournament.teams.order_by("number"))
    begun = tournament.sessions.filter(started_at__isnull=False).order_by("started_at").first()
    if tournament.meeting != Tournament.MeetingKind.TREE or begun is None or begun.started_at is None:
        return [team for team in teams if team.left_at is None or team.number in met]
    start = begun.started_at
    return [
        team
        for team in teams
        if team.number in met or (team.made_at <= start and (team.left_at is None or team.left_at > start))
    ]
