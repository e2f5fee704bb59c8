"""The line-ups of teams. One member attacks in the whole session, always as South. Three others defend.

A line-up is secret until the session starts. This module only reads; `evenings.changes.line_ups` stores line-ups.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from deals.domain.cards import LINES
from evenings.teams.membership import JOINS, find_span, list_entrants_of_members
from scoring.formats import QUADRETTES
from tournaments.models import Entrant, LineUp, Session, Team, TeamMember

SOUTH = "S"
SEATS = (SOUTH, "N", "E", "W")  # the attacker first


class SeatPlaces(NamedTuple):
    """The places of a team's members by seat, from position `first` on. A substitute has the place of the other."""

    first: int
    places: Mapping[str, int]


class TeamLineUp(NamedTuple):
    """The line-up of a team in a session: its members by seat. `chosen` is False if nobody has chosen it yet."""

    team: Team
    members: dict[str, TeamMember]
    chosen: bool

    @property
    def attacker(self) -> TeamMember:
        return self.members[SOUTH]


class SeenLineUp(NamedTuple):
    """The line-up that somebody has seen before choosing another one: the ids of the members by seat.

    `members` is None if nobody had chosen one.
    """

    members: Mapping[str, int] | None

    def is_still(self, line_up: TeamLineUp | None) -> bool:
        """Return whether this line-up of the team still counts."""
        if line_up is None or not line_up.chosen:
            return self.members is None
        return {seat: member.pk for seat, member in line_up.members.items()} == self.members


def may_hand_in(team: Team, players: Collection[int]) -> bool:
    """Return whether one of these players (ids) hands in the team's line-ups: its captain.

    If the team has no captain, or the captain is a member no more, every member may.
    """
    return speaks_for(team, players, team.members.filter(ended_at=None).values_list("player_id", flat=True))


def speaks_for(team: Team, players: Collection[int], active: Iterable[int]) -> bool:
    """Return whether one of these players (ids) may hand in the team's line-up, as `may_hand_in` does, without a query.

    `active` are the ids of the players who are in the team now. The captain may, or anybody if there is no captain.
    """
    there = set(active)
    return team.captain_id in players if team.captain_id in there else not there.isdisjoint(players)


def list_awaiting_entrants(players: Collection[int], tournament: int | None = None) -> list[Entrant]:
    """Return the teams that may still hand in a line-up, and of which one of these players (ids) is a member.

    A team is an entrant of a session in preparation. The next session comes first. With `tournament` (an id), only
    its sessions count. One query.
    """
    return list_entrants_of_members(players, [*OF_SESSION], Q(session__status=Session.Status.DRAFT), tournament)


def read_line_ups(session: Session) -> dict[int, TeamLineUp]:
    """Return the line-up of each of the session's teams by the team's id. Teams without four members are left out.

    A team without a line-up plays as in its last session with one. Without any, its members have the seats South,
    North, East and West in the order of their places. This takes three queries.
    """
    return read_line_ups_of_sessions([session])[session.pk]


def read_line_ups_of_sessions(
    sessions: Collection[Session], only: Collection[int] | None = None
) -> dict[int, dict[int, TeamLineUp]]:
    """Return the line-ups of several sessions, by the session's id and the team's id. It takes three queries.

    With `only`, return those of these teams (ids).
    """
    rows = Entrant.objects.filter(session__in=sessions, team__isnull=False).select_related("team").order_by("team")
    entrants = list(rows if only is None else rows.filter(team__in=only))
    teams = {entrant.team.pk: entrant.team for entrant in entrants if entrant.team}
    members: dict[int, list[TeamMember]] = {pk: [] for pk in teams}
    for member in TeamMember.objects.filter(team__in=teams).select_related("player").order_by("place", "id"):
        members[member.team_id].append(member)
    known: dict[int, list[LineUp]] = {pk: [] for pk in teams}
    stored = LineUp.objects.filter(team__in=teams, quarter=None).select_related("session")
    for line_up in stored.order_by("session__number", "pk"):
        known[line_up.team_id].append(line_up)
    by_pk = {session.pk: session for session in sessions}
    found: dict[int, dict[int, TeamLineUp]] = {pk: {} for pk in by_pk}
    for entrant in entrants:
        if entrant.team is None:
            continue
        pk, session = entrant.team.pk, by_pk[entrant.session_id]
        there = [member for member in members[pk] if member.ended_at is None][: len(LINES)]
        newest = next((each for each in reversed(known[pk]) if each.session.number <= session.number), None)
        if len(there) == len(LINES):
            found[session.pk][pk] = _line(teams[pk], there, members[pk], newest, session)
    return found


def read_seat_places(session: Session) -> dict[int, tuple[SeatPlaces, ...]]:
    """Return who sits where in each of the session's teams, by the team's id, in the order of the positions.

    A team without a line-up is seated as in `read_line_ups`. Two queries.
    """
    places: dict[int, set[int]] = {}
    rows = TeamMember.objects.filter(team__entries__session=session).select_related(*JOINS)
    for member in rows:
        if find_span(member, session.number):
            places.setdefault(member.team_id, set()).add(member.place)
    found: dict[int, tuple[SeatPlaces, ...]] = {
        pk: (seat_in_order(sorted(own)),) for pk, own in places.items() if len(own) >= len(LINES)
    }
    known = LineUp.objects.filter(team__in=places, session__number__lte=session.number)
    heirs, by_pk = {each.replaces_id: each for each in rows if each.replaces_id}, {each.pk: each for each in rows}
    columns = ("attacker", "in_north", "in_east", "in_west")
    for pk, number, position, *members in known.order_by("session__number", "pk").values_list(
        "team", "session__number", "position", *columns
    ):
        first = position or 1 if number == session.number else 1
        named = [follow_substitutes(by_pk[each], heirs).place for each in members]
        if pk in found and places[pk].issuperset(named):
            kept = tuple(each for each in found[pk] if each.first < first)
            found[pk] = *kept, SeatPlaces(first, dict(zip(SEATS, named, strict=True)))
    return found


# By format: how the seats of teams are read that name their attacker for a whole session.
OF_SESSION: Mapping[str, Callable[[Session], dict[int, tuple[SeatPlaces, ...]]]] = {QUADRETTES.name: read_seat_places}


def read_session_line_ups(session: Session) -> dict[int, tuple[SeatPlaces, ...]]:
    """Return what `read_seat_places` does, or {} in a format whose teams name nobody for a whole session.

    Line-ups for a part of a session may still be secret.
    """
    read = OF_SESSION.get(session.tournament.format)
    return read(session) if read else {}


def find_line_up(seating: Iterable[SeatPlaces], position: int) -> Mapping[str, int]:
    """Return the places of a team's members by seat in that position, as from `read_seat_places`. {} if unknown."""
    return next((each.places for each in reversed([*seating]) if each.first <= position), {})


def seat_in_order(places: Sequence[int]) -> SeatPlaces:
    """Return the seats of a team that has named nobody: South, North, East and West in the order of the places."""
    return SeatPlaces(1, dict(zip(SEATS, places, strict=False)))


def _line(
    team: Team, there: list[TeamMember], members: list[TeamMember], newest: LineUp | None, session: Session
) -> TeamLineUp:
    """Return the line-up of a team. `there` are its active members, and `members` has the former ones too."""
    if newest is not None:
        heirs = {member.replaces_id: member for member in members if member.replaces_id}
        named = {member.pk: member for member in members}
        seats = {seat: follow_substitutes(named[pk], heirs) for seat, pk in newest.members.items()}
        if {member.pk for member in seats.values()} <= {member.pk for member in there}:
            return TeamLineUp(team, seats, newest.session_id == session.pk)
    return TeamLineUp(team, dict(zip(SEATS, there, strict=True)), chosen=False)


def follow_substitutes(member: TeamMember, heirs: Mapping[int, TeamMember]) -> TeamMember:
    """Return the member who has this place now: the given member, or the last of the substitutes."""
    while member.ended_at is not None and member.pk in heirs:
        member = heirs[member.pk]
    return member
