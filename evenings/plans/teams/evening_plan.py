"""The teams on the papers of an evening: who meets whom, on which étuis, and which member attacks.

This module uses no database, no language and no layout. It derives each member's way through the evening from the plan.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from deals.domain.cards import Seat
from evenings.plans.evening_plan import EveningPaper, Position
from evenings.teams.lineups import SOUTH, SeatPlaces
from evenings.teams.membership import MemberSpan

ALL_SESSION = MemberSpan(1, None)


@dataclass(frozen=True, slots=True)
class PrintedMember:
    """A member of a team in the session. `id` is that of the membership, `place` the badge: 1 blue, 2 white, 3 red.

    `listed` is the name for an alphabetical list, `span` has the positions in which the member belongs to the team.
    """

    id: int
    name: str
    place: int
    listed: str = ""
    span: MemberSpan = ALL_SESSION


@dataclass(frozen=True, slots=True)
class PrintedTeam:
    """A team with its starting number, the name to print, and its members of the session, former ones too.

    `id` is the entrant's id. `seating` has the line-ups, in formats that have them, in the order of the positions.
    """

    id: int
    number: int
    name: str
    members: tuple[PrintedMember, ...]
    seating: tuple[SeatPlaces, ...] = ()

    def find_attacker(self, place: int, position: int) -> PrintedMember | None:
        """Return the member who has this badge in that position, or None.

        If there are several such members, return the newest one.
        """
        found = [each for each in self.members if each.place == place and each.span.has(position)]
        return found[-1] if found else None

    def is_named(self, position: int) -> bool:
        """Return whether papers may name the attacker in that position. They may not while the line-up is secret."""
        return not self.seating or bool(self.find_seats(position))

    def find_seats(self, position: int) -> Mapping[str, int]:
        """Return the places of the members by seat in that position, by the line-up. Empty without a line-up."""
        return next((each.places for each in reversed(self.seating) if each.first <= position), {})

    def find_seat(self, place: int, position: int) -> str:
        """Return the seat of the member with this place in that position; "" if the member does not play."""
        return next((seat for seat, other in self.find_seats(position).items() if other == place), "")


class PrintedTurn(NamedTuple):
    """An étui at a table: the seat of its taker, the id of the attacking team, and the badge whose turn it is."""

    etui: int
    taker: Seat
    attacking: int
    badge: int


@dataclass(frozen=True, slots=True)
class TeamSitting:
    """A table in a position: the team North-South, the team East-West, and the étuis in the order of their numbers.

    `parted` is True if a team sits at several tables of the position. Then the first of the two teams in `teams`
    attacks every étui of the table.
    """

    table: int
    teams: tuple[PrintedTeam, PrintedTeam]
    turns: tuple[PrintedTurn, ...]
    parted: bool = False

    @property
    def numbers(self) -> list[int]:
        """The numbers of the étuis, in the order of play."""
        return [turn.etui for turn in self.turns]

    def other(self, team: PrintedTeam) -> PrintedTeam:
        """Return the team that this team meets here."""
        first, second = self.teams
        return second if team.id == first.id else first


TeamsPaper = EveningPaper[PrintedTeam, TeamSitting]


class MemberStop(NamedTuple):
    """A member's stop in a position. `sitting` is None if the team rests, or if the member does not play there.

    `seat` is the member's seat where the line-up names it, else "".
    """

    position: int
    sitting: TeamSitting | None
    seat: str = ""


class MemberWay(NamedTuple):
    """A member's way through the evening: one stop for each position in which the member is there."""

    team: PrintedTeam
    member: PrintedMember
    stops: tuple[MemberStop, ...]


def list_teams(evening: TeamsPaper) -> list[PrintedTeam]:
    """Return all teams by number."""
    found: dict[int, PrintedTeam] = {}
    for position in evening.positions:
        for team in (*(team for sitting in position.sittings for team in sitting.teams), *position.resting):
            found[team.id] = team
    return sorted(found.values(), key=lambda team: (team.number, team.id))


def list_member_ways(evening: TeamsPaper) -> Iterator[MemberWay]:
    """Yield every member's way, by team and badge. Members who are in no position have none."""
    places = [(position.number, place_teams(position)) for position in evening.positions]
    for team in list_teams(evening):
        for member in team.members:
            stops = tuple(
                choose_stop(number, tables_of[team.id], team, member)
                for number, tables_of in places
                if team.id in tables_of and member.span.has(number)
            )
            if stops:
                yield MemberWay(team, member, stops)


def place_teams(position: Position[PrintedTeam, TeamSitting]) -> dict[int, list[TeamSitting]]:
    """Return the tables of each team in a position, by the team's id. A team that rests has none."""
    there: dict[int, list[TeamSitting]] = {team.id: [] for team in position.resting}
    for sitting in position.sittings:
        for team in sitting.teams:
            there.setdefault(team.id, []).append(sitting)
    return there


def choose_stop(number: int, sittings: list[TeamSitting], team: PrintedTeam, member: PrintedMember) -> MemberStop:
    """Return a member's stop in the position `number`. `sittings` are the tables of the member's team.

    A member who attacks sits at the table of the other team. With a line-up, the three defenders are at the table where
    the team defends. If a team attacks at several tables without a line-up, each member is where they attack.
    """
    own = next(
        (each for each in sittings if any((t.attacking, t.badge) == (team.id, member.place) for t in each.turns)), None
    )
    if not team.seating:
        return MemberStop(number, sittings[0] if len(sittings) == 1 else own)
    if own:
        return MemberStop(number, own, SOUTH)
    seat = team.find_seat(member.place, number)
    defends = next((each for each in sittings if each.teams[0].id != team.id), None)
    return MemberStop(number, defends, seat) if defends and seat not in ("", SOUTH) else MemberStop(number, None)
