"""The rows of rankings: their ranks, how many decimals each figure needs, and where a new group begins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from rankings.publication.order import shared_ranks
from rankings.ranking import RankedRow
from wording.figures import round_half


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A player's row in a ranking.

    `places` is the number of decimals with which the row's figure is shown. `found` is true if the reader looks for
    this player. `shared` is true if others have the same rank, `opens_group` if a new group of rows begins here.
    """

    player: RankedRow
    rank: int | None
    places: int
    found: bool
    shared: bool
    opens_group: bool

    @property
    def figure(self) -> Fraction | None:
        """The figure by which the player is ranked: the overall percentage, or in a tournament the total."""
        return self.player.figure

    @property
    def is_first(self) -> bool:
        return self.rank is not None and self.rank <= 3

    @property
    def classes(self) -> str:
        """The CSS classes of the row, separated by spaces. See ranking.css."""
        told = {"is-me": self.found, "is-first": self.is_first, "opens-group": self.opens_group}
        return " ".join(name for name, holds in told.items() if holds)


Placed = list[tuple[int | None, RankedRow]]


def place_ranked(players: Sequence[RankedRow], rank: str) -> Placed:
    return [(getattr(player, rank), player) for player in players]


Opens = Callable[[Any, Any], bool]


def opens_alterne(before: RankedRow, player: RankedRow) -> bool:
    """Return whether `player` begins a new group of the classement alterné.

    The first group has the best player of each line, the second group the second best, and so on. The last group has
    the unranked players.
    """
    return before.rank_line != player.rank_line or opens_unranked(before, player)


def opens_unranked(before: RankedRow, player: RankedRow) -> bool:
    return player.rank_general is None and before.rank_general is not None


def opens_others(before: RankedRow, player: RankedRow) -> bool:
    """Return whether a new group begins with `player`: `before` is in the final, and `player` is not."""
    return before.in_final and not player.in_final


def place_rows(placed: Placed, opens: Opens = lambda *_: False) -> list[RankingRow]:
    places = decimals([player.figure for _rank, player in placed])
    shared = shared_ranks(rank for rank, _player in placed)
    return [
        RankingRow(
            player,
            rank,
            places[index],
            found=False,
            shared=rank in shared,
            opens_group=opens(placed[index - 1][1] if index else player, player),
        )
        for index, (rank, player) in enumerate(placed)
    ]


def decimals(values: Sequence[Fraction | None]) -> list[int]:
    """Return the number of decimals for each value: two if one would make it look equal to a neighbour, else one."""
    places = [1] * len(values)
    for index, (one, other) in enumerate(pairwise(values)):
        if one is not None and other is not None and one != other and round_half(one, 1) == round_half(other, 1):
            places[index] = places[index + 1] = 2
    return places
