"""The reasons for which a player with percentages has no rank. The ranks are computed in `scoring.ranking`."""

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
    """Return the reason for each unranked player.

    `deals`: the number of notes of each player. `fillers` and `substitutes` are never ranked. A player with fewer deals
    than `least_share` per cent of the deals of the player who has most is not ranked either.

    Deals that others have begun do not count for this share. So it does not fall when other tables begin étuis that the
    player plays later, and an étui annulled for everybody lowers nobody's share.
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
