"""The bids, the écart, the poignée and the chelem, by examples made by hand."""

from dataclasses import replace

import pytest

from bots.bidding import announces_chelem, choose_bid, choose_poignee
from bots.discarding import choose_ecart
from referee.cards import find_discardable, mask_of
from referee.errors import show_cards
from scoring.values import Contract
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
