"""The weights by which a drawn deal gives the hidden cards to the players: what bids and leads say of the hands.

A weight is the chance of a place beside that of the others. A card of weight 8 for one hand and 4 for each other goes
to this hand twice as often, if all have the same room. `python -m bench.draws` shows the chances that result, beside
where the cards really are.
"""

from bots.hidden import find_located
from bots.sampling.habits import find_unlikely
from bots.suits import DAMES, SMALL, SPOTS
from deals.domain.cards import CARDS
from referee.bits import ALL_TRUMPS, BOUT_BITS, FOLLOWING, ROIS, WHOLE_DECK, cards_of
from referee.views import SeatView

PLACES = 5  # four hands, and the écart or the chien that nobody took
UNIT = 100
BIDDER = 125  # a strong card, for a player who bid
BOUT, TRUMP, ROI = 1000, 225, 225  # for the taker
LESS, IN_TRICKS = 125, 8  # the weight of a taker's trump falls by so much in so many tricks, but not below UNIT
ROI_AFTER_A_LEAD = 25  # a taker who leads plays the Rois first
RARE = 12  # a card that the player would have played before, by `habits`
LONG_SUIT = 200  # a card of a suit that the taker opened with a card without points
PROMISED, DENIED = 500, 25  # the Roi and the Dame of a defender's first suit, after the signal of `policy.signals`


def find_weights(seen: SeatView, me: int) -> list[list[int]]:
    """Return the weight of each place for each card, as `weights[card][place]`. `me` is the player of the view."""
    taker, weights = seen.taker, [[UNIT] * PLACES for _ in range(CARDS)]
    assert taker is not None
    leads = [(trick.leader, trick.cards[0]) for trick in seen.tricks]
    if seen.cards:
        leads.append((seen.leader, seen.cards[0]))
    first = dict(reversed(leads))  # the first lead of each player
    bidders = [(seen.dealer + 1 + player) % 4 for player, bid in enumerate(seen.bids) if bid is not None]
    strong = weigh_takers_cards(len(seen.tricks), has_led=taker in first)
    for card, weight in strong.items():
        for bidder in bidders:
            weights[card][bidder] = BIDDER
        weights[card][taker] = weight
    hidden = WHOLE_DECK & ~find_located(seen)
    opened = {FOLLOWING[card] for player, card in leads if player == taker and SPOTS >> card & 1}
    for suit in opened:
        multiply(weights, suit, taker, LONG_SUIT)
    for player, card in first.items():
        if player not in (me, taker) and SPOTS >> card & 1:
            honours = FOLLOWING[card] & (ROIS | DAMES)
            multiply(weights, honours, player, PROMISED if SMALL >> card & 1 else DENIED)
    for player, cards in enumerate(find_unlikely(seen)):
        if player != me:
            multiply(weights, cards & hidden, player, RARE)
    return weights


def weigh_takers_cards(tricks: int, *, has_led: bool) -> dict[int, int]:
    """Return the weights for the taker of bouts, trumps and Rois by card, after so many tricks."""
    trump = max(UNIT, TRUMP - LESS * tricks // IN_TRICKS)
    weights = dict.fromkeys(cards_of(ALL_TRUMPS), trump)
    weights |= dict.fromkeys(cards_of(ROIS), ROI_AFTER_A_LEAD if has_led else ROI)
    return weights | dict.fromkeys(cards_of(BOUT_BITS), BOUT)


def multiply(weights: list[list[int]], cards: int, player: int, weight: int) -> None:
    """Multiply the weights of these cards for the player by `weight` units."""
    for card in cards_of(cards):
        weights[card][player] = max(1, weights[card][player] * weight // UNIT)
