"""The reasons for which a player with percentages has no rank. The ranks are computed in `scoring.ranking`."""

from collections.abc import Hashable, Mapping, Set
from enum import StrEnum
from typing import Any


class UnrankedReason(StrEnum):
    """The reasons for which a player with percentages has no rank."""

    FILLER = "filler"  # the player only completes a table
    SUBSTITUTE = "substitute"  # the player took over a seat, and the tournament does not rank substitutes
    SHARE = "share"  # the player has played too few deals
    LOOKED = "looked"  # the player saw cards of a simultaneous beforehand


def find_unranked(
    deals: Mapping[Any, int],
    *,
    least_share: int = 0,
    fillers: Set[Hashable] = frozenset(),
    substitutes: Set[Hashable] = frozenset(),
    most: int = 0,
) -> dict[Any, UnrankedReason]:
    """Return the reason for each unranked player.

    `deals`: the number of notes of each player. `fillers` and `substitutes` are never ranked. Nor is a player with too
    few deals: fewer than `least_share` per cent of the largest number of deals that a player has. `most` is the number
    of a player who may be missing in `deals`.

    Only the notes of players count for this share, not the étuis that have begun. So a player's share does not fall
    when other tables begin an étui earlier, or when an étui is annulled for everybody.
    """
    most = max([most, *deals.values()])
    reasons: dict[Any, UnrankedReason] = {}
    for player, count in deals.items():
        if player in fillers:
            reasons[player] = UnrankedReason.FILLER
        elif player in substitutes:
            reasons[player] = UnrankedReason.SUBSTITUTE
        elif 100 * count < least_share * most:
            reasons[player] = UnrankedReason.SHARE
    return reasons
