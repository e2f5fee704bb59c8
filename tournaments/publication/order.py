"""The order in which a ranking lists its players, the ranks that are shared, and the podium."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

PLACES = 3
MOST_ON_PODIUM = 6  # if more share the first ranks, naming them all says nothing


class RankedRow(Protocol):
    @property
    def rank(self) -> int | None: ...


Row = TypeVar("Row", bound=RankedRow)
Anybody = TypeVar("Anybody")


class Sort(NamedTuple):
    """A column to sort by, and the direction."""

    column: str
    descending: bool

    def __str__(self) -> str:
        return f"-{self.column}" if self.descending else self.column

    @property
    def turned(self) -> "Sort":
        return self._replace(descending=not self.descending)


def read_sort(text: str, columns: Collection[str]) -> Sort | None:
    """Return the sort that a text means, or None if it is no column: "-attack" is by attack, the highest first."""
    column = text.removeprefix("-")
    return Sort(column, text != column) if column in columns else None


def sorts_of(columns: Iterable[str]) -> set[str]:
    """Return every sort that an address may ask for these columns."""
    return {f"{sign}{column}" for column in columns for sign in ("", "-")}


def arrange(rows: Iterable[Row], value_of: Callable[[Row], Any], *, descending: bool) -> list[Row]:
    """Return the rows sorted. Equal rows keep their order.

    In both directions, rows without the figure come after those with it, and unranked rows come last.
    """
    listed = list(rows)
    told = [row for row in listed if value_of(row) is not None]
    untold = [row for row in listed if value_of(row) is None]
    told.sort(key=value_of, reverse=descending)
    return sorted(told + untold, key=lambda row: row.rank is None)


def shared_ranks(ranks: Iterable[int | None]) -> set[int]:
    """Return the ranks that several rows have."""
    return {rank for rank, holders in Counter(ranks).items() if rank is not None and holders > 1}


def find_podium_rows(rows: Sequence[Row]) -> list[Row]:
    """Return the first three in the order of their ranks; fewer or more if ranks are shared."""
    return choose_podium(rows, lambda row: row.rank)


def choose_podium(rows: Iterable[Anybody], rank_of: Callable[[Anybody], int | None]) -> list[Anybody]:
    """Return the rows of the ranks 1 to 3, in order: whole ranks from the first on, while these are six rows at most.

    If too many share the second rank, only the first is there; if too many share the first, nobody is.
    """
    held = [(rank, row) for row in rows if (rank := rank_of(row)) is not None and rank <= PLACES]
    held.sort(key=lambda one: one[0])
    while len(held) > MOST_ON_PODIUM:
        last = held[-1][0]
        held = [(rank, row) for rank, row in held if rank != last]
    return [row for _rank, row in held]
