"""The bids, the écart, the poignée and the chelem, by examples made by hand."""

from dataclasses import replace

import pytest

from bots.bidding import announces_chelem, choose_bid, choose_poignee
from bots.discarding import choose_ecart
from deals.domain.cards import Seat
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import accepts_etui
from referee.cards import find_discardable, mask_of
from referee.errors import show_cards
from referee.rules import seat_of
from referee.state import start_auction
from referee.terms import DealPhase
from referee.views import view
from scoring.values import Contract
from tests.bots.games import SEED
from tests.bots.positions import cards, make_view, mask

WEAK = "♠2 ♠3 ♠4 ♠9 ♥2 ♥3 ♥4 ♥V ♦2 ♦3 ♦4 ♦D ♣2 ♣3 ♣4 3 4 5"
GOOD = "21 * 18 16 12 9 7 4 ♠R ♠D ♠8 ♥R ♥7 ♥4 ♦9 ♦3 ♣5 ♣2"
GREAT = "21 20 19 18 16 15 * 12 9 7 4 1 ♠R ♠D ♠8 ♥R ♦9 ♦3"


@pytest.mark.parametrize(
    ("hand", "bids", "bid"),
    [
        (WEAK, (), None),
        (GOOD, (), Contract.GARDE),
        (GOOD, (Contract.PRISE,), Contract.GARDE),
        (GOOD, (Contract.GARDE,), None),
        (GREAT, (), Contract.GARDE_CONTRE),
    ],
    ids=["weak", "good", "over a prise", "over a garde", "great"],
)
def test_bid_follows_from_the_value_of_the_hand(hand, bids, bid):
    assert choose_bid(replace(make_view(hand, taker=0), bids=bids)) == bid


@pytest.mark.parametrize(
    ("hand", "ecart"),
    [
        # Two cuts, and the Dame and the Valet in safety; the five spades stay together.
        ("21 18 16 12 9 7 4 * ♠R ♠9 ♠7 ♠4 ♠2 ♥D ♥V ♥5 ♦8 ♣R ♣D ♣9 ♣6 ♣5 ♣2 1", "♥D ♥V ♥5 ♦8"),
        # Roi and Dame stay, the Dame without her Roi goes.
        ("21 18 16 12 9 7 4 3 2 * ♠R ♠D ♠3 ♥D ♥4 ♦C ♦6 ♣R ♣V ♣10 ♣9 ♣6 ♣5 ♣2", "♥D ♥4 ♦C ♦6"),
    ],
    ids=["two cuts", "a dame alone"],
)
def test_ecart_makes_cuts_and_saves_points(hand, ecart):
    assert set(cards(ecart)) <= set(choose_ecart(mask(hand))), show_cards(choose_ecart(mask(hand)))


def test_ecart_of_trumps_has_them_only_if_nothing_else_is_left():
    hand = mask(" ".join(map(str, range(1, 20))) + " ♠R ♥R ♠2 ♠3 ♠4")
    ecart = choose_ecart(hand)
    assert set(cards("♠2 ♠3 ♠4")) < set(ecart)
    assert len(ecart) == 6
    assert mask_of(ecart) & ~find_discardable(hand, 4) == 0


def test_highest_poignee_is_shown_in_falling_order():
    assert choose_poignee(make_view(GREAT, taker=0)) == cards("21 20 19 18 16 15 12 9 7 4")
    assert choose_poignee(make_view(GOOD, taker=0)) == ()


def test_excuse_is_shown_only_with_all_trumps():
    hand = "21 20 19 18 16 15 12 9 7 * ♠2"
    assert choose_poignee(make_view(hand, taker=0)) == cards("21 20 19 18 16 15 12 9 7 *")


def test_chelem_is_announced_with_nearly_all_trumps_only():
    sure = " ".join(map(str, range(21, 7, -1))) + " 1 * ♠R ♥R"
    assert announces_chelem(make_view(sure, taker=0))
    assert not announces_chelem(make_view(GREAT, taker=0))


def find_taker_of_bots(etui):
    """Return the seat that takes an étui of a room with a free auction, or None if four bots pass."""
    dealer = taker_and_dealer(etui)[1]
    state = start_auction(deal_etui(SEED, etui, accept=accepts_etui("auction-1", etui)).deal, dealer)
    while state.phase == DealPhase.AUCTION:
        seat = seat_of(state.turn, 4)
        state = state.bid(seat, choose_bid(view(state, seat)))
    return None if state.terms.taker is None else seat_of(state.terms.taker, 4)


@pytest.mark.parametrize("etuis", [100, pytest.param(2000, marks=pytest.mark.nightly("statistics"))])
def test_bots_never_all_pass_in_etuis_of_auction_1_and_south_takes_a_quarter(etuis):
    takers = [find_taker_of_bots(number) for number in range(1, etuis + 1)]
    assert takers.count(None) == 0
    if etuis == 2000:
        assert 0.22 <= takers.count(Seat.S) / etuis <= 0.28
