"""The weights by which a drawn deal gives the hidden cards to the players: what bids and leads say of the hands.

With weight 8 for one hand and 4 for each other, a card goes there twice as often, if all have the same room. `python -m
bench.draws` shows the chances that result, beside where the cards really are.
"""

from bots.policy.sight import list_leads
from bots.policy.signals import promises_honour
from bots.suits import DAMES, SPOTS, find_located
from deals.domain.cards import CARDS
from referee.cards import ALL_TRUMPS, BOUT_BITS, FOLLOWING, ROIS, WHOLE_DECK, cards_of
from referee.views import SeatView

PLACES = 5  # four hands, and the écart or the chien that nobody took
UNIT = 100
BIDDER = 125  # a strong card, for a player who bid
BOUT, TRUMP, ROI = 1000, 225, 225  # for the taker
LESS, IN_TRICKS = 125, 8  # the weight of a taker's trump falls by so much in so many tricks, but not below UNIT
ROI_AFTER_OTHERS = 25  # a taker who leads another card has no Roi to lead
RARE = 12  # a card that the player would probably have played instead (`habits`)
LONG_SUIT = 200  # a card of a suit that the taker opened with a card without points
PROMISED, DENIED = 500, 25  # the Roi and the Dame of a defender's first suit, after the signal of `policy.signals`


def find_weights(seen: SeatView, me: int, unlikely: list[int]) -> list[list[int]]:
    """Return the weight of each place for each card, as `weights[card][place]`.

    `me`: the player of the view. `unlikely`: for each player, the cards that habits deny (`find_unlikely`).
    """
    taker, weights = seen.taker, [[UNIT] * PLACES for _ in range(CARDS)]
    assert taker is not None
    leads = list_leads(seen)
    takers = [card for player, card in leads if player == taker]
    bidders = [(seen.dealer + 1 + player) % 4 for player, bid in enumerate(seen.bids) if bid is not None]
    for card, weight in weigh_takers_cards(len(seen.tricks), takers).items():
        for bidder in bidders:
            weights[card][bidder] = BIDDER
        weights[card][taker] = weight
    hidden = WHOLE_DECK & ~find_located(seen)
    for suit in {FOLLOWING[card] for card in takers if SPOTS >> card & 1}:
        multiply(weights, suit & hidden, taker, LONG_SUIT)
    for player, card in dict(reversed(leads)).items():  # the first lead of each player
        if player not in (me, taker) and SPOTS >> card & 1:
            honours = FOLLOWING[card] & (ROIS | DAMES) & hidden
            multiply(weights, honours, player, PROMISED if promises_honour(card) else DENIED)
    for player, cards in enumerate(unlikely):
        if player != me:
            multiply(weights, cards & hidden, player, RARE)
    return weights


def weigh_takers_cards(tricks: int, leads: list[int]) -> dict[int, int]:
    """Return the weights for the taker of bouts, trumps and Rois by card, after so many tricks and these own leads."""
    trump = max(UNIT, TRUMP - LESS * tricks // IN_TRICKS)
    weights = dict.fromkeys(cards_of(ALL_TRUMPS), trump)
    roi = ROI if not leads else UNIT if all(ROIS >> card & 1 for card in leads) else ROI_AFTER_OTHERS
    weights |= dict.fromkeys(cards_of(ROIS), roi)
    return weights | dict.fromkeys(cards_of(BOUT_BITS), BOUT)


def multiply(weights: list[list[int]], cards: int, player: int, weight: int) -> None:
    """Multiply the weights of these cards for the player by `weight` units."""
    for card in cards_of(cards):
        weights[card][player] = weights[card][player] * weight // UNIT
