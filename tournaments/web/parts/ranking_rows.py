"""The rows of rankings: their ranks, the decimals that tell neighbours apart, where a new group begins."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from texts.decimals import round_half
from tournaments.publication.order import shared_ranks

Person = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RankingRow:
    """A player's row. `places`: decimals that tell it from its neighbours. `shared`: others have the same rank."""

    player: Person
    rank: int | None
    places: int
    found: bool
    shared: bool
    opens_group: bool

    @property
    def figure(self) -> Fraction | None:
        """The figure by which the player is ranked: the overall percentage, or in a tournament the total."""
        value: Fraction | None = self.player["overall" if "overall" in self.player else "total"]
        return value

    @property
    def is_first(self) -> bool:
        return self.rank is not None and self.rank <= 3

    @property
    def is_noted(self) -> bool:
        """True if a note stands beside the name: unranked, by lot, or a penalty."""
        return bool(self.player["unranked"] or self.player.get("told") or self.player["penalty"])

    @property
    def classes(self) -> str:
        """The classes of the row in its table. See ranking.css."""
        told = {"is-me": self.found, "is-first": self.is_first, "opens-group": self.opens_group}
        return " ".join(name for name, holds in told.items() if holds)


Placed = list[tuple[int | None, Person]]


def place_ranked(players: Sequence[Person], rank: str) -> Placed:
    return [(player[rank], player) for player in players]


Opens = Callable[[Person, Person], bool]


def opens_alterne(before: Person, player: Person) -> bool:
    """Return whether a new group begins: the firsts of the lines, the seconds, and so on, then the unranked."""
    return bool(before["rank_line"] != player["rank_line"]) or opens_unranked(before, player)


def opens_unranked(before: Person, player: Person) -> bool:
    return player["rank_general"] is None and before["rank_general"] is not None


def opens_others(before: Person, player: Person) -> bool:
    """Return whether the players who are not in the final begin here."""
    return bool(before["in_final"] and not player["in_final"])


def place_rows(placed: Placed, figure: str = "overall", opens: Opens = lambda *_: False) -> list[RankingRow]:
    places = decimals([player[figure] for _rank, player in placed])
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
    """Return the number of decimals for each value: one, or two if it would read the same as a different neighbour."""
    places = [1] * len(values)
    for index, (one, other) in enumerate(pairwise(values)):
        if one is not None and other is not None and one != other and tenths(one) == tenths(other):
            places[index] = places[index + 1] = 2
    return places


def tenths(value: Fraction) -> int:
    return round_half(value, 1)
