"""The choice of the players with percentages who are ranked. Their ranks are computed elsewhere."""

from collections.abc import Hashable, Mapping, Set
from enum import StrEnum
from typing import Any


class UnrankedReason(StrEnum):
    """The reasons for which a player with percentages has no rank."""

    FILLER = "filler"  # the player only completes a table
    SUBSTITUTE = "substitute"  # the player took over a seat, and the tournament does not rank substitutes
    SHARE = "share"  # the player has played too few deals


def find_unranked(
    deals: Mapping[Any, int],
    *,
    least_share: int = 0,
    fillers: Set[Hashable] = frozenset(),
    substitutes: Set[Hashable] = frozenset(),
) -> dict[Any, UnrankedReason]:
    """Return the reason for each unranked player. `deals` has the number of notes of each player.

    `substitutes` are all unranked. A player's share is the number of the player's deals, in per cent of the deals of
    the player who has most. So it does not fall when others begin étuis that the player has still to play, and an étui
    annulled for all players reduces no share.
    """
    most = max(deals.values(), default=0)
    reasons: dict[Any, UnrankedReason] = {}
    for player, count in deals.items():
        if player in fillers:
            reasons[player] = UnrankedReason.FILLER
        elif player in substitutes:
            reasons[player] = UnrankedReason.SUBSTITUTE
        elif 100 * count < least_share * most:
            reasons[player] = UnrankedReason.SHARE
    return reasons
