"""The plan of a session for readers: seats and étuis, by position and by player.

It is read by two queries, and contains no results.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from deals.domain.cards import LINES
from scoring.teams import EAST_WEST, NORTH_SOUTH, find_line
from tournaments.models import Entrant, Session
from tournaments.models.plays import PUBLIC_PEOPLE
from tournaments.models.seats import find_taker_seat, read_with_seats
from tournaments.words.figures import etuis_text


@dataclass(slots=True)
class TablePlace:
    """One table in one position: its four players by line, and its étuis.

    Two teams stand under NS and EW.

    `takers` has the taker that each étui names ("" for none), by the étui's number. Replays are left out: étuis that a
    player at the table has already played.
    """

    position: int
    table: int
    seats: dict[str, Entrant]
    takers: dict[int, str] = field(default_factory=dict)

    @property
    def etuis(self) -> list[int]:
        return list(self.takers)

    @property
    def etuis_text(self) -> str:
        """The numbers of the étuis as text, such as "9–12"."""
        return etuis_text(self.takers)


class Stop(NamedTuple):
    """A player's place in a position, and the line on which the player sits. A rover may sit on another line.

    `place` is None if the player rests, or is not `there`.
    """

    position: int
    place: TablePlace | None
    there: bool
    line: str = ""


@dataclass(slots=True)
class PlayerWay:
    """A player's evening: one stop for each position of the plan."""

    entrant: Entrant
    stops: list[Stop] = field(default_factory=list)

    @property
    def places(self) -> list[TablePlace]:
        """The places where the player plays."""
        return [stop.place for stop in self.stops if stop.place]


@dataclass(frozen=True, slots=True)
class PlanOfPlaces:
    """The plan of a session, by position and by player.

    `positions` has the tables of each position. `resting` has the players who rest in each position.
    """

    positions: list[list[TablePlace]]
    resting: list[list[Entrant]]
    ways: list[PlayerWay]


def read_plan_of_places(session: Session) -> PlanOfPlaces:
    """Return the plan of a session under way. It is empty before the start."""
    entrants = {entrant.pk: entrant for entrant in session.entrants.select_related(*PUBLIC_PEOPLE)}
    places: dict[tuple[int, int], TablePlace] = {}
    plays = session.plays.order_by("position", "table__number", "etui__number")
    columns = "position", "table__number", "etui__number", "etui__taker", "is_replay"
    for (position, table, etui, named, left_out), seats in read_with_seats(plays, *columns):
        taker = find_taker_seat(seats, named)
        if (position, table) not in places:
            seated = {line: entrants[pk] for line, pk in find_sides(seats, taker, entrants).items()}
            places[position, table] = TablePlace(position, table, seated)
        if not left_out:
            places[position, table].takers[etui] = taker
    positions: dict[int, list[TablePlace]] = {}
    for place in places.values():
        positions.setdefault(place.position, []).append(place)
    by_seat = sorted(entrants.values(), key=order_of)
    ways = [PlayerWay(entrant) for entrant in by_seat]
    resting = []
    for position, tables in positions.items():
        seat_of = {entrant.pk: (place, line) for place in tables for line, entrant in place.seats.items()}
        for way in ways:
            sits, line = seat_of.get(way.entrant.pk, (None, way.entrant.line))
            way.stops.append(Stop(position, sits, sits is not None or way.entrant.is_there(position), line))
        resting.append([way.entrant for way in ways if way.stops[-1].there and way.stops[-1].place is None])
    return PlanOfPlaces(
        list(positions.values()), resting, [way for way in ways if any(stop.there for stop in way.stops)]
    )


def find_sides(seats: Mapping[str, int], taker: str, entrants: Mapping[int, Entrant]) -> Mapping[str, int]:
    """Return the ids of the players by line, or of two teams under NS and EW.

    `seats` has the ids in the seats of one étui, in which the attacking team has the seat of the `taker`.
    """
    attacking = seats.get(taker)
    if attacking is None or entrants[attacking].team_id is None:
        return seats
    defending = next(pk for pk in seats.values() if pk != attacking)
    if find_line(taker) == NORTH_SOUTH:
        return {NORTH_SOUTH: attacking, EAST_WEST: defending}
    return {NORTH_SOUTH: defending, EAST_WEST: attacking}


def order_of(entrant: Entrant) -> tuple[int, int]:
    """Return the key that sorts entrants by line and number. Teams that change sides have no line, and come first."""
    return (LINES.index(entrant.line) if entrant.line else -1), entrant.number
