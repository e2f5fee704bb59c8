"""The characters of the seven tables of bots: bolder or softer, by whole numbers alone."""

from collections import Counter
from fractions import Fraction
from hashlib import sha256

import pytest

from bots.bidding import choose_bid
from bots.choosing import choose_move
from bots.levels import CHARACTERS, BotLevel, Character
from bots.matches import play_with_bots
from bots.sampling.comparing import choose_softly
from bots.secrets import bot_secret
from deals.domain.cards import Seat
from deals.domain.dealing import numbers
from referee.rules import player_at
from referee.views import view
from scoring.values import Contract
from tests.bots.games import SEED, play_bots
from tests.bots.positions import make_view
from tests.bots.test_before_the_play import GOOD, WEAK


def test_seven_characters_are_frozen():
    """Check that no character changes: the records of rooms that are closed follow from them."""
    assert [(int(each.level), each.bold, each.soft) for each in CHARACTERS] == [
        (10, 0, 0),
        (10, 2, 4),
        (10, -2, 4),
        (30, 0, 0),
        (10, 3, 8),
        (0, 1, 0),
        (10, -1, 8),
    ]


def test_bold_bot_bids_on_a_weaker_hand():
    good, weak = (make_view(hand, taker=0) for hand in (GOOD, WEAK))
    assert [choose_bid(good, bold) for bold in (-40, 0, 40)] == [None, Contract.GARDE, Contract.GARDE_CONTRE]
    assert choose_bid(weak, 3) is None


def test_worse_card_is_chosen_half_as_often_for_each_step():
    """Draw 7000 times between cards that are 0, 1 and 2 steps worse: they have the weights 4, 2 and 1."""
    chance = numbers(1, "test")
    sums = {5: -400, 6: -440, 7: -480}  # of ten samples: 4 points are one step
    drawn = Counter(choose_softly(sums, 10, 4, chance) for _draw in range(7000))
    for card, weight in ((5, 4), (6, 2), (7, 1)):
        assert drawn[card] == pytest.approx(1000 * weight, rel=0.1)


def test_much_worse_card_is_never_chosen():
    assert {choose_softly({1: 0, 2: -1_000_000}, 10, 4, numbers(each, "test")) for each in range(50)} == {1}


def test_level_alone_is_a_character_without_boldness_or_softness():
    seen = view(state := play_bots(3, BotLevel.POLICY, moves=20), state.seat)
    secret = bot_secret(SEED, 3)
    for level in BotLevel.POLICY, BotLevel.TEN:
        assert choose_move(seen, level, secret) == choose_move(seen, Character(level), secret)


@pytest.mark.nightly("statistics")
def test_soft_bot_plays_otherwise_in_some_decisions_and_alike_from_the_same_secret():
    secret, differ = bot_secret(SEED, 3), Fraction()
    for moves in range(6, 40):
        seen = view(state := play_bots(3, BotLevel.POLICY, moves=moves), state.seat)
        soft, again, hard = (choose_move(seen, each, secret) for each in (CHARACTERS[4], CHARACTERS[4], CHARACTERS[0]))
        assert soft == again
        differ += soft != hard
    assert differ > 2


@pytest.mark.parametrize(
    ("etuis", "moves", "digest"),
    [
        (range(1, 3), 56, "1867a63428d235ba"),
        pytest.param(range(1, 6), 2, "b2d5dfc1769e0803", marks=pytest.mark.nightly("statistics")),
    ],
)
def test_seven_tables_play_the_cards_of_version_3(etuis, moves, digest):
    """Check by one digest that no card changes: everybody can check the records of rooms from their seeds."""
    told = []
    for etui in etuis:
        for character in CHARACTERS:
            bots = dict.fromkeys(range(4), Character(BotLevel.TEN)) | {player_at(Seat.S, 4): character}
            state = play_with_bots(play_bots(etui, BotLevel.POLICY, moves=moves), bots, bot_secret(SEED, etui))
            told.append([trick.cards for trick in state.tricks])
    assert sha256(repr(told).encode()).hexdigest()[:16] == digest
