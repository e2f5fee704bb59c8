"""The results that are marked odd: fiches with a mistake, but not what the cards can do by themselves."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.contract import Contract, DealResult, Side, score_deal
from scoring.ranking import Line
from tournaments.rules.entry import Facts, Fiche
from tournaments.rules.etuis import odd, odd_entries

MADE = [56, 62, 70, 58, 64, 74]


def by_table(scores):
    return dict(enumerate(scores, start=1))


@pytest.mark.parametrize(
    ("fiche", "marked"),
    [
        (3 * 62, {7}),  # the taker's mark was written in place of the base score
        (-62, set()),  # the contract is made or failed by 12 points, which may happen with any étui
        (-104, {7}),
        (264, {7}),  # a chelem
        (126, set()),  # 31 points from the median of the others
        (130, {7}),
    ],
)
def test_a_fiche_far_from_the_others_is_marked(fiche, marked):
    assert odd(by_table([*MADE, fiche])) == marked


def test_made_at_some_tables_and_failed_at_others_is_not_odd():
    assert odd(by_table([50, 52, 58, -52, -54, -60, 62])) == set()


def test_odd_needs_three_others():
    assert odd(by_table([56, 62, 318])) == set()
    assert odd(by_table([56, 62, 58, 318])) == {4}
    assert odd({}) == set()


def test_two_wrong_results_do_not_hide_each_other():
    assert odd(by_table([*MADE, 318, 300])) == {7, 8}


def test_tables_that_fall_into_two_equal_camps_are_all_odd():
    assert odd(by_table([56, 60, 160, 164])) == {1, 2, 3, 4}


def test_what_the_others_scatter_is_not_odd():
    assert odd(by_table([50, 80, 110, -60, -90, 130, 140])) == set()


@pytest.mark.parametrize(("score", "marked"), [(160, set()), (162, {5})])
def test_odd_is_farther_than_four_times_the_spread_of_the_others(score, marked):
    """Check a spread of 20: the others are at 30 and 10 on both sides of 80."""
    assert odd(by_table([50, 70, 90, 110, score])) == marked


def counted(bouts, points):
    return Facts(Line.N, DealResult(4, Contract.GARDE, bouts, 2 * points))


def test_points_are_compared_where_they_are_known_and_bouts_lost_are_allowed_for():
    usual = [counted(2, 50), counted(2, 48), counted(1, 45), counted(2, 52)]
    assert odd_entries(by_table([*usual, counted(2, 69)])) == set()
    assert odd_entries(by_table([*usual, counted(2, 70)])) == {5}
    assert odd_entries(by_table([*usual, counted(2, 30)])) == {5}
    assert odd_entries(by_table([*usual, counted(1, 26)])) == set()


@pytest.mark.parametrize(("bouts", "points", "marked"), [(1, 26, set()), (1, 25, {5}), (3, 74, set()), (3, 75, {5})])
def test_bout_counts_five_points_where_points_are_compared(bouts, points, marked):
    assert odd_entries(by_table([*4 * [counted(2, 50)], counted(bouts, points)])) == marked


def test_fiche_among_facts_is_compared_by_its_score():
    usual = [counted(2, 50), counted(2, 48), counted(2, 45), counted(2, 52)]
    assert odd_entries(by_table([*usual, Fiche(Line.N, 50 + 2 * 40)])) == set()
    assert odd_entries(by_table([*usual, Fiche(Line.N, 3 * 68)])) == {5}
    assert odd_entries(by_table([*usual[:3], Fiche(Line.N, 3 * 68)])) == {4}


def test_three_facts_are_too_few_to_be_compared_by_points():
    scores = by_table([counted(2, 50), counted(2, 48), counted(2, 87), Fiche(Line.N, 60)])
    assert odd_entries(scores) == {3}


def test_nobodys_deal_counts_as_one_at_the_target():
    assert odd(by_table([0, 50, 50, 50]), far=0) == set()
    assert odd(by_table([0, -52, -52, -52]), far=0) == {1}


def test_taker_at_one_point_more_or_less_is_as_far_on_both_sides_of_the_target():
    """Check points on both sides of the target: without its base, a Garde's score grows by 2 with each point."""
    result = DealResult(4, Contract.GARDE, 2, 0, Side.NONE)
    scores = [score_deal(replace(result, half_points=2 * points)).base_score for points in range(20, 80)]
    for low in range(60 - 33):
        assert odd(by_table([scores[low]] * 3 + [scores[low + 32]])) == set()
        assert odd(by_table([scores[low]] * 3 + [scores[low + 33]])) == {4}


scores = st.lists(st.integers(-400, 400), max_size=12)


@given(scores, st.sampled_from(Contract))
def test_odd_marks_the_same_for_the_opposite_scores(scores, contract):
    assert odd(by_table(scores), contract) == odd(by_table([-score for score in scores]), contract)


@given(scores, st.integers(-200, 200))
def test_what_most_of_the_others_had_is_not_odd(scores, usual):
    marked = odd(by_table([*scores, *[usual] * (len(scores) + 1)]))
    assert marked <= set(range(1, len(scores) + 1))


@given(scores, st.randoms(use_true_random=False))
def test_odd_marks_plays_and_not_places(scores, rng):
    items = list(by_table(scores).items())
    rng.shuffle(items)
    assert odd(dict(items)) == odd(by_table(scores))


@pytest.mark.parametrize("contract", Contract)
def test_distance_is_counted_in_points_of_the_contract(contract):
    def score(points):
        return score_deal(DealResult(4, contract, 2, 2 * points)).base_score

    assert odd(by_table([score(45)] * 3 + [score(77)]), contract) == set()
    assert odd(by_table([score(45)] * 3 + [score(78)]), contract) == {4}


def evening(dice: random.Random, plays: int) -> list[int]:
    """Return base scores of an étui made about half the time.

    Points scatter by 7, and the Petit is lost now and then.
    """
    middle, petit_lost = dice.gauss(45, 4), dice.choice((0.1, 0.3))
    results = []
    for _ in range(plays):
        bouts = 1 + (dice.random() >= petit_lost)
        half_points = 2 * min(max(round(dice.gauss(middle, 7)), 10), 80)
        petit = dice.choices((Side.NONE, Side.ATTACK, Side.DEFENCE), (88, 8, 4))[0]
        results.append(score_deal(DealResult(4, Contract.GARDE, bouts, half_points, petit)).base_score)
    return results


@pytest.mark.nightly("story")
@pytest.mark.parametrize("plays", [4, 7, 11])
def test_rule_marks_few_ordinary_results_and_nearly_every_mark_for_a_base_score(plays):
    dice = random.Random(plays)
    etuis = [evening(dice, plays) for _ in range(400)]
    ordinary = sum(len(odd(by_table(scores))) for scores in etuis)
    tripled = sum(1 in odd(by_table([3 * scores[0], *scores[1:]])) for scores in etuis)
    assert ordinary / (400 * plays) < 0.03
    assert tripled / 400 > 0.95
