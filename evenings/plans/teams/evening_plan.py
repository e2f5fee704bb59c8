"""The values from which the papers of teams are printed: who meets whom, on which étuis, and which member attacks.

Callers fill them in from the rows. This module uses no database, no language and no layout. It derives each member's
way through the evening from the plan.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from deals.domain.cards import Seat
from evenings.plans.evening_plan import SessionHeading
from evenings.teams.lineups import SOUTH, SeatPlaces
from evenings.teams.membership import MemberSpan
from scoring.formats import Format

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
    def etuis(self) -> list[int]:
        return [turn.etui for turn in self.turns]

    def other(self, team: PrintedTeam) -> PrintedTeam:
        """Return the team that this team meets here."""
        first, second = self.teams
        return second if team.id == first.id else first


@dataclass(frozen=True, slots=True)
class TeamPosition:
    """A position: its tables in rising order, and the teams that rest."""

    number: int
    sittings: tuple[TeamSitting, ...]
    resting: tuple[PrintedTeam, ...] = ()

    def at(self, table: int) -> TeamSitting | None:
        """Return the sitting at the table with this number, or None if nobody plays there."""
        return next((sitting for sitting in self.sittings if sitting.table == table), None)


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


@dataclass(frozen=True, slots=True)
class TeamEveningPlan:
    """The plan of a session of teams, with all its positions in order. Raises `ValueError` if nobody plays."""

    heading: SessionHeading
    format: Format
    positions: tuple[TeamPosition, ...]

    def __post_init__(self) -> None:
        if not any(position.sittings for position in self.positions):
            raise ValueError("nobody plays: there is no plan to print")

    @property
    def tables(self) -> list[int]:
        """The numbers of the tables that play in at least one position, in rising order."""
        return sorted({sitting.table for position in self.positions for sitting in position.sittings})

    @property
    def most_plays(self) -> int:
        """The number of times that the most played étui is played."""
        sittings = (sitting for position in self.positions for sitting in position.sittings)
        return max(Counter(etui for sitting in sittings for etui in sitting.etuis).values())

    @property
    def rests(self) -> bool:
        """True if a team rests in at least one position."""
        return any(position.resting for position in self.positions)

    def list_teams(self) -> list[PrintedTeam]:
        """Return all teams by number."""
        found: dict[int, PrintedTeam] = {}
        for position in self.positions:
            for team in (*(team for sitting in position.sittings for team in sitting.teams), *position.resting):
                found[team.id] = team
        return sorted(found.values(), key=lambda team: (team.number, team.id))

    def ways(self) -> Iterator[MemberWay]:
        """Yield every member's way, by team and badge. Members who are in no position have none."""
        places = [(position.number, place_teams(position)) for position in self.positions]
        for team in self.list_teams():
            for member in team.members:
                stops = tuple(
                    choose_stop(number, there[team.id], team, member)
                    for number, there in places
                    if team.id in there and member.span.has(number)
                )
                if stops:
                    yield MemberWay(team, member, stops)


def place_teams(position: TeamPosition) -> dict[int, list[TeamSitting]]:
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
