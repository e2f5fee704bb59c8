"""The laws of a fair shuffle, the tests of uniformity and the means of a set. Unfair deals fail these tests.

The full measurement is `manage.py deal_statistics --deals 200000`. Here fewer deals are enough to see a fault.
"""

from fractions import Fraction
from math import comb

import pytest

from deals.domain.cards import CHIEN, HAND
from deals.domain.deal import Deal, places
from deals.domain.dealing import DealtEtui, deal_etui
from deals.domain.profile import evaluate_1
from deals.domain.statistics import (
    DealTally,
    HandMeans,
    UniformityResult,
    card_law,
    chi_square_z,
    count_hands,
    hypergeometric,
    means_by_place,
    petit_sec_rate,
    trump_law,
    uniformity,
)
from tests.deals.domain.test_dealing import plain_stream

SEED = bytes(range(32))
PLAYERS = [3, 4, 5]


def tallied(etuis, players=4):
    tally = DealTally(players)
    for etui in etuis:
        tally.add(etui)
    return tally


def failed(tally):
    return {finding.name for finding in uniformity(tally) if not finding.passed}


# Laws


def test_petit_sec_rate_of_four_players_is_the_published_one():
    assert petit_sec_rate(4) == Fraction(11066915160, 6001312165589)


@pytest.mark.parametrize("players", PLAYERS)
def test_petit_sec_rate_counts_hands_of_the_petit_and_suits(players):
    size = HAND[players]
    assert petit_sec_rate(players) == Fraction(players * comb(56, size - 1), comb(78, size))


@pytest.mark.parametrize("players", PLAYERS)
def test_laws_add_up(players):
    """Check the sums: each law gives 1, the mean lengths give the 22 trumps with the Excuse, cards fill the hands."""
    hand, chien = trump_law(players, "N"), trump_law(players, "chien")
    assert sum(hand) == sum(chien) == 1
    mean_hand, mean_chien = (sum(n * share for n, share in enumerate(law)) for law in (hand, chien))
    assert players * mean_hand + mean_chien == 22
    laws = [card_law(players, card) for card in range(78)]
    assert {sum(law) for law in laws} == {1}
    assert [sum(law[place] for law in laws) for place in range(players + 1)] == [HAND[players]] * players + [
        CHIEN[players]
    ]


@pytest.mark.parametrize("players", PLAYERS)
def test_laws_of_lengths_and_of_cards_agree(players):
    length = sum(number * share for number, share in enumerate(trump_law(players, "N")))
    assert length == sum(card_law(players, card)[0] for card in range(56, 78))


@pytest.mark.parametrize("players", PLAYERS)
def test_a_hand_with_one_trump_is_rarer_than_without_the_rule_of_the_petit_sec(players):
    plain = hypergeometric(78, 22, HAND[players], 1)
    kept = (1 - petit_sec_rate(players)) * trump_law(players, "N")[1]
    assert plain * Fraction(21, 22) * Fraction(9, 10) < kept < plain * Fraction(21, 22)
    assert trump_law(players, "N")[5] == pytest.approx(hypergeometric(78, 22, HAND[players], 5), rel=0.02)


def test_chi_square_of_exactly_the_law_is_far_below_and_of_another_law_far_above():
    law = [Fraction(1, 6)] * 6
    assert chi_square_z([1000] * 6, law) < -4
    assert abs(chi_square_z([1010, 985, 1034, 961, 1021, 989], law)) < 1
    assert chi_square_z([1200, 960, 960, 960, 960, 960], law) > 4


def test_chi_square_joins_classes_too_rare_to_count():
    law = [Fraction(1, 2), Fraction(1, 2) - Fraction(1, 1000), Fraction(1, 1000)]
    assert chi_square_z([500, 499, 1], law) == chi_square_z([500, 500], [Fraction(1, 2)] * 2)


# Fair deals pass


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(("players", "deals"), [(3, 3000), (4, 20_000), (5, 3000)])
def test_dealt_etuis_are_those_of_a_fair_shuffle(players, deals):
    tally = tallied((deal_etui(SEED, number, players) for number in range(1, deals + 1)), players)
    findings = uniformity(tally)
    lengths = [f"trump_length_{place}" for place in places(players)]
    assert [finding.name for finding in findings] == ["card_by_place", *lengths, "serial", "petit_sec"]
    assert [finding for finding in findings if abs(finding.z) >= 4] == []


# Unfair deals fail


def lazy_deal(number):
    """Return a deal shuffled without rejecting bytes, so that low places are a little too likely."""
    stream = plain_stream(SEED, number, 0, 4)
    cards = list(range(78))
    for i in range(77, 0, -1):
        j = next(stream) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return Deal([cards[s * 18 : s * 18 + 18] for s in range(4)], cards[72:])


def test_remainders_without_rejection_are_seen():
    assert "card_by_place" in failed(tallied(DealtEtui(lazy_deal(number), 0) for number in range(1, 5001)))


def test_etuis_that_resemble_the_one_before_are_seen():
    etuis = [deal_etui(SEED, number) for number in range(1, 2001)]
    slow = [etuis[i - 1] if i % 20 == 0 else etui for i, etui in enumerate(etuis)]
    assert (failed(tallied(etuis)), failed(tallied(slow))) == (set(), {"serial"})


def test_chosen_hands_are_seen():
    etuis = [deal_etui(SEED, number, accept=lambda deal: 76 in deal.hands[0]) for number in range(1, 1001)]
    assert {"card_by_place", "trump_length_N", "petit_sec"} <= failed(tallied(etuis))


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("attempt", [0, 1])
def test_petits_secs_that_never_or_always_come_are_seen(attempt):
    etuis = [DealtEtui(deal_etui(SEED, number).deal, attempt) for number in range(1, 10_001)]
    assert failed(tallied(etuis)) == {"petit_sec"}


@pytest.mark.parametrize(("z", "passed"), [(0.0, True), (3.99, True), (-3.99, True), (4.0, False), (-4.0, False)])
def test_a_finding_passes_within_four_deviations(z, passed):
    assert UniformityResult("x", z).passed == passed


# The content of a set


def test_means_by_place():
    north = [*range(14), 56, 57, 76, 77]
    others = [card for card in range(78) if card not in north]
    deal = Deal([north, others[:18], others[18:36], others[36:54]], others[54:])
    other = Deal([others[:18], north, others[18:36], others[36:54]], others[54:])
    points = Fraction(9 + 7 + 5 + 3 + 10 + 9 + 1 + 9 + 9, 2)
    assert means_by_place([deal])[0] == HandMeans("N", 3, 3, points, evaluate_1(north).total)
    both = means_by_place([deal, other])
    assert [row.place for row in both] == ["N", "E", "S", "W", "chien"]
    assert both[0][1:] == both[1][1:] == (Fraction(3, 2), Fraction(3, 2), *both[0][3:])
    assert sum(row.points for row in both) == 91
    assert both[-1].evaluation is None
    assert [sum(getattr(row, name) for row in both) for name in ("trumps", "bouts")] == [21, 3]


def test_spread_counts_hands():
    found = count_hands([(56, 76, 77), (0, 57), (13, 12)])
    assert (found.bouts, found.trumps) == ({3: 1, 0: 2}, {2: 1, 1: 1, 0: 1})
    assert sorted(found.evaluation.elements()) == sorted(
        evaluate_1(hand).total for hand in [(56, 76, 77), (0, 57), (13, 12)]
    )
