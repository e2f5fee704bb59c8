"""The cut between two rounds of a tournament: which ranked players go on to the next round.

The rows come from one published ranking. Nothing here depends on the unit of its figures.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple


class CutTies(StrEnum):
    """The ways to choose between equal players at the last place of a cut."""

    ALL = "all"
    LAST = "last"
    DRAW = "draw"


class CutState(StrEnum):
    """The result of a cut for a ranked player."""

    IN = "in"
    MOVED_UP = "moved_up"
    WITHDRAWN = "withdrawn"
    OUT = "out"


class PlacedPlayer(NamedTuple):
    """A player of the published ranking. `last` is the result in the last session, or None without one."""

    player: int
    rank: int
    last: Fraction | None = None


@dataclass(frozen=True, slots=True)
class CutRules:
    """The rules of a cut.

    - `places`: the number of players who go on, without equal players who are all let in.
    - `ties`: by LAST, the better result in the last session goes on; players who are equal there too all go on. By
      DRAW, lots decide.
    - `lot`: the random text that was drawn; the lots follow from it, so that everybody can check them.
    """

    places: int
    ties: CutTies = CutTies.ALL
    lot: str = ""


class CutLine(NamedTuple):
    """A line of the list of a cut. `is_equal` is True for the players whose rank the line of the cut divides or meets.

    A player alone at the last rank is not equal to anybody.
    """

    player: int
    rank: int
    state: CutState
    is_equal: bool


def draw_number(lot: str, player: int) -> str:
    """Return the lot of a player, as text that is compared. The lowest goes on first."""
    return hashlib.sha256(f"{lot} {player}".encode()).hexdigest()


def make_cut(ranked: Iterable[PlacedPlayer], rules: CutRules, withdrawn: Collection[int] = ()) -> tuple[CutLine, ...]:
    """Return the list of a cut, in the order in which players go on.

    `withdrawn` has the ids of players who do not go on: for each of them the next player moves up. The order of
    `ranked` does not matter. Raise ValueError for a cut without places, and for a player who has two ranks.
    """
    rows = list(ranked)
    if rules.places < 1:
        raise ValueError("a cut has one place at least")
    if len({row.player for row in rows}) < len(rows):
        raise ValueError("a player has one rank")

    def order(row: PlacedPlayer) -> tuple[int, bool, Fraction, str]:
        by_last, by_draw = rules.ties is CutTies.LAST, rules.ties is CutTies.DRAW
        last = row.last if by_last else None
        lot = draw_number(rules.lot, row.player) if by_draw else ""
        return row.rank, by_last and last is None, -(last or Fraction()), lot

    rows.sort(key=lambda row: (order(row), row.player))
    gone = set(withdrawn)
    present = [row for row in rows if row.player not in gone]
    first, now = rows[: rules.places], present[: rules.places]
    last_rank = now[-1].rank if now else 0
    has_equals = sum(row.rank == last_rank for row in present) > 1

    def find_state(row: PlacedPlayer) -> CutState:
        if row.player in gone:
            return CutState.WITHDRAWN
        if not now or order(row) > order(now[-1]):
            return CutState.OUT
        return CutState.IN if order(row) <= order(first[-1]) else CutState.MOVED_UP

    return tuple(CutLine(row.player, row.rank, find_state(row), has_equals and row.rank == last_rank) for row in rows)
