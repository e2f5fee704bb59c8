"""The value of a deal: complete and legal, or an error says why not. Its `repr` shows no card."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import HAND, Seat
from deals.domain.deal import Deal, DealError, has_petit_sec, places

DECK = list(range(78))


def cut(cards, players):
    """Return the hands in dealing order and the chien of a list of cards."""
    size = HAND[players]
    return [cards[i * size : (i + 1) * size] for i in range(players)], cards[players * size :]


@st.composite
def cut_decks(draw):
    players = draw(st.sampled_from([3, 4, 5]))
    return cut(draw(st.permutations(DECK)), players)


def refusal(hands, chien):
    with pytest.raises(DealError) as caught:
        Deal(hands, chien)
    return caught.value.code, caught.value.params, str(caught.value)


@given(cut_decks())
def test_deal_keeps_every_hand_and_the_chien(deck):
    hands, chien = deck
    deal = Deal(hands, chien)
    assert deal.players == len(hands)
    assert deal.hands == tuple(tuple(sorted(hand)) for hand in hands)
    assert deal.chien == tuple(sorted(chien))
    assert deal == Deal([set(hand) for hand in hands], reversed(chien))
    assert hash(deal) == hash(Deal(deal.hands, deal.chien))
    assert pickle.loads(pickle.dumps(deal)) == deal


@given(cut_decks())
def test_petit_sec_is_a_hand_with_the_petit_and_neither_trump_nor_excuse(deck):
    hands, chien = deck
    expected = any(56 in hand and not set(range(57, 78)) & set(hand) for hand in hands)
    assert has_petit_sec(Deal(hands, chien)) == expected


def with_petit(*beside):
    """Return a deal in which North has the Petit and exactly the given ones of the other 21 trumps and the Excuse."""
    suits, rest = DECK[:56], [card for card in range(57, 78) if card not in beside]
    north = [56, *beside, *suits[: 17 - len(beside)]]
    others = [card for card in suits + rest if card not in north]
    return Deal([north, others[:18], others[18:36], others[36:54]], others[54:])


def test_petit_alone_is_sec():
    assert has_petit_sec(with_petit())


@pytest.mark.parametrize("beside", [57, 76, 77])
def test_petit_with_any_trump_or_the_excuse_is_not_sec(beside):
    assert not has_petit_sec(with_petit(beside))


def test_petit_alone_in_the_chien_is_not_sec():
    hands, chien = cut([card for card in DECK if card not in {0, 56}] + [0, 56], 4)
    assert not has_petit_sec(Deal(hands, chien))


def test_deal_with_a_card_twice_names_both_hands():
    hands, chien = cut(DECK, 4)
    assert refusal([hands[0], [*hands[1][:-1], 13], *hands[2:]], chien) == (
        "duplicate_card",
        {"hand": "E", "card": "♠R", "other": "N"},
        "E: ♠R is already there (N).",
    )


def test_deal_with_a_short_hand_gives_both_counts():
    hands, chien = cut(DECK, 4)
    assert refusal([hands[0][:-1], *hands[1:]], [*chien, 17]) == (
        "size",
        {"hand": "N", "expected": 18, "found": 17},
        "N: 17 cards instead of 18.",
    )


def test_deal_with_a_short_chien_names_it():
    hands, chien = cut(DECK, 5)
    assert refusal(hands, chien[1:])[1] == {"hand": "chien", "expected": 3, "found": 2}


@pytest.mark.parametrize("card", [-1, 78, "♠R", None])
def test_deal_with_something_that_is_no_card(card):
    hands, chien = cut(DECK, 3)
    assert refusal(hands, [*chien[1:], card])[:2] == ("unknown_card", {"hand": "chien", "found": card})


@pytest.mark.parametrize("players", [0, 1, 2, 6])
def test_deal_for_a_wrong_number_of_players(players):
    assert refusal([[]] * players, [])[:2] == ("players", {"found": players})


def test_hand_of_a_seat():
    hands, chien = cut(DECK, 5)
    assert Deal(hands, chien).hand(Seat.F) == tuple(range(60, 75))


def test_places_are_the_seats_and_the_chien():
    assert places(3) == ("N", "E", "S", "chien")


def test_repr_shows_no_card():
    assert repr(Deal(*cut(DECK, 4))) == "<Deal for 4>"
