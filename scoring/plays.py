"""A play for the ranking: one étui at one table, with the competitor of each seat. Its score is computed elsewhere.

A *competitor* has notes and a rank, and is a player or a team. A competitor may hold several seats of a play.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeVar

from scoring.fixed import FixedNote


class Line(StrEnum):
    """An orientation, which a player keeps for the whole session."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"


T = TypeVar("T")
LINES = tuple(Line)  # a tuple, because to iterate over an enumeration takes ten times as long
FIFTH = "F"  # the seat of the fifth player. Not "5": JavaScript would put a digit first in an object
SEATS: tuple[str, ...] = (*LINES, FIFTH)

SeatNotes = tuple[Fraction | None, ...]
"""The notes of one play, in the order of SEATS: 0 to 100 where they are of a topage; None: the seat has none."""


def place_in_seats(by_seat: Mapping[str, T]) -> tuple[T | None, ...]:
    """Return the value of each seat in the order of SEATS, None for a seat without one.

    The fifth seat is included only if it has a value.
    """
    placed = tuple(by_seat.get(seat) for seat in SEATS)
    return placed if placed[-1] is not None else placed[:-1]


class ScoringPlay(NamedTuple):
    """One étui at one table.

    `etui`: plays with the same value are compared. The parts of an étui that was altered have different values.

    `base_score` is None if it is missing or the play is annulled: the play then counts nowhere.

    `seats`: the competitors in the order of SEATS, None where nobody sits. `taker`: the seat that took; None, with a
    base score of 0, if everybody passed in a free auction. `fixed`: by seat, the notes that the arbiter has fixed in
    place of those of the topage, None for the others; empty if there is none. A play that is not `compared` is in no
    topage, and has no other notes.
    """

    etui: Hashable
    seats: tuple[Hashable, ...]
    taker: str | None
    base_score: int | None
    fixed: tuple[FixedNote | None, ...] = ()
    compared: bool = True

    @property
    def by_seat(self) -> dict[str, Hashable]:
        """The competitors at the table, by the names of their seats."""
        return {seat: who for seat, who in zip(SEATS, self.seats, strict=False) if who is not None}


def list_counted_seats(seats: Sequence[Hashable], taker: str | None) -> Iterable[tuple[int, Hashable]]:
    """Return the places whose notes count, with their competitors.

    Each competitor has one place, even with several seats: the taker's seat if the competitor holds it, otherwise the
    first seat of the competitor.
    """
    if len({*seats, None}) > len(seats):  # nobody is missing, and nobody holds two seats
        return enumerate(seats)
    counted: dict[Hashable, int] = {}
    for place, competitor in enumerate(seats):
        if competitor is not None and (competitor not in counted or SEATS[place] == taker):
            counted[competitor] = place
    return [(place, competitor) for competitor, place in counted.items()]
