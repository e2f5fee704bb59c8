"""The order in which a table names its two teams: by line, or by attack and defence. Pure functions.

Mostly the team North-South stands first. In a position in which a team sits at several tables, one team attacks every
étui of a table. There all tables name their teams by attack and defence.
"""

from collections import Counter
from collections.abc import Iterable, Set
from typing import NamedTuple, TypeVar

from scoring.plays import NORTH_SOUTH
from scoring.teams import find_line

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
