"""The habits that the draws expect: which cards a player probably does not have, by what the player has played."""

from collections import defaultdict

import pytest

from bench.draws import SEED, DrawErrors, compare_hands
from bots.levels import BotLevel
from bots.matches import play_with_bots, start_takeable
from bots.sampling import drawing
from bots.sampling.habits import find_unlikely
from bots.sampling.weights import PLACES, UNIT
from bots.secrets import bot_secret
from bots.suits import find_located
from deals.domain.cards import CARDS
from tests.bots.positions import make_view, mask

HAND = "♣1 ♣2 ♣3 ♣4"  # player 0, who looks
SPADES = "♠1 ♠2 ♠3 ♠4 ♠5 ♠6 ♠7 ♠8 ♠9 ♠10 ♠V ♠C ♠D ♠R"
HONOURS = "♠V ♠C ♠D ♥V ♥C ♥D ♦V ♦C ♦D ♣V ♣C ♣D"  # without the Rois

# The trick before player 0 plays, the taker, and the cards that player 3, who played last, probably does not have.
LAST_CARDS = {
    "taker leads a Roi": ("♠R", 3, ""),
    "taker leads a small card": ("♠3", 3, "♠1 ♠2 ♠R ♥R ♦R ♣R"),
    "taker leads a trump": ("9", 3, ""),
    "defender leads a small card": ("♠3", 1, "♠1 ♠2"),
    "defender leads a middling card": ("♠8", 1, "♠6 ♠7"),
    "defender leads an honour": ("♠D", 1, ""),
    "defender leads a trump": ("9", 1, ""),
    "somebody leads the Excuse": ("*", 1, ""),
    "the card after the Excuse is a lead": ("* ♠8", 1, "♠6 ♠7"),
    "the Excuse on a trick": ("♠9 *", 1, ""),
    "spot that loses to the taker": ("♠9 ♠4", 2, "♠1 ♠2 ♠3 ♠10 ♠V ♠C ♠D ♠R"),
    "honour that loses to the taker": ("♠D ♠C", 2, "♠1 ♠2 ♠3 ♠4 ♠5 ♠6 ♠7 ♠8 ♠9 ♠10 ♠V ♠R"),
    "honour that wins": ("♠9 ♠C", 2, "♠D ♠R"),
    "taker follows with a spot": ("♠9 ♠4", 3, "♠1 ♠2 ♠3 ♠R"),
    "taker follows with an honour": ("♠9 ♠D", 3, "♠R"),
    "spot on a partner's trick": ("♠2 ♠R ♠4", 1, "♠1 ♠3"),
    "honour on a partner's trick": ("♠2 ♠R ♠V", 1, ""),
    "trump that wins": ("♠9 7", 2, "1 2 3 4 5 6"),
    "trump over a partner's trump": ("♠9 4 7", 1, "5 6"),
    "trump before the taker plays": ("♠9 15", 0, ""),
    "trump below a partner's": ("♠9 14 7", 1, "1 2 3 4 5 6"),
    "trump below the taker's": ("9 6", 2, "2 3 4 5"),
    "trump below a trump, before the taker plays": ("9 6", 0, "2 3 4 5"),
    "spot thrown on the taker's trick": ("12 ♥3", 2, "♠1 ♠2 ♥1 ♥2 ♦1 ♦2"),
    "spot thrown on a partner's trick": ("9 12 ♥3", 1, f"♠1 ♠2 ♥1 ♥2 ♦1 ♦2 {HONOURS}"),
    "spot thrown before the taker plays": ("12 ♥3", 0, "♠1 ♠2 ♥1 ♥2 ♦1 ♦2"),
    "honour thrown": ("12 ♥C", 2, ""),
}


def find_last(seen):
    """Return the unlikely cards of player 3, without those of which player 0 knows where they are."""
    return find_unlikely(seen)[3] & ~find_located(seen)


@pytest.mark.parametrize(("trick", "taker", "unlikely"), LAST_CARDS.values(), ids=LAST_CARDS)
def test_card_says_which_others_its_player_has_not(trick, taker, unlikely):
    assert find_last(make_view(HAND, trick, taker=taker)) == mask(unlikely)


# What was played before player 3 leads the ♥8 against player 1.
EARLIER = {
    "nothing": ((), "♥6 ♥7"),
    "the taker trumps spades": (((3, "♠9 ♦1 5 ♠2"),), f"{SPADES} ♥6 ♥7"),
    "the taker trumps spades, and plays the Excuse": (
        ((3, "♠9 ♦1 5 ♠2"), (2, "♦9 ♦8 ♦2 *")),
        f"{SPADES} ♥6 ♥7",
    ),
    "the taker has no more trumps": (((3, "♠9 ♦1 5 ♠2"), (2, "♦9 ♦8 ♦2 ♣5")), "♠6 ♠7 ♠8 ♥6 ♥7"),
    "the taker trumps the suit itself": (((3, "♥9 ♦1 5 ♥2"),), "♥6 ♥7"),
    "a partner trumps spades": (((3, "♠9 ♦1 ♠2 5"),), "♠6 ♠7 ♠8 ♥6 ♥7"),
    "a partner asked for spades by a small card": (((2, "♠3 ♠4 ♦1 ♠R"),), f"{SPADES} ♥6 ♥7"),
    "a partner asked for spades by an honour": (((2, "♠D ♠4 ♦1 ♠R"),), f"{SPADES} ♥6 ♥7"),
    "a partner asked for spades, which the taker leads": (((2, "♠3 ♠4 ♦1 ♠R"), (1, "♠D ♠1 ♠2 ♠5")), "♥6 ♥7"),
    "a partner asked for the suit itself": (((2, "♥3 ♥4 ♠1 ♥R"),), "♥1 ♥2 ♥6 ♥7"),
    "a partner denied spades": (((2, "♠7 ♠8 ♦1 ♠R"),), "♠1 ♠2 ♠3 ♠4 ♠5 ♠6 ♥6 ♥7"),
    "the player asked for spades": (((3, "♠3 ♦1 ♠R ♠4"),), "♠1 ♠2 ♥6 ♥7"),
    "a spot was played on a partner's trick": (((1, "♠2 ♠9 ♠4 ♦1"),), "♠1 ♠3 ♥6 ♥7"),
}


@pytest.mark.parametrize(("tricks", "unlikely"), EARLIER.values(), ids=EARLIER)
def test_lead_says_what_a_defender_has_not(tricks, unlikely):
    seen = make_view(HAND, "♥8", taker=1, tricks=tricks)
    assert find_last(seen) == mask(unlikely) & ~find_located(seen)


@pytest.mark.parametrize(
    ("tricks", "unlikely"),
    [
        ((), "♠1 ♠2 ♠3 ♠R"),
        (((3, "♠V ♠5 ♠6 ♠7"),), "♠1 ♠2 ♠3 ♠R"),
        (((3, "♠V ♠5 ♠6 ♠7"), (1, "♦D ♦C ♦R ♠8")), "♠1 ♠2 ♠3"),
    ],
    ids=["no card is gone", "four are gone", "five are gone"],
)
def test_taker_may_keep_the_roi_of_a_suit_that_was_played_often(tricks, unlikely):
    assert find_last(make_view(HAND, "♠10 ♠4", taker=3, tricks=tricks)) == mask(unlikely)


def test_last_player_of_a_trick_who_takes_may_have_no_higher_honour():
    seen = make_view(HAND, taker=3, tricks=((0, "♣5 ♣6 ♣7 ♣C"),))
    assert find_last(seen) == mask("♣D ♣R")


def test_draws_are_nearer_the_truth_by_weights(monkeypatch):
    """Compare the error of the draws with that of equal weights, on the same 24 positions."""

    def sum_errors():
        sums = defaultdict(DrawErrors)
        for etui in range(1, 7):
            for moves in (18, 34, 42, 50):
                secret = bot_secret(SEED, etui)
                state = play_with_bots(
                    start_takeable(SEED, etui), dict.fromkeys(range(4), BotLevel.POLICY), secret, moves
                )
                compare_hands(state, secret, 20, sums)
        return sum(each.error for each in sums.values()) / sum(each.cards for each in sums.values())

    weighted = sum_errors()
    monkeypatch.setattr(drawing, "find_weights", lambda *_: [[UNIT] * PLACES for _ in range(CARDS)])
    assert weighted < 0.92 * sum_errors()
