"""The ranking of a series: each way of counting by hand, and what never changes it."""

import datetime as dt
import random
from fractions import Fraction as F

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.series import EventResult, HeldEvent, PointRules, PointScale, SeriesRules, rank_series
from scoring.tournament import ResultCounting, RoundStage, TournamentRules

FIRST = dt.date(2026, 9, 4)
PLACES = PointRules(PointScale.PLACES)


def make_event(*players, week=0, percentages=None, **more):
    """Return an event with these players in the order of their ranks, with percentages from 60 down by 5."""
    percentages = percentages or [60 - 5 * place for place in range(len(players))]
    results = {
        player: EventResult(F(percentage), rank)
        for rank, (player, percentage) in enumerate(zip(players, percentages, strict=True), 1)
    }
    return HeldEvent(FIRST + dt.timedelta(weeks=week), results, **more)


def rows(events, rules):
    return [(each.player, each.total, each.rank) for each in rank_series(events, rules)]


def test_sum_of_points_by_place():
    events = [make_event("ada", "bob", "cyr"), make_event("bob", "cyr", week=1)]
    # places: ada 3; bob 2 + 2; cyr 1 + 1
    assert rows(events, SeriesRules(PLACES)) == [("bob", 4, 1), ("ada", 3, 2), ("cyr", 2, 3)]


def test_mean_percentage_with_a_least_number_of_events():
    events = [make_event("ada", "bob"), make_event("cyr", "bob", week=1), make_event("bob", week=2)]
    rules = SeriesRules(tournament=TournamentRules(ResultCounting.MEAN, least=2))
    assert rows(events, rules) == [("bob", F(55 + 55 + 60, 3), 1), ("ada", 60, None), ("cyr", 60, None)]


def test_best_two_of_three_by_a_table_with_coefficients():
    rules = SeriesRules(PointRules(PointScale.TABLE, (F(10), F(6), F(3))), TournamentRules(best_of=2))
    events = [
        make_event("ada", "bob", "cyr"),
        make_event("bob", "ada", "cyr", week=1, coefficient=F(3, 2)),
        make_event("ada", "cyr", "bob", week=2),
    ]
    # ada 10, 9, 10; bob 6, 15, 3; cyr 3, 4½, 6
    assert rows(events, rules) == [("bob", 21, 1), ("ada", 20, 2), ("cyr", F(21, 2), 3)]
    assert [each.counted for each in rank_series(events, rules)] == [(0, 1), (0, 2), (1, 2)]


def test_final_with_half_of_what_went_before():
    rules = SeriesRules(PLACES, TournamentRules(carry_over=F(1, 2)))
    events = [
        make_event("ada", "bob", "cyr", "dan"),
        make_event("bob", "cyr", "ada", "dan", week=1),
        make_event("cyr", "ada", week=2, stage=RoundStage.FINAL),
    ]
    # in the final: cyr 2 + (2 + 3)/2, ada 1 + (4 + 2)/2; outside: bob 3 + 4, dan 1 + 1
    assert rows(events, rules) == [("cyr", F(9, 2), 1), ("ada", 4, 2), ("bob", 7, 3), ("dan", 2, 4)]


def test_typed_list_counts_as_it_is_beside_points():
    typed = HeldEvent(FIRST, typed={"ada": F(7), "eve": F(12)})
    assert rows([make_event("ada", "bob"), typed], SeriesRules(PLACES)) == [
        ("eve", 12, 1),
        ("ada", 9, 2),
        ("bob", 1, 3),
    ]
    with pytest.raises(ValueError, match="typed"):
        rank_series([typed], SeriesRules())


def test_only_the_best_of_the_day_counts_if_the_series_says_so():
    events = [make_event("ada", "bob", "cyr"), make_event("bob", "ada"), make_event("ada", "bob", week=1)]
    both = rows(events, SeriesRules(PLACES))
    assert both == [("ada", 3 + 1 + 2, 1), ("bob", 2 + 2 + 1, 2), ("cyr", 1, 3)]
    once = SeriesRules(PLACES, best_of_day=True)
    assert rows(events, once) == [("ada", 5, 1), ("bob", 3, 2), ("cyr", 1, 3)]
    assert [each.counted for each in rank_series(events, once)] == [(0, 2), (0, 2), (0,)]


def test_best_of_the_day_is_the_best_after_its_coefficient():
    events = [make_event("ada", percentages=[60]), make_event("ada", percentages=[40], coefficient=F(2))]
    assert rows(events, SeriesRules(best_of_day=True)) == [("ada", 80, 1)]


def test_final_of_the_same_day_is_not_dropped():
    events = [make_event("ada", "bob"), make_event("bob", "ada", stage=RoundStage.FINAL)]
    assert rows(events, SeriesRules(PLACES, best_of_day=True)) == [("ada", 3, 1), ("bob", 3, 1)]


def test_player_without_a_rank_brings_only_presence():
    unranked = HeldEvent(FIRST, {"ada": EventResult(F(70), 1), "sub": EventResult(F(80), None)})
    assert rows([unranked], SeriesRules(PointRules(PointScale.PLACES, presence=F(1)))) == [("ada", 2, 1), ("sub", 1, 2)]
    assert rows([unranked], SeriesRules()) == [("ada", 70, 1)]


@given(st.integers(0, 1000))
def test_order_of_players_and_of_alike_events_changes_nothing(seed):
    chance = random.Random(seed)
    events = []
    for week in range(5):
        players = chance.sample("abcdefgh", 6)
        events.append(make_event(*players, week=week, percentages=sorted(chance.choices(range(40, 60), k=6))[::-1]))
    rules = SeriesRules(
        chance.choice([None, PLACES]), TournamentRules(chance.choice([*ResultCounting]), best_of=3, least=2)
    )
    moved = [
        HeldEvent(each.day, dict(chance.sample(list(each.results.items()), len(each.results))))
        for each in chance.sample(events, len(events))
    ]

    def facts(given):
        return {each.player: (each.total, each.rank, each.played) for each in rank_series(given, rules)}

    assert facts(moved) == facts(events)
