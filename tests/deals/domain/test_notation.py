"""The text of a deal: each deal has exactly one text. Other texts give an error with the hand and the column."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deals.domain.cards import HAND
from deals.domain.deal import Deal, NotationError, dumps, hand_text, loads
from deals.domain.dealing import deal_etui

DEAL = dumps(deal_etui(bytes(range(32)), 1).deal)
LETTERS = "RDCVT987654321.-* N0é"


@st.composite
def deals(draw):
    players = draw(st.sampled_from([3, 4, 5]))
    cards = draw(st.permutations(range(78)))
    size = HAND[players]
    return Deal([cards[i * size : (i + 1) * size] for i in range(players)], cards[players * size :])


def refusal(text):
    with pytest.raises(NotationError) as caught:
        loads(text)
    return caught.value.code, caught.value.params


@given(deals())
def test_loads_is_the_inverse_of_dumps(deal):
    assert loads(dumps(deal)) == deal


@given(deals(), st.data())
def test_mutated_text_is_the_text_of_a_deal_or_an_error(deal, data):
    text = dumps(deal)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        cut = data.draw(st.integers(0, 2))
        text = text[:at] + data.draw(st.text(LETTERS, max_size=2)) + text[at + cut :]
    error = None
    try:
        read = loads(text)
    except NotationError as caught:
        error = caught
    if error is None:
        assert dumps(read) == text
    else:
        assert 1 <= error.params["column"] <= len(text) + 1
        assert "\n" not in str(error)


@given(st.text())
def test_any_text_is_an_error(text):
    assert refusal(text)[1]["column"] >= 1


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ((), "-.-.-.-."),
        ((77,), "-.-.-.-.*"),
        ((56,), "-.-.-.-.1"),
        ((56, 76, 77), "-.-.-.-.21-1*"),
        ((0, 9, 13, 14, 55), "RT1.1.-.R."),
    ],
)
def test_hand_text(cards, text):
    assert hand_text(cards) == text


@pytest.mark.parametrize(
    ("old", "new", "offset", "code", "params"),
    [
        ("6 D5.DCVT6", "6 D5,DCVT6", 2, "suits", {"hand": "W", "found": 4}),
        ("6 D5.DCVT6", "6 .DCVT6", 2, "empty", {"hand": "W", "suit": "♠"}),
        ("T8732.", "T8K32.", 2, "rank", {"hand": "N", "found": "K"}),
        ("T8732.", "T7832.", 2, "order", {"hand": "N", "found": "♠8"}),
        ("21-20-6", "21-22-6", 3, "trump", {"hand": "S", "found": "22"}),
        ("21-20-6", "21-020-6", 3, "trump", {"hand": "S", "found": "020"}),
        ("21-20-6", "20-21-6", 3, "order", {"hand": "S", "found": "21"}),
        ("21-20-6", "-", 0, "trump", {"hand": "S", "found": ""}),
        ("2.19-1", "2.19-1\n", 5, "trump", {"hand": "chien", "found": "1\n"}),
        ("952.", "852.", 0, "duplicate_card", {"hand": "E", "card": "♥8", "other": "N"}),
        ("T8732.", "TT732.", 1, "duplicate_card", {"hand": "N", "card": "♠10", "other": "N"}),
        ("2.19-1", "2.19-1*", 6, "duplicate_card", {"hand": "chien", "card": "*", "other": "N"}),
        ("T8732.", "T873.", 0, "size", {"hand": "N", "expected": 18, "found": 17}),
    ],
)
def test_wrong_text_names_the_hand_and_the_column(old, new, offset, code, params):
    assert DEAL.count(old) == 1
    column = DEAL.index(old) + 1 + offset
    assert refusal(DEAL.replace(old, new)) == (code, {"column": column, **params})


@pytest.mark.parametrize(
    ("text", "code", "params"),
    [
        ("", "hands", {"hand": "", "column": 1, "found": 1}),
        (DEAL + " -.-.-.-.", "size", {"hand": "N", "column": 1, "expected": 15, "found": 18}),
    ],
)
def test_wrong_number_of_hands(text, code, params):
    assert refusal(text) == (code, params)
