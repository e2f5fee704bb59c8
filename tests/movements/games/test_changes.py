"""The tables of free deals after somebody comes late or leaves."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from movements import OddTables, compute_figures, read_plan, write_plan
from movements.games import add_person, plan_games, remove_person, replan_games
from movements.plan.bounds import PlanError
from tests.movements.games.fields import VARIED, list_dealers, refused_as, seat_all_by_ranking
from tests.movements.recount import check_plan


def seats_of(games, game):
    return [part.people for part in games.at(game)]


def check(games):
    assert check_plan(games, compute_figures(games)) == []
    assert read_plan(write_plan(games)) == games


def test_a_fifth_person_comes_at_deal_three():
    games = add_person(plan_games(20, 5, 4), 1, 3, table=2)
    check(games)
    before, after = [part for part in games.at(1) if part.table == 2]
    assert (before.start, before.end, after.start, after.end) == (1, 2, 3, 4)
    assert set(after.people) == {*before.people, 21}
    turn = list_dealers(plan_games(20, 5, 4).at(1)[1])
    assert list_dealers(before) + list_dealers(after) == turn


def test_somebody_leaves_at_deal_three_and_the_others_keep_their_turn():
    planned = plan_games(20, 5, 4)
    turn = list_dealers(planned.at(1)[0])
    games = remove_person(planned, turn[3], 1, 3)
    check(games)
    before, after = [part for part in games.at(1) if part.table == 1]
    assert list_dealers(before) == turn[:2]
    assert list_dealers(after) == [turn[2], turn[0]]
    assert all(turn[3] not in part.people for game in range(2, 6) for part in games.at(game))


def test_two_leave_one_table():
    planned = plan_games(20, 5, 4)
    one, two, *stay = planned.at(2)[0].people
    games = remove_person(remove_person(planned, one, 2), two, 2)
    check(games)
    assert seats_of(games, 1) == seats_of(planned, 1)
    assert sorted(map(len, seats_of(games, 2))) == [4, 4, 5, 5]
    assert {number for people in seats_of(games, 2) for number in people} == set(range(1, 21)) - {one, two}
    assert all(any(number in people for people in seats_of(games, 2)) for number in stay)


def test_two_leave_one_table_within_a_game_and_its_later_deals_go():
    planned = plan_games(20, 5, 4)
    one, two, *_ = planned.at(1)[0].people
    games = remove_person(remove_person(planned, one, 1, 3), two, 1, 3)
    check(games)
    assert [(part.start, part.end) for part in games.at(1) if part.table == 1] == [(1, 2)]


def test_a_late_person_joins_a_table_of_three():
    planned = plan_games(19, 5, 4)
    games = add_person(planned, 3)
    check(games)
    assert games.present(2) == tuple(range(1, 20))
    assert [sorted(map(len, seats_of(games, game))) for game in range(1, 6)] == [[3, 4, 4, 4, 4]] * 2 + [[4] * 5] * 3
    assert seats_of(games, 2) == seats_of(planned, 2)


def test_a_late_person_makes_a_table_of_five_if_none_has_three():
    games = add_person(plan_games(20, 5, 4, OddTables.MORT), 2)
    check(games)
    fives = [part for game in range(2, 6) for part in games.at(game) if len(part.people) == 5]
    assert [part.end for part in fives] == [5] * 4
    assert all(len(set(part.rests)) == 5 for part in fives)


@pytest.mark.nightly("statistics")
def test_a_late_person_has_no_table_before_their_game_is_seated():
    games = replace(seat_all_by_ranking(20, 2), positions=5)
    waiting = add_person(games, 3)
    assert (waiting.competitors, waiting.present(3)[-1], waiting.stops) == (21, 21, games.stops)


@pytest.mark.nightly("statistics")
def test_mates_stay_apart_where_others_take_the_places_of_a_table_that_is_too_small():
    games = plan_games(11, 2, 4, teams=[2] * 5)
    check(remove_person(games, 3, 1))
    check(remove_person(games, 3, 2))


def test_nobody_leaves_if_mates_would_have_to_meet():
    games = plan_games(9, 2, 4, teams=[3] * 3)
    with refused_as("mates_meet"):
        remove_person(games, 1, 2)


def test_the_rest_is_planned_anew_with_fewer_repeated_meetings():
    changed = add_person(plan_games(20, 5, 4), 2)
    again = replan_games(changed, 2)
    check(again)
    assert seats_of(again, 1) == seats_of(changed, 1)
    assert [sorted(map(len, seats_of(again, game))) for game in range(2, 6)] == [[3, 3, 3, 4, 4, 4]] * 4
    assert compute_figures(again).repeated <= compute_figures(changed).repeated


def test_somebody_who_left_cannot_leave_again():
    games = remove_person(plan_games(8, 5, 4), 3, 2)
    with refused_as("not_there"):
        remove_person(games, 3, 4)


def test_no_sixth_person_joins_a_table():
    games = plan_games(5, 5, 4)
    with refused_as("table_full"):
        add_person(games, 2)
    with refused_as("table_full"):
        add_person(games, 2, 3, table=1)


@pytest.mark.nightly("statistics")
@given(
    st.integers(12, 40),
    st.sampled_from(VARIED),
    st.lists(st.tuples(st.booleans(), st.integers(1, 5), st.integers(1, 4), st.integers(1, 40)), max_size=5),
)
@settings(max_examples=60, deadline=None)
def test_any_changes_leave_right_games(people, odd, changes):
    games = plan_games(people, 5, 4, odd)
    now = (1, 1)
    for comes, game, deal, number in sorted(changes, key=lambda change: change[1:3]):
        if (game, deal) < now:
            continue
        now = game, deal
        with suppress(PlanError):
            if comes:
                games = add_person(games, game, deal, table=1 + number % 3)
            else:
                games = remove_person(games, number, game, deal)
        check(games)


def test_a_late_mate_never_meets_the_team():
    games = plan_games(12, 3, 4, teams=[2])
    (team,) = games.mates
    changed = add_person(games, 2, mates=team[:1])
    check(changed)
    assert changed.mates == ((*team, 13),)


def test_a_late_mate_of_somebody_without_a_team_so_far_makes_one():
    games = add_person(plan_games(8, 2, 4), 1, mates=[3])
    assert games.mates == ((3, 9),)
    check(games)


@pytest.mark.nightly("statistics")
def test_games_are_planned_again_if_the_only_place_is_at_the_table_of_a_mate():
    games = plan_games(14, 1, 4, OddTables.FIVES)
    full = next(part for part in games.at(1) if len(part.people) == 4)
    changed = add_person(games, 1, mates=[full.people[0]])
    check(changed)
    assert changed.competitors == 15


@pytest.mark.parametrize("deal", [1, 3])
def test_a_late_mate_does_not_join_the_table_of_the_team(deal):
    games = plan_games(8, 2, 4)
    table = next(part.table for part in games.at(1) if 3 in part.people)
    with refused_as("mates_at_table"):
        add_person(games, 1, deal, table=table, mates=[3])
    check(add_person(games, 1, deal, table=3 - table, mates=[3]))


def test_late_mates_who_must_meet_are_refused():
    with refused_as("mates_meet"):
        add_person(plan_games(8, 2, 4), 1, mates=[1, 2, 3])
