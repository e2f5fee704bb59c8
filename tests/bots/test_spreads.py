"""The plays of one deal by four bots: each play has chance of its own, and gives the same result on every machine."""

import pytest

from bots.levels import BotLevel
from bots.matches import PROFILE, BotPlay, play_of_spread, spread_secret
from deals.domain.dealing import deal_etui
from deals.domain.etui import taker_and_dealer
from deals.domain.profile import accepts_etui

SEED = bytes(32)


def play(number, *, free=False, level=BotLevel.TEN, etui=3):
    taker, dealer = taker_and_dealer(etui)
    deal = deal_etui(SEED, etui, 4, accepts_etui(PROFILE, etui)).deal
    return play_of_spread(deal, dealer, None if free else taker, level=level, number=number)


def test_each_play_has_a_secret_of_its_own():
    assert len({spread_secret(number) for number in range(50)}) == 50


@pytest.mark.nightly("statistics")
def test_plays_of_an_imposed_garde_differ_by_chance_alone():
    plays = [play(number) for number in range(4)]
    assert {(each.taker, each.contract) for each in plays} == {("E", "garde")}
    assert len({each.score for each in plays}) > 1
    assert play(2) == plays[2]


@pytest.mark.nightly("statistics")
def test_contract_is_made_if_its_points_are_reached():
    plays = [play(number) for number in range(4)]
    assert [each.made for each in plays] == [each.score > 0 for each in plays]


def test_auction_names_its_taker_and_four_passes_name_none():
    assert play(0, free=True, level=BotLevel.POLICY).taker == "E"
    passed = next(
        each
        for etui in range(1, 60)
        if (
            each := play_of_spread(
                deal_etui(SEED, etui, 4).deal, taker_and_dealer(etui)[1], None, level=BotLevel.POLICY, number=0
            )
        ).taker
        == ""
    )
    assert passed == BotPlay("", "", 0, False)
