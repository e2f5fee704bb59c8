"""The points of an event for its ranks: by a table of the club, by place, or from 100 to 0.

Players who share a rank share the points of their places: each gets the mean. All points are exact.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

ALONE = Fraction(50)  # from 100 to 0, the points of the only player of an event (a house rule)


class PointScale(StrEnum):
    """The ways in which a rank gives points.

    TABLE: the club's own numbers. PLACES: with n ranked players, the first gets n and the last 1. HUNDRED: the first
    gets 100 and the last 0.
    """

    TABLE = "table"
    PLACES = "places"
    HUNDRED = "hundred"


@dataclass(frozen=True, slots=True)
class PointRules:
    """The rules that turn ranks into points.

    `table` has the points of rank 1, 2, 3 …; a rank that it does not have gets 0. `presence` is added for everybody who
    played, with or without a rank. Raise `ValueError` for negative points, or if a table is missing or not used.
    """

    scale: PointScale
    table: Sequence[Fraction] = ()
    presence: Fraction = Fraction()

    def __post_init__(self) -> None:
        if (self.scale is PointScale.TABLE) != bool(self.table):
            raise ValueError("a table of points is given exactly if the points come from a table")
        if self.presence < 0 or any(points < 0 for points in self.table):
            raise ValueError("points are not negative")


def give_points(ranks: Mapping[Any, int | None], rules: PointRules) -> dict[Any, Fraction]:
    """Return the points of each player of an event. `ranks` has None for a player without a rank.

    Ranks count the players above: after two players of rank 1 comes rank 3. Raise `ValueError` for other ranks.
    """
    shared = Counter(rank for rank in ranks.values() if rank is not None)
    ranked = sum(shared.values())
    expected = 1
    for rank in sorted(shared):
        if rank != expected:
            raise ValueError(f"rank {rank} follows {expected - 1} players")
        expected += shared[rank]
    by_rank = {
        rank: sum((score_place(place, ranked, rules) for place in range(rank, rank + many)), Fraction()) / many
        for rank, many in shared.items()
    }
    return {player: rules.presence + (Fraction() if rank is None else by_rank[rank]) for player, rank in ranks.items()}


def score_typed_ranks(ranks: Mapping[Any, int], rules: PointRules) -> dict[Any, Fraction]:
    """Return the points of some players of an event by their ranks, without the points for presence.

    Players of one rank share the points of their places. Raise `ValueError` if the points do not come from a table:
    other scales need the number of players of the event.
    """
    if rules.scale is not PointScale.TABLE:
        raise ValueError("only a table gives points to a rank without the number of players")
    shared = Counter(ranks.values())
    by_rank = {
        rank: sum((score_place(place, 0, rules) for place in range(rank, rank + many)), Fraction()) / many
        for rank, many in shared.items()
    }
    return {player: by_rank[rank] for player, rank in ranks.items()}


def score_place(place: int, ranked: int, rules: PointRules) -> Fraction:
    """Return the points of a place, counted from 1, among so many ranked players."""
    if rules.scale is PointScale.TABLE:
        return Fraction(rules.table[place - 1]) if place <= len(rules.table) else Fraction()
    if rules.scale is PointScale.PLACES:
        return Fraction(ranked - place + 1)
    return Fraction(100 * (ranked - place), ranked - 1) if ranked > 1 else ALONE


def find_unscored(ranked: int, rules: PointRules) -> range:
    """Return the ranks of an event with so many players that the club's table does not have: they get 0."""
    return range(len(rules.table) + 1, ranked + 1) if rules.scale is PointScale.TABLE else range(0)
