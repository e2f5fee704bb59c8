"""The sets of cards as integers, and the cards that a player may discard, show and play.

Bit *n* is card *n* of `deals.domain.cards`. Sources: FFT 2012, the écart, the poignées, the play; p. 12 for the opening
lead at five.
"""

from collections.abc import Iterable

from deals.domain.cards import CARDS, CHIEN, EXCUSE, PETIT, TRUMP_21
from scoring.values import Contract, Poignee, ScoringRules

BITS = tuple(1 << card for card in range(CARDS))
SUITS = tuple(((1 << 14) - 1) << 14 * number for number in range(4))
TRUMPS = ((1 << 21) - 1) << PETIT
EXCUSE_BIT = 1 << EXCUSE
WHOLE_DECK = (1 << CARDS) - 1
BUT_EXCUSE = WHOLE_DECK ^ EXCUSE_BIT
ALL_TRUMPS = TRUMPS | EXCUSE_BIT
ROIS = sum(1 << 14 * number + 13 for number in range(4))
BOUT_BITS = EXCUSE_BIT | 1 << PETIT | 1 << TRUMP_21
KEPT_FROM_ECART = ROIS | BOUT_BITS

# For each card: the cards of its suit, which a player must follow. The Excuse has none.
FOLLOWING = (*(SUITS[card // 14] for card in range(PETIT)), *(TRUMPS for _ in range(21)), 0)
# For each card: the cards that beat it. They win a trick in which that card is the best one so far.
BEATING = (
    *(SUITS[card // 14] & -1 << card + 1 | TRUMPS for card in range(PETIT)),
    *(TRUMPS & -1 << card + 1 for card in range(PETIT, EXCUSE)),
    BUT_EXCUSE,
)


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of these cards."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def cards_of(mask: int) -> list[int]:
    """Return the cards of a set, in rising order."""
    cards = []
    while mask:
        card = mask.bit_length() - 1
        cards.append(card)
        mask ^= BITS[card]
    cards.reverse()
    return cards


def has_card(mask: int, card: int) -> int:
    """Return 1 if the set has the card, otherwise 0. A negative number is not a card, so the result is 0."""
    return mask >> card & 1 if card >= 0 else 0


def find_legal(hand: int, led: int, beating: int) -> int:
    """Return the cards that a hand may play.

    `led`: the cards of the suit led, 0 if no suit is led yet. `beating`: the cards that beat the trick so far. A player
    must follow suit, but need not beat the trick in a plain suit. A player without the suit must trump, with a trump
    above those played if possible. The Excuse is always legal.
    """
    if not led:
        return hand
    excuse = hand & EXCUSE_BIT
    if led != TRUMPS and (following := hand & led):
        return following | excuse
    if trumps := hand & TRUMPS:
        return (trumps & beating or trumps) | excuse
    return hand


def find_opening_leads(hand: int, called: int | None) -> int:
    """Return the cards that may open the first trick. `called` is the card that the taker called, None at 3 and 4.

    At five, the cards of the called card's suit are illegal, except the called card itself.
    """
    if called is None:
        return hand
    return hand & ~FOLLOWING[called] | hand & 1 << called


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
