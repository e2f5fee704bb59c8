"""The deals that simple players play out: they are legal, and have the result of their record."""

import random
from dataclasses import replace

import pytest

from deals.domain.cards import EXCUSE, PETIT, Seat
from evenings.practice import play_deal, sort_cards
from referee.records.judging import judge_record
from scoring.contract import score_deal
from tests.referee.games import deal_at_random


@pytest.mark.parametrize("seed", range(12))
def test_record_of_a_played_deal_has_its_result_and_no_fault(seed):
    deal = deal_at_random(random.Random(seed), 4)
    record, result = play_deal(deal, Seat("NWSE"[seed % 4]), Seat("NESW"[seed // 4]), random.Random(seed))
    judged = judge_record(replace(record, deal=deal))
    assert (judged.faults, judged.result) == ((), result)
    assert score_deal(result).base_score != 0


def test_same_dice_play_the_same_cards_and_others_do_not():
    deal = deal_at_random(random.Random(1), 4)
    one, again, other = (play_deal(deal, Seat.N, Seat.W, random.Random(seed))[0] for seed in (5, 5, 6))
    assert one == again
    assert one.cards != other.cards


def test_cards_are_sorted_by_points_and_the_bouts_come_last():
    jack, king, seven, trump = 10, 13, 6, PETIT + 6  # of spades, and of trumps
    cards = [EXCUSE, king, PETIT, seven, trump, jack]
    assert sort_cards(cards) == [seven, trump, jack, king, PETIT, EXCUSE]
    assert sort_cards(cards, rich=True) == [king, jack, seven, trump, PETIT, EXCUSE]
