"""The four columns of a play that say who sits where, and functions that use them in queries and rows.

Code that has a `Play` reads `Play.seats` or `Play.seat_ids`. The functions here are for queries, and for rows that are
dicts by column. Models, and modules that read or write rows of plays, import the tuples of columns.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import attrgetter, or_
from typing import Any

from django.db.models import Model, Q, QuerySet

from deals.domain.cards import LINES

SEAT_FIELDS = ("north", "east", "south", "west")  # the columns of a play for the four seats, in the order of LINES
SEAT_COLUMNS = tuple(f"{seat}_id" for seat in SEAT_FIELDS)
read_seats = attrgetter(*SEAT_COLUMNS)


def name_seats_by_line(seated: Iterable[int | None]) -> dict[str, int]:
    """Return the ids of the entrants by line. `seated` has the four ids in the order of LINES, None for an empty seat.

    Empty seats are left out.
    """
    return {line: entrant for line, entrant in zip(LINES, seated, strict=True) if entrant is not None}


def list_seat_paths(play: str = "") -> tuple[str, ...]:
    """Return the query path to the entrant of each of the four seats.

    `play` is the path from the queried model to the play, such as `play__`, or "" for a query of plays.
    """
    return tuple(f"{play}{seat}" for seat in SEAT_FIELDS)


def sits_at_play(entrant: Any, play: str = "") -> Q:
    """Return the query condition that the entrant sits at the play. `play` is the path as in `list_seat_paths`."""
    return reduce(or_, (Q((path, entrant)) for path in list_seat_paths(play)))


def find_taker_seat(seats: Mapping[str, int], named: str) -> str:
    """Return the seat that takes. `seats`: the ids of the entrants by line. `named`: the taker that the étui names.

    If two teams play, the attacking team has the taker's seat, and the other team the three others. South always takes
    in quadrettes, so the étui may name another seat.
    """
    there = [*seats.values()]
    if len(there) != len(LINES) or len({*there}) != 2:
        return named
    return next((line for line, entrant in seats.items() if there.count(entrant) == 1), named)


def read_with_seats(plays: "QuerySet[Any]", *columns: str) -> Iterator[tuple[tuple[Any, ...], dict[str, int]]]:
    """Yield for each play a pair: the values of these columns, and the ids of the entrants there by line."""
    for row in plays.values_list(*columns, *SEAT_COLUMNS):
        yield row[: len(columns)], name_seats_by_line(row[len(columns) :])


def make_seat_columns(entrants: Iterable[int]) -> dict[str, int]:
    """Return the ids of four entrants by column name. `entrants` has the ids in the order of LINES."""
    return dict(zip(SEAT_COLUMNS, entrants, strict=True))


def read_row_seats(row: Mapping[str, Any]) -> tuple[int | None, ...]:
    """Return the ids of the entrants in the seat columns of a play's row, in the order of LINES."""
    return tuple(row[column] for column in SEAT_COLUMNS)


def list_seated(row: Mapping[str, Any]) -> list[int]:
    """Return the ids of the entrants in the seat columns of a play's row."""
    return [row[column] for column in SEAT_COLUMNS if row[column] is not None]


def reseat(row: Mapping[str, Any], ids: Mapping[int, int]) -> dict[str, Any]:
    """Return a copy of the play's row in which each entrant's id is replaced by its value in `ids`, if it has one."""
    return {**row, **{column: ids.get(row[column], row[column]) for column in SEAT_COLUMNS}}


def seat_entrants(plays: Iterable[Model], entrants: Mapping[int, Model]) -> None:
    """Set the four entrants of each play from `entrants`, which has them by id. Reading them then takes no query."""
    seats = None
    for play in plays:
        seats = seats or [(play._meta.get_field(seat), f"{seat}_id") for seat in SEAT_FIELDS]
        for field, column in seats:
            if (pk := getattr(play, column)) is not None:
                field.set_cached_value(play, entrants[pk])  # type: ignore[union-attr]
