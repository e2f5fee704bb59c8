"""The sets of cards as integers: bit *n* is card *n* of `deals.domain.cards`."""

from collections.abc import Iterable

from deals.domain.cards import CARDS, EXCUSE, PETIT, TRUMP_21

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
