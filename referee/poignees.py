"""The poignées: which trumps a hand may show. Source: FFT 2012, the poignées."""

from referee.bits import ALL_TRUMPS, EXCUSE_BIT, TRUMPS
from scoring.values import Poignee, ScoringRules


def find_size(shown: int, players: int, scoring: ScoringRules) -> Poignee | None:
    """Return the poignée that has exactly `shown` cards, or None."""
    for poignee, cards in scoring.poignee_trumps[players].items():
        if cards == shown:
            return poignee
    return None


def find_showable(hand: int, ecart: int) -> int:
    """Return the cards that a player may show: the trumps and the Excuse of the hand, and the trumps in the écart.

    `ecart`: the taker's écart if its trumps may be shown again, otherwise 0.
    """
    return (hand | ecart & TRUMPS) & ALL_TRUMPS


def find_concealed(shown: int, hand: int) -> int:
    """Return the trumps of the hand that are not shown although the Excuse is.

    A player who shows the Excuse thereby says that there are no other trumps.
    """
    return hand & TRUMPS & ~shown if shown & EXCUSE_BIT else 0


def find_possible_sizes(showable: int, players: int, scoring: ScoringRules) -> list[Poignee]:
    """Return the poignées that a player with these cards may show. A smaller one than possible is allowed."""
    return [poignee for poignee, cards in scoring.poignee_trumps[players].items() if cards <= showable.bit_count()]
