"""The signals: what the first leads of the defenders say, and which card says it.

A small card of a suit (As to 5) promises its Roi or Dame, a middling one (6 to 10) denies them. An odd trump says: I am
the strong hand, play trumps. An even trump says: trumps suit me. High then low in a suit says: I had only these two.
"""

from collections.abc import Iterator

from bots.policy.sight import CardSight, list_leads, list_trumps
from bots.suits import DAMES, MIDDLING, SMALL, highest_card, lowest_card, poorest_card
from deals.domain.cards import PETIT, TRUMP_21, is_trump, rank
from referee.cards import FOLLOWING, ROIS

STRONG_HAND = 7  # trumps, from which on a defender says to be the strong hand


def find_signal_card(mine: int) -> int:
    """Return the card with which to open a suit: small with its Roi or Dame, middling without, else the poorest."""
    wanted = SMALL if mine & (ROIS | DAMES) else MIDDLING
    return lowest_card(mine & wanted) if mine & wanted else poorest_card(mine)


def find_odd_trump(trumps: int) -> int | None:
    """Return the lowest odd trump that says “I am the strong hand”. The Petit and the 21 are no signals."""
    odd = [card for card in list_trumps(trumps) if rank(card) % 2 and card not in (PETIT, TRUMP_21)]
    return odd[0] if odd else None


def promises_honour(card: int) -> bool:
    """Return whether a led card promises the Roi or the Dame of its suit."""
    return bool(SMALL >> card & 1)


def denies_honours(card: int) -> bool:
    """Return whether a led card says that its player has no high card of the suit."""
    return bool(MIDDLING >> card & 1)


def first_leads(sight: CardSight) -> Iterator[tuple[int, int]]:
    """Yield each defender who has led, with the first card that this defender led."""
    heard = set()
    for player, card in list_leads(sight.seen):
        if player != sight.taker and player not in heard:
            heard.add(player)
            yield player, card


def find_strong_hand(sight: CardSight) -> int | None:
    """Return the defender who is known as the strong hand: who led an odd trump, or a Roi. None if nobody is."""
    for player, card in first_leads(sight):
        odd_trump = is_trump(card) and rank(card) % 2 and card not in (PETIT, TRUMP_21)
        if odd_trump or ROIS >> card & 1:
            return player
    return None


def find_asked_suit(sight: CardSight) -> int | None:
    """Return the suit that partners asked for: of the strong hand first, then one with a promised honour.

    None if no partner asked for a plain suit that is worth playing.
    """
    strong = find_strong_hand(sight)
    leads = [(player, card) for player, card in first_leads(sight) if card < PETIT and player != sight.me]
    leads.sort(key=lambda lead: (lead[0] != strong, not promises_honour(lead[1])))
    for player, card in leads:
        if player == strong or not denies_honours(card) or sight.trumps_suit(sight.taker, FOLLOWING[card]):
            return FOLLOWING[card]
    return None


def find_high_then_low(mine: int, led: int) -> int | None:
    """Return the higher of exactly two cards without points in the suit led, which says “only these two”.

    None if the player has more or fewer cards, or a card with points.
    """
    cards = mine & led
    if cards.bit_count() == 2 and not cards & ~(SMALL | MIDDLING):
        return highest_card(cards)
    return None
