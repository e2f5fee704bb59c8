"""Who sits where, with which étuis, in each position: the cyclic movement that an arbiter can announce.

Pure. Knows numbers only, the starting numbers of each line, not the players who hold them. Counts that the cyclic rule
cannot serve are refused with the nearest that it can.

A movement is *perfect* when two players of different lines sit together at most once and nobody plays an étui twice.
"""

from dataclasses import dataclass
from math import gcd
from typing import ClassVar, NamedTuple

from wording import Coded, Texts
from wording import gettext_noop as _

LINES = ("N", "E", "S", "W")
MAX_TABLES = 199  # one prime, so that whatever is asked below it has a larger count that works
MAX_ETUIS_PER_POSITION = 24


class MovementError(Coded, ValueError):
    """The movement asked for does not exist by this rule: a `code` and the `params` of its message."""

    messages: ClassVar[Texts] = {
        "tables": _("A movement has 1 to %(most)s tables, not %(found)s: change the number of players."),
        "positions": _("A movement has 1 to %(most)s positions, not %(found)s: change the positions."),
        "etuis": _("A table plays 1 to %(most)s étuis a position, not %(found)s: change the étuis a position."),
        "incomplete": _(
            "Tables: %(tables)s. The cyclic movement then ends after position %(most)s: play at most %(most)s,"
            " or play with %(below)s or %(above)s tables."
        ),
        "incomplete_few": _(
            "Tables: %(tables)s. The cyclic movement then ends after position %(most)s: play at most %(most)s,"
            " or play with %(above)s tables."
        ),
        "too_many_positions": _(
            "Tables: %(tables)s. Players would meet again after position %(most)s, and %(positions)s are wanted:"
            " play %(most)s, or play with %(below)s or %(above)s tables."
        ),
        "too_few_tables": _(
            "Tables: %(tables)s. Players would meet again after position %(most)s, and %(positions)s are wanted:"
            " play %(most)s, or play with %(above)s tables."
        ),
    }

    def __init__(self, code: str, **params: int) -> None:
        self.code = code
        self.params = params
        super().__init__(code, params)


class Shifts(NamedTuple):
    """How many tables each class moves up after every position; a negative number moves down."""

    north: int
    east: int
    south: int
    west: int
    etuis: int


CYCLIC = Shifts(north=0, east=1, south=2, west=3, etuis=-1)


@dataclass(frozen=True, slots=True)
class Seating:
    """One table in one position: its étuis and the starting number, from 1, of the player of each line."""

    position: int
    table: int
    set_index: int
    etuis: tuple[int, ...]
    north: int
    east: int
    south: int
    west: int

    @property
    def players(self) -> tuple[int, int, int, int]:
        """The starting numbers in the order of LINES."""
        return self.north, self.east, self.south, self.west


@dataclass(frozen=True, slots=True)
class Movement:
    """A whole plan: `tables` × `positions` seatings, position by position, table by table.

    `shifts` is what the arbiter announces, None for a plan that no such sentence describes.
    """

    tables: int
    positions: int
    etuis_per_position: int
    plays: tuple[Seating, ...]
    shifts: Shifts | None = None


def most_positions(tables: int) -> int:
    """How many positions the cyclic movement stays perfect for.

    Two classes whose shifts differ by k are side by side again after tables / gcd(tables, k) positions, and the shifts
    of N, E, S, W and the étuis differ by 1, 2, 3 and 4.
    """
    return tables // max(gcd(tables, k) for k in range(1, 5))


def cyclic(tables: int, positions: int | None = None, etuis_per_position: int = 4) -> Movement:
    """North stays, East moves up one table a position, South two, West three; the étuis go down one (FFT 2012).

    In position 1 number t of each line and étui set t are at table t; set s has the étuis (s−1)·k+1 … s·k. Without
    `positions`, all of them: every player then meets every étui. `MovementError` where the rule does not reach so far.
    """
    if not 1 <= tables <= MAX_TABLES:
        raise MovementError("tables", found=tables, most=MAX_TABLES)
    if positions is None:
        if most_positions(tables) < tables:
            raise _incomplete(tables)
        positions = tables
    if not 1 <= positions <= MAX_TABLES:
        raise MovementError("positions", found=positions, most=MAX_TABLES)
    if not 1 <= etuis_per_position <= MAX_ETUIS_PER_POSITION:
        raise MovementError("etuis", found=etuis_per_position, most=MAX_ETUIS_PER_POSITION)
    if positions > most_positions(tables):
        raise _beyond(tables, positions)
    k = etuis_per_position
    plays = []
    for step in range(positions):
        for table in range(tables):
            north, east, south, west, etuis = ((table - step * shift) % tables for shift in CYCLIC)
            plays.append(
                Seating(
                    position=step + 1,
                    table=table + 1,
                    set_index=etuis + 1,
                    etuis=tuple(range(etuis * k + 1, etuis * k + k + 1)),
                    north=north + 1,
                    east=east + 1,
                    south=south + 1,
                    west=west + 1,
                )
            )
    return Movement(tables, positions, k, tuple(plays), CYCLIC)


def _incomplete(tables: int) -> MovementError:
    complete = [count for count in range(5, MAX_TABLES + 1) if most_positions(count) == count]
    params = {"tables": tables, "most": most_positions(tables), "above": min(n for n in complete if n > tables)}
    below = max((count for count in complete if count < tables), default=None)
    if below is None:
        return MovementError("incomplete_few", **params)
    return MovementError("incomplete", below=below, **params)


def _beyond(tables: int, positions: int) -> MovementError:
    serving = [count for count in range(1, MAX_TABLES + 1) if most_positions(count) >= positions]
    above = min(count for count in serving if count > tables)
    params = {"tables": tables, "positions": positions, "most": most_positions(tables), "above": above}
    below = max((count for count in serving if count < tables), default=None)
    if below is None:
        return MovementError("too_few_tables", **params)
    return MovementError("too_many_positions", below=below, **params)
