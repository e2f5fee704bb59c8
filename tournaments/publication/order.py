"""In what order a ranking lists its players, who shares a rank with somebody, and who stands on its podium."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

PLACES = 3
MOST_ON_PODIUM = 6  # where more share the first ranks, naming them all tells nothing


class Ranked(Protocol):
    @property
    def rank(self) -> int | None: ...


Row = TypeVar("Row", bound=Ranked)
Anybody = TypeVar("Anybody")


class Sort(NamedTuple):
    """By which column, and which way."""

    column: str
    descending: bool

    def __str__(self) -> str:
        return f"-{self.column}" if self.descending else self.column

    @property
    def turned(self) -> "Sort":
        return self._replace(descending=not self.descending)


def read_sort(text: str, columns: Collection[str]) -> Sort | None:
    """ "-attack" is by attack, the highest first; None for what is no column."""
    column = text.removeprefix("-")
    return Sort(column, text != column) if column in columns else None


def sorts_of(columns: Iterable[str]) -> set[str]:
    """Everything that an address may ask of these columns."""
    return {f"{sign}{column}" for column in columns for sign in ("", "-")}


def arrange(rows: Iterable[Row], value_of: Callable[[Row], Any], *, descending: bool) -> list[Row]:
    """Equals keep their order; who has no such figure comes after who has, and the unranked last, whichever the way."""
    listed = list(rows)
    told = [row for row in listed if value_of(row) is not None]
    untold = [row for row in listed if value_of(row) is None]
    told.sort(key=value_of, reverse=descending)
    return sorted(told + untold, key=lambda row: row.rank is None)


def shared_ranks(ranks: Iterable[int | None]) -> set[int]:
    """The ranks that several hold."""
    return {rank for rank, holders in Counter(ranks).items() if rank is not None and holders > 1}


def podium_of(rows: Sequence[Row]) -> list[Row]:
    """The first three in the order of their ranks, fewer or more where ranks are shared."""
    return choose_podium(rows, lambda row: row.rank)


def choose_podium(rows: Iterable[Anybody], rank_of: Callable[[Anybody], int | None]) -> list[Anybody]:
    """Return who holds the ranks 1 to 3, in their order: whole ranks from the first on, as long as six stand there at
    most. Where so many share the second rank, the first still stands there; nobody does where so many share the first.
    """
    held = [(rank, row) for row in rows if (rank := rank_of(row)) is not None and rank <= PLACES]
    held.sort(key=lambda one: one[0])
    while len(held) > MOST_ON_PODIUM:
        last = held[-1][0]
        held = [(rank, row) for rank, row in held if rank != last]
    return [row for _rank, row in held]
