"""The chances in a series: what the next event must bring, what is still possible; examples computed by hand."""

from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.series import Outlook, PointRules, PointScale, SeriesRules, make_rounds, rank_series, read_rounds
from scoring.tournament import Result, ResultCounting, Round, RoundStage, TournamentRules, rank_tournament
from tests.scoring.series.test_standings import make_event

FINAL = Round({}, F(1), RoundStage.FINAL)
DOUBLE = Round({}, F(2))
ALIKE, PLAIN = Round({}), SeriesRules()
EVENTS = [make_event("ada", "bob"), make_event("ada", "cyr", week=1)]  # sums: ada 120, bob 55, cyr 55
MEANS = TournamentRules(ResultCounting.MEAN)


def needed(player, *, place=1, coming=ALIKE, events=EVENTS, rules=PLAIN, most=100):
    return outlook(player, events, rules).find_needed(place, F(most), coming)


def outlook(player, events=EVENTS, rules=PLAIN):
    return Outlook(make_rounds(events, rules), rules.tournament, player)


def test_what_is_needed_for_a_place():
    assert needed("bob") == (65, False)  # sums: ada 120, bob 55, cyr 55
    assert needed("ada") == (0, True)
    assert needed("bob", most=60) == (None, False)
    assert needed("bob", place=2) == (0, True)
    assert needed("new", place=2).needed == 55


def test_double_event_needs_half_as_much():
    assert needed("bob") == (65, False)
    assert needed("bob", coming=DOUBLE) == (F(65, 2), False)
    # 65 / 3 is not whole: the answer is exact to a thousandth, upwards
    assert needed("bob", coming=Round({}, F(3))) == (F(21667, 1000), False)
    assert needed("bob", most=60) == (None, False)
    assert needed("bob", most=60, coming=DOUBLE) == (F(65, 2), False)


def test_double_event_counts_twice_in_a_mean():
    events = [make_event("ada", percentages=[60]), make_event("bob", week=1, percentages=[50])]
    means = SeriesRules(tournament=MEANS)
    # (50 + x) / 2 = 60, so x is 70; (50 + 2x) / 3 = 60, so x is 65
    assert needed("bob", events=events, rules=means) == (70, False)
    assert needed("bob", events=events, rules=means, coming=DOUBLE) == (65, False)


def test_double_event_takes_the_place_of_the_worst_of_the_best_two():
    events = [make_event("ada", "bob", week=week, percentages=[60, 50]) for week in range(2)]
    rules = SeriesRules(tournament=TournamentRules(best_of=2))
    # ada has 120; bob 50 + 50, and keeps one 50: 50 + x = 120, or 50 + 2x = 120
    assert needed("bob", events=events, rules=rules) == (70, False)
    assert needed("bob", events=events, rules=rules, coming=DOUBLE) == (35, False)


@pytest.mark.parametrize(("carry", "least"), [(F(1), 65), (F(1, 2), F(65, 2)), (F(0), 0)])
def test_first_final_needs_the_part_of_the_lead_that_is_carried_over(carry, least):
    rules = SeriesRules(tournament=TournamentRules(carry_over=carry))
    assert needed("bob", rules=rules, coming=FINAL).needed == least


def test_final_with_a_coefficient_is_divided_by_it():
    rules = SeriesRules(tournament=TournamentRules(carry_over=F(1, 2)))
    # ada carries 60 over, bob 27½: the final counts double
    assert needed("bob", rules=rules, coming=Round({}, F(2), RoundStage.FINAL)) == (F(65, 4), False)


def test_leader_of_the_qualifying_events_has_not_won_before_the_final():
    rules = SeriesRules(tournament=TournamentRules(carry_over=F(1, 2)))
    assert needed("ada", rules=rules, coming=FINAL) == (0, True)  # if the final brings nobody more
    assert needed("dan", rules=rules, coming=FINAL) == (60, False)  # who has nothing to carry over
    means = SeriesRules(tournament=TournamentRules(ResultCounting.MEAN))
    # means: ada 60; in the final bob has (55 + x) / 2
    assert needed("bob", rules=means, coming=FINAL) == (65, False)


def test_second_evening_of_a_final_is_among_its_players():
    held = [*EVENTS, make_event("bob", "cyr", week=2, stage=RoundStage.FINAL, percentages=[52, 50])]
    # in the final: bob 55 + 52, cyr 55 + 50; ada, outside, has 120 and comes third
    assert needed("cyr", events=held, coming=FINAL) == (2, False)
    assert needed("bob", events=held, coming=FINAL) == (0, True)
    assert needed("ada", events=held, coming=FINAL) == (0, False)  # 120 in the final is more than 107


def test_highest_total_and_best_rank_with_coefficients_and_a_final():
    more = [DOUBLE, FINAL]
    # bob 55 + 2 · 100, half of it carried over, and 100
    half = SeriesRules(tournament=TournamentRules(carry_over=F(1, 2)))
    assert outlook("bob", rules=half).find_highest_total(more, F(100)) == F(255, 2) + 100
    assert outlook("bob").find_highest_total([], F(100)) == 55
    assert outlook("bob").find_best_rank([DOUBLE], F(30)) == 2  # 115 against 120
    assert outlook("bob").find_best_rank([DOUBLE], F(40)) == 1
    assert outlook("dan").find_best_rank([DOUBLE], F(20)) == 4  # 40 against 55 and 55
    least = SeriesRules(tournament=TournamentRules(least=3))
    assert outlook("bob", rules=least).find_best_rank([DOUBLE], F(100)) is None  # two events, of three at least


def test_points_of_a_table_with_decimals_are_searched_to_the_highest():
    rules = SeriesRules(PointRules(PointScale.TABLE, (F(21, 2), F(5))))
    events = [make_event("ada", "bob")]
    assert needed("bob", events=events, rules=rules, most=F(11, 2)) == (F(11, 2), False)


@given(st.data())
def test_value_that_is_needed_gives_the_place_and_a_thousandth_less_does_not(data):
    names = "abcd"
    figures, weights = st.integers(30, 70), st.integers(1, 3)
    stages = st.sampled_from([RoundStage.ALIKE, RoundStage.QUALIFYING])
    rounds = [
        Round({name: Result(F(data.draw(figures))) for name in names}, F(data.draw(weights)), data.draw(stages))
        for _ in range(data.draw(st.integers(1, 4)))
    ]
    rules = TournamentRules(
        data.draw(st.sampled_from(ResultCounting)), data.draw(st.sampled_from([None, 1, 2])), carry_over=F(1, 2)
    )
    coming = Round({}, F(data.draw(st.integers(1, 3))))
    place = data.draw(st.integers(1, 3))
    found = Outlook(rounds, rules, "a").find_needed(place, F(100), coming)

    def rank_with(value):
        played = Round({"a": Result(value)}, coming.coefficient, coming.stage)
        return next(each.rank for each in rank_tournament([*rounds, played], rules) if each.player == "a")

    if found.needed is None:
        assert rank_with(F(100)) > place
        return
    assert rank_with(found.needed) <= place
    if found.needed and not found.reached:
        assert rank_with(found.needed - F(1, 1000)) > place


def test_rounds_are_read_with_their_coefficients_and_stages():
    values = [{"ada": F(60), "bob": F(55)}, {"ada": F(50)}, {}]
    assert read_rounds(values, [DOUBLE, FINAL, ALIKE]) == [
        Round({"ada": Result(F(60)), "bob": Result(F(55))}, F(2)),
        Round({"ada": Result(F(50))}, F(1), RoundStage.FINAL),
        ALIKE,
    ]


def test_rank_of_the_outlook_is_that_of_the_standings():
    standings = {each.player: each.rank for each in rank_series(EVENTS, SeriesRules())}
    assert {name: outlook(name).rank for name in standings} == standings
