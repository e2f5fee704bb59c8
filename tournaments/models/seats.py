"""The columns of a play that say who sits where, and functions that use them in queries and rows.

North, East and South always have somebody. West is empty at a table of three, and only a table of five has a fifth
player. Rows that are dicts have the column of the fifth only if somebody sits there.

Code that has a `Play` reads `Play.seats` or `Play.seat_ids`. The functions here are for queries, and for rows that are
dicts by column. Models, and modules that read or write rows of plays, import the tuples of columns.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import attrgetter, or_
from typing import Any

from django.db.models import Model, Q, QuerySet

from deals.domain.cards import LINES
from scoring.plays import SEATS

SEAT_FIELDS = ("north", "east", "south", "west")  # the columns of a play for the four seats, in the order of LINES
SEAT_COLUMNS = tuple(f"{seat}_id" for seat in SEAT_FIELDS)
ALL_SEAT_FIELDS = (*SEAT_FIELDS, "fifth")  # in the order of scoring.plays.SEATS
ALL_SEAT_COLUMNS = tuple(f"{seat}_id" for seat in ALL_SEAT_FIELDS)
read_seats = attrgetter(*ALL_SEAT_COLUMNS)


def name_seats_by_line(seated: Iterable[int | None]) -> dict[str, int]:
    """Return the ids of the entrants by seat. `seated` has the ids in the order of SEATS, None for an empty seat.

    Empty seats are left out. The fifth id may be missing.
    """
    return {seat: entrant for seat, entrant in zip(SEATS, seated, strict=False) if entrant is not None}


def list_seat_paths(play: str = "") -> tuple[str, ...]:
    """Return the query path to the entrant of each seat.

    `play` is the path from the queried model to the play, such as `play__`, or "" for a query of plays.
    """
    return tuple(f"{play}{seat}" for seat in ALL_SEAT_FIELDS)


def sits_at_play(entrant: Any, play: str = "") -> Q:
    """Return the query condition that the entrant sits at the play. `play` is the path as in `list_seat_paths`."""
    return reduce(or_, (Q((path, entrant)) for path in list_seat_paths(play)))


def find_taker_seat(seats: Mapping[str, int], named: str) -> str:
    """Return the seat that takes. `seats`: the ids of the entrants by line. `named`: the taker that the étui names.

    If two teams play, the attacking team has the taker's seat, and the other team the three others. South always takes
    in quadrettes, so the étui may name another seat.
    """
    players = [*seats.values()]
    if len(players) != len(LINES) or len({*players}) != 2:
        return named
    return next((line for line, entrant in seats.items() if players.count(entrant) == 1), named)


def read_with_seats(plays: "QuerySet[Any]", *columns: str) -> Iterator[tuple[tuple[Any, ...], dict[str, int]]]:
    """Yield for each play a pair: the values of these columns, and the ids of the entrants there by line."""
    for row in plays.values_list(*columns, *ALL_SEAT_COLUMNS):
        yield row[: len(columns)], name_seats_by_line(row[len(columns) :])


def make_seat_columns(entrants: Iterable[int]) -> dict[str, int]:
    """Return the ids of four entrants by column name. `entrants` has the ids in the order of LINES."""
    return dict(zip(SEAT_COLUMNS, entrants, strict=True))


def name_seat_columns(seats: Mapping[str, int]) -> dict[str, int | None]:
    """Return the ids of all seat columns by name, None for an empty seat. `seats` has the entrants' ids by seat."""
    return {column: seats.get(seat) for seat, column in zip(SEATS, ALL_SEAT_COLUMNS, strict=True)}


def read_row_seats(row: Mapping[str, Any]) -> tuple[int | None, ...]:
    """Return the ids of the entrants in the seat columns of a play's row, in the order of SEATS."""
    return tuple(row[column] for column in ALL_SEAT_COLUMNS if column in row)


def list_seated(row: Mapping[str, Any]) -> list[int]:
    """Return the ids of the entrants in the seat columns of a play's row."""
    return [pk for pk in read_row_seats(row) if pk is not None]


def reseat(row: Mapping[str, Any], ids: Mapping[int, int]) -> dict[str, Any]:
    """Return a copy of the play's row in which each entrant's id is replaced by its value in `ids`, if it has one."""
    return {**row, **{column: ids.get(row[column], row[column]) for column in ALL_SEAT_COLUMNS if column in row}}


def seat_entrants(plays: Iterable[Model], entrants: Mapping[int, Model]) -> None:
    """Set the entrants of each play from `entrants`, which has them by id. Reading them then takes no query."""
    seats = None
    for play in plays:
        seats = seats or [(play._meta.get_field(seat), f"{seat}_id") for seat in ALL_SEAT_FIELDS]
        for field, column in seats:
            if (pk := getattr(play, column)) is not None:
                field.set_cached_value(play, entrants[pk])  # type: ignore[union-attr]
