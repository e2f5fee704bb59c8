"""A play as the ranking needs it: one étui at one table, with its base score and the competitor of each seat.

A competitor is a player, or a team that may hold several seats of a play. Competitors get notes and a rank.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple, TypeVar

from scoring.errors import ScoringError
from scoring.notes import FixedNote


class Line(StrEnum):
    """An orientation: North, East, South or West. A player keeps it for the whole session."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"


T = TypeVar("T")
NORTH_SOUTH, EAST_WEST = "NS", "EW"  # the lines of teams that always sit the same way
LINES = tuple(Line)  # a tuple, because a loop over an enumeration takes ten times as long
FIFTH = "F"  # the seat of the fifth player. Not "5": JavaScript puts keys that are digits first
SEATS: tuple[str, ...] = (*LINES, FIFTH)

SeatNotes = tuple[Fraction | None, ...]
"""The notes of one play in the order of SEATS, from 0 to 100 in a topage. None for a seat without a note."""


def place_in_seats(by_seat: Mapping[str, T]) -> tuple[T | None, ...]:
    """Return the values in the order of SEATS, with None for a seat without a value.

    The fifth seat is left out if it has no value.
    """
    placed = tuple(by_seat.get(seat) for seat in SEATS)
    return placed if placed[-1] is not None else placed[:-1]


class ScoringPlay(NamedTuple):
    """One étui at one table.

    - `etui`: plays with the same value are compared. If an étui was altered, the plays before and after have different
      values.
    - `seats`: the competitors in the order of SEATS, None for an empty seat and for one that rests.
    - `taker`: the seat that took. None, with a base score of 0, if everybody passed in a free auction.
    - `base_score`: None if it is missing or the play is annulled. Then the play counts nowhere.
    - `fixed`: the note that the arbiter has fixed for each seat, or None. Empty if no seat has one.
    - `compared`: if False, the play is not compared with others, and only fixed notes count.
    - `partner`: at five players the seat that the taker called. The taker's own seat means that the taker is alone.
    - `marks`: the marks of each seat in the order of SEATS, None for a seat without any. They come from the sheet of a
      game or from the arbiter, and take the place of a base score. Empty if the marks follow from the base score.
    - `deals`: how many deals the marks of a sheet are for.
    - `resting`: the seat that rests in the first deal of a sheet, which has its marks too. Empty if nobody rests.
    """

    etui: Hashable
    seats: tuple[Hashable, ...]
    taker: str | None
    base_score: int | None
    fixed: tuple[FixedNote | None, ...] = ()
    compared: bool = True
    partner: str | None = None
    marks: tuple[int | None, ...] = ()
    deals: int = 1
    resting: str = ""

    @property
    def players(self) -> int:
        """The number of those who play each deal."""
        return len(self.seats) - self.seats.count(None) - bool(self.resting)

    @property
    def is_scored(self) -> bool:
        """True if the play has a base score, or marks in its place."""
        return self.base_score is not None or bool(self.marks)

    @property
    def by_seat(self) -> dict[str, Hashable]:
        """The competitors at the table, by the name of their seat."""
        return {seat: who for seat, who in zip(SEATS, self.seats, strict=False) if who is not None}


def list_counted_seats(seats: Sequence[Hashable], taker: str | None) -> Iterable[tuple[int, Hashable]]:
    """Return the competitors of a play, each with the place of the seat whose note counts for them.

    A competitor with several seats is listed once: with the taker's seat if they hold it, otherwise with their first
    seat.
    """
    if len({*seats, None}) > len(seats):  # nobody is missing, and nobody holds two seats
        return enumerate(seats)
    counted: dict[Hashable, int] = {}
    for place, competitor in enumerate(seats):
        if competitor is not None and (competitor not in counted or SEATS[place] == taker):
            counted[competitor] = place
    return [(place, competitor) for competitor, place in counted.items()]


class Sides(NamedTuple):
    """The team that attacks in a play, and the team that defends."""

    attacking: Hashable
    defending: Hashable


def find_sides(play: ScoringPlay) -> Sides:
    """Return the attacking and the defending team of a play of teams.

    The team in the taker's seat attacks. Raise ScoringError unless one other team has the three other seats.
    """
    attacking = play.by_seat.get(play.taker or "")
    others = [who for line, who in zip(LINES, play.seats, strict=False) if line != play.taker]
    if len(play.seats) != len(LINES) or None in (attacking, *others) or len({*others}) != 1 or attacking in others:
        raise ScoringError("two_teams", "players", {"etui": play.etui})
    return Sides(attacking, others[0])
