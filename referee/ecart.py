"""The écart: the cards that a taker may discard after taking the chien. Source: FFT 2012, the écart."""

from deals.domain.cards import CHIEN
from referee.bits import KEPT_FROM_ECART, TRUMPS
from scoring.values import Contract

TAKES_CHIEN = frozenset({Contract.PRISE, Contract.GARDE})


def find_discardable(hand: int, players: int) -> int:
    """Return the cards of hand and chien that may be discarded: no Roi, no bout, and trumps only if they must be.

    A trump may be discarded only if there are not enough other cards for the écart. Then all the other cards must be
    discarded.
    """
    suits = hand & ~TRUMPS & ~KEPT_FROM_ECART
    if suits.bit_count() >= CHIEN[players]:
        return suits
    return suits | hand & TRUMPS & ~KEPT_FROM_ECART


def count_forced_trumps(hand: int, players: int) -> int:
    """Return how many trumps the écart must have."""
    suits = hand & ~TRUMPS & ~KEPT_FROM_ECART
    return max(0, CHIEN[players] - suits.bit_count())
