"""The plan of a session as people read it: who sits where with which étuis, position by position and player by player.

Two queries, and no result in either: whoever may read the plan learns nothing else from it.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from deals.domain.cards import LINES
from tournaments.models import Entrant, Session
from tournaments.models.evening import PUBLIC_PEOPLE, SEAT_COLUMNS
from tournaments.words.figures import etuis_text


@dataclass(slots=True)
class TablePlace:
    """One table in one position: its four players by line, and the taker of each of its étuis, "" where none is set.

    An étui that somebody there has had is left out.
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
        """ "9–12" where the étuis follow one another."""
        return etuis_text(self.takers)


class Stop(NamedTuple):
    """Where a player is in a position, and on which line he sits, a rover perhaps not on his own. `place` is None while
    he rests, and while he is not `there`."""

    position: int
    place: TablePlace | None
    there: bool
    line: str = ""


@dataclass(slots=True)
class Way:
    """A player's evening: one stop for each position of the plan."""

    entrant: Entrant
    stops: list[Stop] = field(default_factory=list)

    @property
    def places(self) -> list[TablePlace]:
        """Where he plays."""
        return [stop.place for stop in self.stops if stop.place]


@dataclass(frozen=True, slots=True)
class PlanOfPlaces:
    """`resting` has, for each of `positions`, who is there and does not play."""

    positions: list[list[TablePlace]]
    resting: list[list[Entrant]]
    ways: list[Way]


def plan_of(session: Session) -> PlanOfPlaces:
    """The plan of a session under way; empty before its start."""
    entrants = {entrant.pk: entrant for entrant in session.entrants.select_related(*PUBLIC_PEOPLE)}
    places: dict[tuple[int, int], TablePlace] = {}
    rows = session.plays.order_by("position", "table__number", "etui__number").values_list(
        "position", "table__number", "etui__number", "etui__taker", "is_replay", *SEAT_COLUMNS
    )
    for position, table, etui, taker, left_out, *seated in rows:
        if (position, table) not in places:
            seats: dict[str, Entrant] = {line: entrants[pk] for line, pk in zip(LINES, seated, strict=True)}
            places[position, table] = TablePlace(position, table, seats)
        if not left_out:
            places[position, table].takers[etui] = taker
    positions: dict[int, list[TablePlace]] = {}
    for place in places.values():
        positions.setdefault(place.position, []).append(place)
    by_seat = sorted(entrants.values(), key=lambda entrant: (LINES.index(entrant.line), entrant.number))
    ways = [Way(entrant) for entrant in by_seat]
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
