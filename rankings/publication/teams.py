"""The teams of a report: their members in a session, who attacked in a play, their names, and their totals.

Publications store only the teams' numbers. The names are read from the database when a page is shown.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, NamedTuple

from clubs.shown import PublicPlayer
from evenings.teams.membership import JOINS, MemberSpan, find_span
from evenings.teams.naming import read_public_names
from rankings.ranking import RankedMember, RankedRow, show_stored
from scoring.formats import MEETING_TEAMS, Format
from tournaments.models import (
    Entrant,
    LineUp,
    Play,
    Publication,
    ResultEntry,
    Session,
    Team,
    TeamMember,
    TournamentPublication,
    Version,
)
from tournaments.reports.session import ReportedTeam

Member = dict[str, Any]


class SessionMembers(NamedTuple):
    """The members of the teams of a session or of several sections.

    `by_entrant` has them by the entrant's id, in the order of their places. A member is {"player", "place", "from",
    "to"}: the positions are those of the session, and "to" is None for its end. `players` has the player's id by the id
    of the membership.
    """

    by_entrant: Mapping[int, Sequence[Member]]
    players: Mapping[int, int]


NO_MEMBERS = SessionMembers(MappingProxyType({}), MappingProxyType({}))


def read_members(sessions: Iterable[int]) -> SessionMembers:
    """Return the members of the teams of these sessions (ids). This takes two queries.

    Members who took no part in a session are left out there.
    """
    found = Entrant.objects.filter(session__in=sessions).exclude(team=None).order_by()
    entrants = list(found.values_list("pk", "team_id", "session__number"))
    rows = TeamMember.objects.filter(team__in={team for _pk, team, _number in entrants}).order_by("place", "pk")
    by_team: dict[int, list[TeamMember]] = {}
    for member in rows.select_related(*JOINS):
        by_team.setdefault(member.team_id, []).append(member)
    return SessionMembers(
        {pk: list(list_members_in(by_team.get(team, ()), number)) for pk, team, number in entrants},
        {member.pk: member.player_id for members in by_team.values() for member in members},
    )


# By format: how the members of teams are read. Where everybody plays alone there are none, and no query.
READERS: Mapping[str, Callable[[Iterable[int]], SessionMembers]] = dict.fromkeys(MEETING_TEAMS, read_members)


def read_members_in(format: str, sessions: Iterable[int]) -> SessionMembers:
    """Return the members of the teams of these sessions (ids), which are of the format with this name."""
    read = READERS.get(format)
    return read(sessions) if read else NO_MEMBERS


def list_members_in(members: Iterable[TeamMember], number: int) -> Iterator[Member]:
    """Yield the members who took part in the session with this number, with their positions in it."""
    for member in members:
        if span := find_span(member, number):
            yield {"player": member.player_id, "place": member.place, "from": span.first, "to": span.last}


def find_attacker(play: Play, entry: ResultEntry | None, members: SessionMembers) -> int | None:
    """Return the id, in the club's list, of the member who attacked in a play; None if nobody is named.

    If the result names a member, that member attacked. Otherwise the member attacked who then had the badge of the play
    in the attacking team. If a member left in the middle of the position, the substitute attacked, unless the result
    names the member who left.
    """
    if entry is not None and entry.attacker_id is not None:
        return members.players.get(entry.attacker_id)
    return find_by_badge(play.seat_ids.get(play.taker) or 0, play.badge, play.position, members)


def find_by_badge(entrant: int, place: int, position: int, members: SessionMembers) -> int | None:
    """Return the id, in the club's list, of the member who had this place in the team then. None if unknown."""
    there = [
        member["player"]
        for member in members.by_entrant.get(entrant, ())
        if member["place"] == place and MemberSpan(member["from"], member["to"]).has(position)
    ]
    return there[-1] if there else None


def read_defence_places(session: Session) -> dict[tuple[int, int], tuple[int, ...]]:
    """Return the places of the members who defend North, East and West, by the entrant's id and the quarter. One query.

    The newest line-up of a team for a quarter counts. Without line-ups for quarters, the result is empty.
    """
    columns = ("team__entries", "quarter", "in_north__place", "in_east__place", "in_west__place")
    rows = LineUp.objects.filter(session=session, team__entries__session=session, quarter__isnull=False).order_by("pk")
    return {(entrant, quarter or 0): tuple(places) for entrant, quarter, *places in rows.values_list(*columns)}


def find_defenders(play: Play, places: Mapping[tuple[int, int], Sequence[int]], members: SessionMembers) -> list[int]:
    """Return the ids, in the club's list, of the members who defended, in the order of the seats. [] if unknown."""
    attacking = play.seat_ids.get(play.taker)
    defending = next((pk for pk in play.seat_ids.values() if pk and pk != attacking), 0)
    seated = places.get((defending, play.position), ())
    named = [find_by_badge(defending, place, play.position, members) for place in seated]
    return [pk for pk in named if pk is not None] if None not in named else []


def name_teams_where(numbers: Collection[int], *, in_public: bool = True, **where: Any) -> dict[int, str]:
    """Return the names of the teams with these numbers, by number. `where` names their tournament.

    There is no query without numbers.
    """
    found = Team.objects.filter(number__in=numbers, **where) if numbers else ()
    return name_teams(found, in_public=in_public)


def name_teams_in_tournaments(numbers: Collection[tuple[int, int]]) -> dict[tuple[int, int], str]:
    """Return the public names of teams, each given as (tournament id, number)."""
    places, wanted = {place for place, _number in numbers}, {number for _place, number in numbers}
    found = list(Team.objects.filter(tournament__in=places, number__in=wanted)) if numbers else []
    names = read_public_names(found)
    return {(team.tournament_id, team.number): names[team.pk] for team in found}


def name_teams_told(version: Version, numbers: Collection[int]) -> dict[int, str]:
    """Return the public names of the teams with these numbers in the tournament of a published version."""
    where: dict[str, Any] = {}
    if isinstance(version, Publication):
        where = {"tournament__sessions": version.session_id}
    elif isinstance(version, TournamentPublication):
        where = {"tournament": version.tournament_id}
    return name_teams_where(numbers, **where)


def name_teams(teams: Iterable[Team], *, in_public: bool) -> dict[int, str]:
    """Return the names of teams by their numbers: as readers see them, or as directors do."""
    found = list(teams)
    names = read_public_names(found) if in_public else {}
    return {team.number: names.get(team.pk, team.shown_name) for team in found}


def name_number(number: int) -> str:
    """Return the name of a team of which only the number is known: "Team 7"."""
    return Team(number=number).numbered


def show_team_sums(
    rows: Sequence[ReportedTeam], format: Format, names: Mapping[int, PublicPlayer], teams: Mapping[int, str]
) -> list[RankedRow]:
    """Return the teams of a report with names, and with figures in the unit of the format.

    `names` are those of players by id, `teams` those of teams by number.
    """
    return [
        show_stored(
            RankedRow,
            row,
            name=teams.get(row.team) or name_number(row.team),
            named=True,
            total=format.measure(row.total or Fraction()),
            members=[
                show_stored(
                    RankedMember,
                    one,
                    **(names[one.player]._asdict() | {"total": format.measure(one.total or Fraction())}),
                )
                for one in row.members
            ],
        )
        for row in rows
    ]
