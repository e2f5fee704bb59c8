"""The plan of a session as people read it: who sits where with which étuis, position by position and player by player.

Two queries, and no result in either: whoever may read the plan learns nothing else from it.
"""

from dataclasses import dataclass, field

from deals.models import Line
from tournaments.models import Entrant, Session

SEAT_COLUMNS = ("north_id", "east_id", "south_id", "west_id")


@dataclass(slots=True)
class Place:
    """One table in one position: its four players by line, and the numbers of its étuis."""

    position: int
    table: int
    seats: dict[str, Entrant]
    etuis: list[int] = field(default_factory=list)

    @property
    def etuis_text(self) -> str:
        """ "9–12" where the étuis follow one another, else each of them."""
        first, last = min(self.etuis), max(self.etuis)
        if last - first + 1 == len(self.etuis) > 1:
            return f"{first}–{last}"
        return ", ".join(map(str, sorted(self.etuis)))


@dataclass(slots=True)
class Way:
    """A player's evening: his place in each position."""

    entrant: Entrant
    places: list[Place] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Plan:
    positions: list[list[Place]]
    ways: list[Way]


def plan_of(session: Session) -> Plan:
    """The plan of a session under way; empty before its start."""
    entrants = {entrant.pk: entrant for entrant in session.entrants.select_related("player")}
    places: dict[tuple[int, int], Place] = {}
    rows = session.plays.order_by("position", "table__number", "etui__number")
    for position, table, etui, *seated in rows.values_list("position", "table__number", "etui__number", *SEAT_COLUMNS):
        if (position, table) not in places:
            seats = {line.value: entrants[pk] for line, pk in zip(Line, seated, strict=True)}
            places[position, table] = Place(position, table, seats)
        places[position, table].etuis.append(etui)
    positions: dict[int, list[Place]] = {}
    ways = {pk: Way(entrant) for pk, entrant in entrants.items()}
    for place in places.values():
        positions.setdefault(place.position, []).append(place)
        for entrant in place.seats.values():
            ways[entrant.pk].places.append(place)
    by_seat = sorted(ways.values(), key=lambda way: (Line.values.index(way.entrant.line), way.entrant.number))
    return Plan(list(positions.values()), by_seat)
