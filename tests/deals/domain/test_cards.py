"""The deck: 78 cards, 182 half points, and the order in which a hand is read."""

from collections import Counter

import pytest

from deals.domain.cards import (
    BOUTS,
    CARDS,
    CHIEN,
    EXCUSE,
    HAND,
    PETIT,
    TRUMP_21,
    Seat,
    Suit,
    by_suit,
    half_points,
    is_bout,
    is_trump,
    order_for_display,
    rank,
    seats,
    show_card,
    suit,
)

DECK = range(CARDS)


def test_deck_has_four_suits_of_fourteen_and_the_trumps_with_the_excuse():
    assert Counter(map(suit, DECK)) == {
        Suit.SPADES: 14,
        Suit.HEARTS: 14,
        Suit.DIAMONDS: 14,
        Suit.CLUBS: 14,
        Suit.TRUMPS: 22,
    }


def test_deck_is_worth_91_points():
    assert sum(map(half_points, DECK)) == 182


def test_half_points_of_each_kind_of_card():
    assert Counter(map(half_points, DECK)) == {9: 3 + 4, 7: 4, 5: 4, 3: 4, 1: 40 + 19}


def test_bouts_are_the_petit_the_21_and_the_excuse():
    assert [card for card in DECK if is_bout(card)] == [PETIT, TRUMP_21, EXCUSE] == sorted(BOUTS)


def test_trumps_are_21_without_the_excuse():
    assert [rank(card) for card in DECK if is_trump(card)] == list(range(1, 22))
    assert (suit(EXCUSE), rank(EXCUSE), is_trump(EXCUSE)) == (Suit.TRUMPS, 0, False)


@pytest.mark.parametrize(
    ("card", "shown"),
    [
        (0, "♠1"),
        (9, "♠10"),
        (10, "♠V"),
        (11, "♠C"),
        (12, "♠D"),
        (13, "♠R"),
        (14, "♥1"),
        (41, "♦R"),
        (56, "1"),
        (77, "*"),
    ],
)
def test_sign_of_a_card(card, shown):
    assert show_card(card) == shown


def test_signs_are_all_different():
    assert len({show_card(card) for card in DECK}) == CARDS


@pytest.mark.parametrize("players", [3, 4, 5])
def test_hands_and_chien_make_the_deck(players):
    assert players * HAND[players] + CHIEN[players] == CARDS


def test_seats_are_filled_clockwise_and_the_fifth_is_f():
    assert [seats(players) for players in (3, 4, 5)] == [
        (Seat.N, Seat.E, Seat.S),
        (Seat.N, Seat.E, Seat.S, Seat.W),
        (Seat.N, Seat.E, Seat.S, Seat.W, Seat.F),
    ]


def test_hand_is_read_suit_by_suit_high_to_low_and_the_excuse_last():
    assert by_suit({77, 56, 76, 0, 13, 41}) == ((13, 0), (), (41,), (), (76, 56, 77))
    assert order_for_display({77, 56, 76, 0, 13, 41}) == (13, 0, 41, 76, 56, 77)


def test_excuse_alone_is_a_group_of_its_own():
    assert by_suit([EXCUSE])[4] == (EXCUSE,)
