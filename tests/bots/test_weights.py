"""The weights of the hidden cards, and the écart that is drawn: which hand a card likely goes to."""

from dataclasses import replace

import pytest

from bots.sampling.drawing import choose_cuts, choose_wished
from bots.sampling.habits import find_unlikely
from bots.sampling.weights import find_weights
from deals.domain.dealing import BITS
from scoring.values import Contract
from tests.bots.positions import cards, make_view, mask

HAND = "♣1 ♣2 ♣3 ♣4"  # player 0, who looks; the taker is player 1
SOME_TRICKS = tuple((2, f"♦{2 * number - 1} ♦{2 * number}") for number in range(1, 5))

# The card on the table and the complete tricks, a hidden card, and its weights for players 1 to 3 and for the écart.
WEIGHTS = {
    "trump": ("", (), "9", (225, 100, 100, 100)),
    "trump after four tricks": ("", SOME_TRICKS, "9", (163, 100, 100, 100)),
    "trump after ten tricks": ("", SOME_TRICKS * 2 + SOME_TRICKS[:2], "9", (100, 100, 100, 100)),
    "bout": ("", (), "21", (1000, 100, 100, 100)),
    "bout after ten tricks": ("", SOME_TRICKS * 2 + SOME_TRICKS[:2], "*", (1000, 100, 100, 100)),
    "Roi": ("", (), "♥R", (225, 100, 100, 100)),
    "Roi after the taker led another one": ("", ((1, "♠R ♠2 ♠3 ♣5"),), "♥R", (100, 100, 100, 100)),
    "Roi after the taker led a trump": ("", ((1, "9 10 11 12"),), "♥R", (25, 100, 100, 100)),
    "Roi after the taker led the Excuse": ("", ((1, "* ♠2 ♠3 ♣5"),), "♥R", (225, 100, 100, 100)),
    "plain card": ("", (), "♥7", (100, 100, 100, 100)),
    "long suit that the taker opened": ("", ((1, "♥4 ♥5 ♥R ♣5"),), "♥9", (200, 100, 100, 100)),
    "suit that the taker opened with an honour": ("", ((1, "♥D ♥5 ♥R ♣5"),), "♥9", (100, 100, 100, 100)),
    "Roi that a defender promised": ("♥4", (), "♥R", (225, 100, 500, 100)),
    "Dame that a defender promised": ("♥4", (), "♥D", (100, 100, 500, 100)),
    "Dame that a defender denied": ("♥7", (), "♥D", (100, 100, 25, 100)),
    "Dame of the second suit of a defender": ("♥7", ((3, "♠V ♣5 ♠9 ♠8"),), "♥D", (100, 100, 100, 100)),
    "first suit of a defender who led the Excuse": ("♥4", ((3, "* ♣5 ♣6 ♣7"),), "♥D", (100, 100, 500, 100)),
    "lower card of the signal": ("♥4", (), "♥2", (100, 100, 12, 100)),
}


@pytest.mark.parametrize(("trick", "tricks", "card", "weights"), WEIGHTS.values(), ids=WEIGHTS)
def test_hidden_card_goes_to_a_hand_by_its_weight(trick, tricks, card, weights):
    seen = make_view(HAND, trick, taker=1, tricks=tricks)
    assert tuple(find_weights(seen, 0, find_unlikely(seen))[cards(card)[0]][1:]) == weights


def test_strong_cards_go_to_players_who_bid():
    """Let player 3 deal, so that player 0 bids first."""
    bids = (None, Contract.GARDE_SANS, Contract.PRISE, None)
    seen = replace(make_view(HAND, taker=1), bids=bids)
    weights = find_weights(seen, 0, find_unlikely(seen))
    assert [weights[cards(card)[0]][1:] for card in ("9", "♥R", "♥7")] == [
        [225, 125, 100, 100],
        [225, 125, 100, 100],
        [100, 100, 100, 100],
    ]


def never():
    """Yield numbers by which chance adds nothing."""
    while True:
        yield 0


def always():
    """Yield numbers by which chance adds the most."""
    while True:
        yield (1 << BITS) - 1


WHOLE = "♠2 ♠3 ♥4 ♥5 ♥V ♦1 ♦2 ♦3 ♦4 ♦5 ♣R ♣6 9 10 11 12 13 14 15"


@pytest.mark.parametrize(
    ("free", "count", "cut"),
    [
        ("♠2 ♠3 ♥4 ♥5 ♥V ♦1 ♦2 ♦3 ♦4 ♦5 ♣6", 6, "♠2 ♠3 ♥4 ♥5 ♥V"),
        ("♠2 ♠3 ♥4 ♥5 ♥V ♦1 ♦2 ♦3 ♦4 ♦5 ♣6", 4, "♠2 ♠3"),
        ("♠2 ♥4 ♥5 ♥V ♦1 ♦2 ♦3 ♦4 ♦5 ♣6", 6, "♥4 ♥5 ♥V"),
        ("♦1 ♦2 ♦3 ♦4 ♦5", 6, ""),
    ],
    ids=["two suits fit", "one suit fits", "a card of a suit must stay", "a long suit stays"],
)
def test_taker_discards_whole_short_suits(free, count, cut):
    assert choose_cuts(mask(WHOLE), mask(free), count, always()) == mask(cut)


def test_taker_sometimes_keeps_a_short_suit():
    assert choose_cuts(mask(WHOLE), mask("♠2 ♠3 ♥4 ♥5 ♥V"), 6, never()) == 0


def test_taker_discards_honours_in_danger_and_cards_of_short_suits():
    """Chance adds the same to each card: an honour without its Roi comes first, one with its Roi later."""
    free = mask("♥4 ♥5 ♥V ♦1 ♦2 ♦3 ♦4 ♦5 ♣6")
    wished = [choose_wished(mask(WHOLE), free, count, never()) for count in range(4)]
    assert wished == [0, mask("♥V"), mask("♥V ♣6"), mask("♥V ♣6 ♥5")]
    assert choose_wished(mask("♣R ♣D ♥D ♥1 ♥2"), mask("♣D ♥D"), 1, never()) == mask("♥D")
