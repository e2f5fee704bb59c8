"""Knows who of those who have percentages is ranked; not how."""

from collections.abc import Hashable, Mapping, Set
from enum import StrEnum
from typing import Any


class Unranked(StrEnum):
    """Why a player with percentages has no rank."""

    FILLER = "filler"  # he only completes a table
    SUBSTITUTE = "substitute"  # he took a seat over, and the tournament does not rank who does
    SHARE = "share"  # he has played too few deals


def find_unranked(
    deals: Mapping[Any, int],
    *,
    least_share: int = 0,
    fillers: Set[Hashable] = frozenset(),
    substitutes: Set[Hashable] = frozenset(),
) -> dict[Any, Unranked]:
    """Who of those with so many notes is unranked, and why. `substitutes` are those who are not to be ranked.

    A player's share, in per cent, is of the deals of whoever has most. So nobody's falls because others have begun the
    étuis that he still has to play, and an étui that is annulled for all costs nobody anything.
    """
    most = max(deals.values(), default=0)
    reasons: dict[Any, Unranked] = {}
    for player, count in deals.items():
        if player in fillers:
            reasons[player] = Unranked.FILLER
        elif player in substitutes:
            reasons[player] = Unranked.SUBSTITUTE
        elif 100 * count < least_share * most:
            reasons[player] = Unranked.SHARE
    return reasons
