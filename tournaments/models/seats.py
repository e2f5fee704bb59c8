"""The four columns of a play that say who sits where, as one tuple, for code that works on rows and queries.

Somebody who has a `Play` asks `Play.seats` or `Play.seat_ids`. The functions here do the same for queries and for rows
that are dicts by column. The models, and the modules that write and read rows of plays, import the columns themselves.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import attrgetter, or_
from typing import Any

from django.db.models import Model, Q, QuerySet

from deals.domain.cards import LINES

SEAT_FIELDS = ("north", "east", "south", "west")  # of a play, in the order of LINES
SEAT_COLUMNS = tuple(f"{seat}_id" for seat in SEAT_FIELDS)
read_seats = attrgetter(*SEAT_COLUMNS)


def name_seats_by_line(seated: Iterable[int | None]) -> dict[str, int]:
    """Return the entrants by line from the values of the columns, without empty seats."""
    return {line: entrant for line, entrant in zip(LINES, seated, strict=True) if entrant is not None}


def list_seat_paths(play: str = "") -> tuple[str, ...]:
    """Return the query path to the entrant of each seat. `play` is the path to the play, such as `play__`."""
    return tuple(f"{play}{seat}" for seat in SEAT_FIELDS)


def sits_at_play(entrant: Any, play: str = "") -> Q:
    """Return the condition that the entrant sits at the play. `play` is the path to the play, such as `play__`."""
    return reduce(or_, (Q((path, entrant)) for path in list_seat_paths(play)))


def read_with_seats(plays: "QuerySet[Any]", *columns: str) -> Iterator[tuple[tuple[Any, ...], dict[str, int]]]:
    """Yield these columns of each play, with the ids of the entrants who sit there by line."""
    for row in plays.values_list(*columns, *SEAT_COLUMNS):
        yield row[: len(columns)], name_seats_by_line(row[len(columns) :])


def make_seat_columns(entrants: Iterable[int]) -> dict[str, int]:
    """Return the columns of a row for the entrants of a complete table, given in the order of LINES."""
    return dict(zip(SEAT_COLUMNS, entrants, strict=True))


def list_seated(row: Mapping[str, Any]) -> list[int]:
    """Return the entrants who sit at the play of a row."""
    return [row[column] for column in SEAT_COLUMNS if row[column] is not None]


def reseat(row: Mapping[str, Any], ids: Mapping[int, int]) -> dict[str, Any]:
    """Return the row with other entrants on the seats of those whom `ids` names."""
    return {**row, **{column: ids.get(row[column], row[column]) for column in SEAT_COLUMNS}}


def seat_entrants(plays: Iterable[Model], entrants: Mapping[int, Model]) -> None:
    """Put the entrants on their seats, taken from `entrants` by id, so that no play asks the database for them."""
    seats = None
    for play in plays:
        seats = seats or [(play._meta.get_field(seat), f"{seat}_id") for seat in SEAT_FIELDS]
        for field, column in seats:
            if (pk := getattr(play, column)) is not None:
                field.set_cached_value(play, entrants[pk])  # type: ignore[union-attr]
