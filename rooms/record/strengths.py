"""The strengths of those who play alone in rooms, from their mean notes, and how sure they are.

All tables of a room play the same étuis, and a note compares a table with the others. So the mean note of a table, less
50, has two parts. One is the strength of its player less the mean strength in the room, the other is chance. That makes
a rating more than the mean: 55 % among strong players is worth more than among weak ones. The three bots are the same
for everybody.

The strengths are those that explain all means best, by least squares. A prior draws them to 0, as in `scoring.rating`:
the same prior, the same weights of days. Sums have a fixed order, and the number of passes is fixed.
"""

from collections import defaultdict
from collections.abc import Iterable
from math import fsum, sqrt
from typing import NamedTuple

from scoring.rating.players import DIGITS, NORMAL, find_groups, weigh_day

SPREAD = 5.0  # the standard deviation of the prior, in points of %
PASSES = 60


class RoomTableMean(NamedTuple):
    """A table of a room: the player's id, the mean note from 0 to 100, and the number of notes."""

    player: int
    mean: float
    deals: int


class RatedRoom(NamedTuple):
    """The tables of a room. `day` is the number of the day on which it was played."""

    day: int
    tables: tuple[RoomTableMean, ...]


class Strength(NamedTuple):
    """The strength of a player in points of %. The fields are as in `scoring.rating.players.PlayerRating`."""

    figure: float
    within: float
    deals: int
    group: int


def find_strengths_in_rooms(rooms: Iterable[RatedRoom]) -> dict[int, Strength]:
    """Return the strength of each player, by id. Rooms with fewer than two tables are left out.

    A player may have several tables in a room: bots have.
    """
    compared = sorted(room._replace(tables=tuple(sorted(room.tables))) for room in rooms if len(room.tables) > 1)
    if not compared:
        return {}
    newest = max(room.day for room in compared)
    weights = [weigh_day(newest - room.day) for room in compared]
    noise = measure_noise(compared, weights)
    strengths: dict[int, float] = defaultdict(float)
    precision: dict[int, float] = {}
    for _pass in range(PASSES):
        sums: defaultdict[int, list[float]] = defaultdict(list)
        parts: defaultdict[int, list[float]] = defaultdict(list)
        for room, weight in zip(compared, weights, strict=True):
            middle = fsum(table.deals * strengths[table.player] for table in room.tables) / count_deals(room)
            for table in room.tables:
                sums[table.player].append(weight * table.deals * (table.mean - 50 + middle))
                parts[table.player].append(weight * table.deals)
        precision = {player: fsum(each) + noise / SPREAD**2 for player, each in parts.items()}
        strengths = defaultdict(float, {player: fsum(each) / precision[player] for player, each in sums.items()})
    deals: defaultdict[int, int] = defaultdict(int)
    for room in compared:
        for table in room.tables:
            deals[table.player] += table.deals
    groups = find_groups([[table.player for table in room.tables]] for room in compared)
    return {
        player: Strength(
            round(strengths[player], DIGITS),
            round(NORMAL * sqrt(noise / precision[player]), DIGITS),
            deals[player],
            groups[player],
        )
        for player in sorted(precision)
    }


def count_deals(room: RatedRoom) -> int:
    """Return the number of notes of all tables of a room."""
    return sum(table.deals for table in room.tables)


def measure_noise(rooms: list[RatedRoom], weights: list[float]) -> float:
    """Return the variance of a note: nearly all of it is chance."""
    squares = [
        (weight * table.deals * (table.mean - 50) ** 2, weight)
        for room, weight in zip(rooms, weights, strict=True)
        for table in room.tables
    ]
    return max(fsum(square for square, _weight in squares) / fsum(weight for _square, weight in squares), 1.0)
