"""The seats that face each other at a table, and the order in which a table names its two teams.

Mostly the team North-South stands first. In a position in which a team sits at several tables, one team attacks every
étui of a table. There all tables name their teams by attack and defence.

The functions are pure: they know only the names of the seats, in their order.
"""

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple, TypeVar

from scoring.plays import NORTH_SOUTH
from scoring.teams import find_line


def find_facing(seats: Sequence[str]) -> dict[str, str]:
    """Return the opposite seat of each seat. `seats` are the taken seats, in their order around the table.

    If the number of seats is odd, two seats are opposite: the one that comes first is returned.
    """
    half = len(seats) // 2
    return {seat: seats[(place + half) % len(seats)] for place, seat in enumerate(seats)}


T = TypeVar("T")


class TeamTable(NamedTuple):
    """A table in a position, with the ids of its two teams."""

    position: int
    table: int
    teams: frozenset[int]


def find_parted(tables: Iterable[TeamTable]) -> Set[int]:
    """Return the positions in which a team sits at several tables. A table may be named more than once."""
    often = Counter((each.position, team) for each in set(tables) for team in each.teams)
    return {position for (position, _team), count in often.items() if count > 1}


def order_teams(attacking: T, defending: T, taker: str, *, parted: bool) -> tuple[T, T]:
    """Return the two teams of an étui, first the one that the table names first. `taker` is the seat of the taker."""
    return (attacking, defending) if parted or find_line(taker) == NORTH_SOUTH else (defending, attacking)
