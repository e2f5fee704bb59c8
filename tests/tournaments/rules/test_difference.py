"""The reasons for a difference between two results: each rule on its facts, and no reason where no fact gives one."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.contract import FFT, Chelem, Contract, DealResult, Poignee, Side, score_deal
from scoring.ranking import Line
from tournaments.rules.difference import RULES, ComparedPlay, Pair, explain

NORTH = Line("N")
MADE = DealResult(players=4, contract=Contract.GARDE, bouts=2, half_points=2 * 45)


def played(result, taker=NORTH, unit=1):
    return ComparedPlay(unit * score_deal(result).base_score, unit, taker, result)


def with_facts(**facts):
    points = facts.pop("points", None)
    return replace(MADE, **facts, **({} if points is None else {"half_points": 2 * points}))


def reasons(*results, **more):
    found = explain([played(result, **more) for result in results])
    return {} if found is None else {each.code: each for each in found.reasons}


def test_made_against_failed_is_twice_what_every_contract_has():
    found = reasons(MADE, with_facts(points=38), MADE)
    assert list(found) == ["made"]
    assert found["made"].gain == 100
    assert (found["made"].params["count"], found["made"].params["plays"]) == (2, 3)


def test_poignee_that_both_showed_goes_to_the_winner_with_the_deal():
    shown = {"poignees_attack": (Poignee.SIMPLE,)}
    assert reasons(with_facts(**shown), with_facts(points=38, **shown))["made"].gain == 140


def test_defence_did_best_where_the_deal_failed():
    found = reasons(MADE, with_facts(points=38), unit=-1)
    assert list(found) == ["failed"]
    assert found["failed"].gain == 100


def test_bouts_lower_what_is_to_be_made():
    found = reasons(with_facts(bouts=3, points=45), with_facts(bouts=1, points=52))
    assert found["bouts"].gain == 30
    assert {name: found["bouts"].params[name] for name in ("best", "worst", "target", "other")} == {
        "best": 3, "worst": 1, "target": 36, "other": 51,
    }  # fmt: skip


@pytest.mark.parametrize(("points", "speaks"), [(54, False), (55, True)])
def test_points_speak_from_ten_on(points, speaks):
    assert ("points" in reasons(with_facts(points=points), MADE)) == speaks


def test_petit_au_bout_is_worth_ten_at_the_coefficient_each_way():
    found = reasons(with_facts(petit_au_bout=Side.ATTACK), with_facts(petit_au_bout=Side.DEFENCE))
    assert (list(found), found["petit_au_bout"].gain) == (["petit_au_bout"], 40)


def test_poignee_shown_at_one_table_alone():
    found = reasons(with_facts(poignees_defence=(Poignee.DOUBLE,)), MADE)
    assert found["poignee"].gain == 30
    assert found["poignee"].params["best"] == (("double", "defence"),)
    assert found["poignee"].params["worst"] == ()


def test_chelem():
    found = reasons(with_facts(bouts=3, points=91, chelem=Chelem.UNANNOUNCED_MADE), MADE)
    assert next(iter(found)) == "chelem"
    assert found["chelem"].gain == 200


def test_contract_of_a_free_auction_takes_what_its_coefficient_brings():
    found = reasons(with_facts(contract=Contract.GARDE_SANS), MADE, unit=3)
    assert (list(found), found["contract"].gain) == (["contract"], 3 * 29 * 2)


def test_contract_takes_what_its_coefficient_brings_to_the_same_petit_too():
    """Check a Garde sans with the petit, worth 4 × 10 for it, against a Garde with it, worth 2 × 10."""
    both = {"petit_au_bout": Side.ATTACK, "points": 45}
    found = reasons(with_facts(contract=Contract.GARDE_SANS, **both), with_facts(**both))
    assert {code: each.gain for code, each in found.items()} == {"contract": 2 * (25 + 4 + 10)}


def test_another_taker_is_all_that_is_said():
    plays = [played(MADE, unit=3), played(with_facts(points=60), Line("E"), -1)]
    found = explain(plays)
    assert [(each.code, each.gain) for each in found.reasons] == [("taker", found.best - found.worst)]
    passed = explain([played(MADE, unit=3), ComparedPlay(0, 3, None, None)])
    assert [(each.code, each.params["worst"]) for each in passed.reasons] == [("taker", None)]


def test_takers_of_two_seats_are_compared_by_nothing_else():
    """Check points that alone would explain a part of the difference."""
    found = explain([played(with_facts(points=75), unit=3), played(MADE, Line("E"), 3)])
    assert [each.code for each in found.reasons] == ["taker"]


def test_rest_is_what_no_reason_explains():
    found = explain([played(with_facts(points=50)), played(with_facts(points=36))])
    assert [(each.code, each.gain) for each in found.reasons] == [("made", 100), ("points", 28)]
    assert (found.gap, found.rest) == (found.best - found.worst, found.best - found.worst - 128)
    apart = explain([played(with_facts(points=45)), played(with_facts(points=38))])
    assert (apart.gap, apart.rest) == (114, 14)


def test_petit_of_another_side_is_no_part_of_the_contract():
    best = with_facts(contract=Contract.GARDE_SANS, points=45, petit_au_bout=Side.ATTACK)
    assert reasons(best, with_facts(points=45))["contract"].gain == 2 * (25 + 4)


def test_greatest_reason_comes_before_the_first_rule():
    found = reasons(with_facts(points=91 - 9), with_facts(points=41, petit_au_bout=Side.DEFENCE))
    assert list(found) == ["points", "petit_au_bout"]


def test_points_tell_how_often_the_score_counts_each():
    assert reasons(with_facts(points=70), MADE, unit=-3)["points"].params["times"] == 6


def test_most_telling_first_and_three_at_most():
    best = with_facts(bouts=3, points=70, petit_au_bout=Side.ATTACK, poignees_attack=(Poignee.TRIPLE,))
    found = explain([played(best), played(with_facts(bouts=1, points=40, petit_au_bout=Side.DEFENCE))])
    gains = [each.gain for each in found.reasons]
    assert len(gains) == 3
    assert gains == sorted(gains, reverse=True)
    assert (found.best, found.worst) == (score_deal(best).base_score, -92)


@pytest.mark.parametrize(("points", "told"), [(15, ["made", "points"]), (16, ["made", "points", "petit_au_bout"])])
def test_reason_explains_a_tenth_of_the_difference_at_least(points, told):
    """Check a petit au bout, worth 20, in differences of 202 and 200 points."""
    best, worst = with_facts(points=56, petit_au_bout=Side.ATTACK), with_facts(points=points)
    assert score_deal(best).base_score - score_deal(worst).base_score == 2 * (116 - points)
    assert list(reasons(best, worst)) == told


def test_what_works_against_the_difference_is_not_said():
    """Check a worst result that had the petit au bout, and was lost all the same."""
    assert "petit_au_bout" not in reasons(MADE, with_facts(points=30, petit_au_bout=Side.ATTACK))


def test_what_is_less_than_a_tenth_of_it_is_not_said():
    best = with_facts(bouts=3, points=91, chelem=Chelem.ANNOUNCED_MADE, petit_au_bout=Side.ATTACK)
    assert "petit_au_bout" not in reasons(best, MADE)
    tenth = reasons(with_facts(points=51, petit_au_bout=Side.ATTACK), with_facts(points=11))
    assert {code: each.gain for code, each in tenth.items()} == {"made": 100, "points": 80, "petit_au_bout": 20}


def test_two_ways_to_one_score_are_not_passed_off_as_one():
    """Check two ways to +78, by the petit au bout and by ten more points: no reason is given for either."""
    found = reasons(with_facts(petit_au_bout=Side.ATTACK), with_facts(points=55), with_facts(points=38))
    assert list(found) == ["made"]


@pytest.mark.parametrize(
    "plays",
    [
        [],
        [played(MADE)],
        [played(MADE)] * 7,
        [ComparedPlay(106, 1, NORTH, None), ComparedPlay(-84, 1, NORTH, None)],
        [played(MADE), ComparedPlay(-84, 1, NORTH, None)],
        [played(MADE), played(with_facts(bouts=3, points=40))],
        [ComparedPlay(0, 3, None, None)] * 5,
    ],
    ids=["none", "one", "all alike", "scores alone", "a score alone", "all small", "all passed"],
)
def test_silence(plays):
    assert explain(plays) is None


RESULTS = st.builds(
    DealResult,
    players=st.just(4),
    contract=st.sampled_from(Contract),
    bouts=st.integers(0, 3),
    half_points=st.integers(20, 74).map(lambda points: 2 * points),
    petit_au_bout=st.just(Side.NONE) | st.sampled_from([Side.ATTACK, Side.DEFENCE]),
    poignees_attack=st.sampled_from([(), (Poignee.SIMPLE,), (Poignee.DOUBLE,)]),
)


@given(RESULTS, RESULTS, st.sampled_from([1, 3, -1]))
def test_what_the_rules_find_is_the_whole_difference(one, other, unit):
    """Check that the reasons add up to the difference, except for points less than ten apart, which have no rule."""
    plays = [played(result, unit=unit) for result in (one, other) if abs(score_deal(result).base_score) < 1000]
    if len({play.score for play in plays}) < 2:
        return
    pair = Pair(plays, FFT)
    best, worst = pair.best[0].result, pair.worst[0].result
    gains = sum((found.gain for rule in RULES if (found := rule(pair))), Fraction(0))
    coefficient = pair.rules.coefficients[worst.contract]
    missing = Fraction(0)
    if abs(best.half_points - worst.half_points) < 20:
        missing += Fraction(unit * coefficient * (best.half_points - worst.half_points), 2)
    assert gains + missing == pair.gap


def test_five_thousand_plays_are_explained_as_two():
    plays = [played(with_facts(points=30 + n % 31)) for n in range(5000)]
    found = explain(plays)
    assert [each.code for each in found.reasons] == ["made", "points"]
    assert found.reasons[0].params["plays"] == 5000
