"""The check of hands while they are typed: it reports every fault at once."""

from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import EXCUSE, HAND, PETIT
from deals.domain.deal import hand_text, places
from deals.domain.dealing import deal_etui
from deals.domain.reading import check_typed

SEED = bytes(range(32))


def texts(number=1, players=4, **change):
    deal = deal_etui(SEED, number, players).deal
    return dict(zip(places(players), map(hand_text, deal.piles), strict=True)) | change


@given(st.integers(1, 500), st.sampled_from(list(HAND)))
def test_hands_of_a_deal_make_that_deal(number, players):
    assert check_typed(texts(number, players), players).deal == deal_etui(SEED, number, players).deal


def test_nothing_typed_lacks_every_card():
    typed = check_typed({}, 4)
    assert typed.deal is None
    assert [hand.lacking for hand in typed.hands] == [18, 18, 18, 18, 6]
    assert len(typed.missing) == 78
    assert typed.repeated == ()


def test_card_in_two_hands_is_named_with_both():
    typed = check_typed(texts(chien="-.-.R85.2.19-1-17"), 4)
    assert typed.repeated == ((PETIT + 16, ("N", "chien")),)
    assert typed.hands[-1].lacking == -1
    assert typed.deal is None


def test_card_left_out_is_missing():
    typed = check_typed(texts(N="T8732.R8.9.T96.17-10-8-7-5-4"), 4)
    assert typed.missing == (EXCUSE,)
    assert typed.hands[0].lacking == 1
    assert typed.deal is None


def test_hand_that_cannot_be_read_says_why_and_the_others_still_count():
    typed = check_typed(texts(E="RCV9641.952"), 4)
    assert [hand.error and hand.error.code for hand in typed.hands] == [None, "suits", None, None, None]
    assert [len(hand.cards) for hand in typed.hands] == [18, 0, 18, 18, 6]
    assert typed.deal is None


@given(st.dictionaries(st.sampled_from([*"NESWF", "chien", "x"]), st.text(max_size=60)), st.sampled_from(list(HAND)))
def test_whatever_is_typed_is_told_and_never_breaks(typed, players):
    check = check_typed(typed, players)
    assert len(check.hands) == players + 1
    held = {card for hand in check.hands for card in hand.cards}
    assert held | set(check.missing) == set(range(78))
    assert held & set(check.missing) == set()
