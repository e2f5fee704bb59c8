"""The sets of cards that the bots ask about, and the cards of which a player knows that no hidden hand has them."""

from deals.domain.cards import CARDS, half_points
from referee.cards import BEATING, BUT_EXCUSE, FOLLOWING, ROIS, SUITS, TRUMPS, mask_of
from referee.views import SeatView

DAMES, CAVALIERS, VALETS = ROIS >> 1, ROIS >> 2, ROIS >> 3
HONOUR_RANKS = (ROIS, DAMES, CAVALIERS, VALETS)  # from the most points to the fewest
HONOURS = ROIS | DAMES | CAVALIERS | VALETS
PLAIN = sum(SUITS)
SPOTS = PLAIN & ~HONOURS  # the As to the 10 of each suit
SMALL = sum(0b11111 << 14 * number for number in range(4))  # the As to the 5 of each suit
MIDDLING = SPOTS & ~SMALL
RANKS = tuple(ROIS >> 13 - rank for rank in range(14))  # the cards of each rank, from the As to the Roi
ALL_SUITS = (*SUITS, TRUMPS)
POINTS = tuple(half_points(card) for card in range(CARDS))  # in half points


def lowest_card(cards: int) -> int:
    """Return the lowest card of a set that is not empty."""
    return (cards & -cards).bit_length() - 1


def highest_card(cards: int) -> int:
    """Return the highest card of a set that is not empty."""
    return cards.bit_length() - 1


def richest_card(cards: int) -> int:
    """Return the card with the most points of a set of plain cards that is not empty, the lowest one among equals."""
    for rank in HONOUR_RANKS:
        if cards & rank:
            return lowest_card(cards & rank)
    return lowest_card(cards)


def poorest_card(cards: int) -> int:
    """Return the card with the lowest rank, and so the fewest points, of a set of plain cards that is not empty.

    Of equal ranks it is that of the first suit. Of trumps it is the lowest one.
    """
    for rank in RANKS:
        if mine := cards & rank:
            return lowest_card(mine)
    return lowest_card(cards)


def find_located(seen: SeatView) -> int:
    """Return the cards of which the viewer knows that no hidden hand has them: own, played, or discarded."""
    gone = seen.hand | (seen.ecart or 0) | seen.ecart_trumps | mask_of(seen.cards)
    for trick in seen.tricks:
        gone |= mask_of(trick.cards)
    return gone


def read_trick(seen: SeatView) -> tuple[int, int, int]:
    """Return the cards of the suit led, the cards that beat the trick so far, and the player who wins it so far.

    The suit is 0, and the player −1, before a card is played, also after the Excuse alone.
    """
    led, beating, best = 0, BUT_EXCUSE, -1
    for place, card in enumerate(seen.cards):
        if beating >> card & 1:
            led = led or FOLLOWING[card]
            beating, best = BEATING[card], (seen.leader + place) % len(seen.sizes)
    return led, beating, best
