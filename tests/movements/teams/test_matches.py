"""The plans of quadrettes and team matches: every attack is returned on the same étuis."""

import pytest

from movements import PlanError, compute_figures
from movements.teams import MATCH_QUARTERS, EtuiSets, plan_matches, plan_quadrettes
from tests.movements.recount import check_plan
from tests.movements.teams.judge import count_copies, count_rests, judge_mirror

TEAMS = range(2, 42)
WAYS = [(sets, halves) for sets in EtuiSets for halves in (False, True)]


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("teams", TEAMS)
def test_every_team_attacks_every_other_once_and_is_attacked_on_the_same_etuis(teams):
    for sets, halves in WAYS:
        plan = plan_quadrettes(teams, teams - 1, 2, sets=sets, halves=halves)
        figures = compute_figures(plan)
        assert judge_mirror(plan) == {}
        assert check_plan(plan, figures) == []
        assert {(stop.first, stop.second) for stop in plan.stops} == {
            (one, other) for one in range(1, teams + 1) for other in range(1, teams + 1) if one != other
        }
        assert {*count_rests(plan).values()} == {0}
        assert figures.attack_gap == figures.repeated == figures.bound == 0


@pytest.mark.parametrize("teams", [2, 3, 8, 9, 15])
def test_defence_keeps_its_table_and_only_attackers_move(teams):
    plan = plan_quadrettes(teams, teams - 1)
    assert plan.tables == teams
    assert all(stop.table == stop.second for stop in plan.stops)


@pytest.mark.parametrize("teams", [6, 8, 20])
def test_even_number_plays_both_halves_in_one_position(teams):
    plan = plan_quadrettes(teams, teams - 1)
    for position in range(1, teams):
        attacks = {(stop.first, stop.second) for stop in plan.at(position)}
        assert {(other, one) for one, other in attacks} == attacks
        assert plan.in_barometer(position)


@pytest.mark.parametrize("teams", [3, 5, 9, 15, 21])
def test_odd_number_goes_there_and_then_back_by_as_many_tables(teams):
    plan = plan_quadrettes(teams, teams - 1)
    for position in range(1, teams):
        tables = (position + 1) // 2
        by = tables if position % 2 else -tables
        assert {(stop.second - stop.first - by) % teams for stop in plan.at(position)} == {0}


@pytest.mark.parametrize("teams", [3, 5, 9, 15, 21])
def test_odd_number_needs_three_sets_for_two_positions_and_two_are_not_enough(teams):
    plan = plan_quadrettes(teams, teams - 1)
    for first in range(1, teams, 2):
        sets = {frozenset(stop.etuis) for stop in plan.stops if stop.position in (first, first + 1)}
        assert len(sets) == 3
    assert compute_figures(plan).etuis == 3 * (teams - 1) // 2 * 4
    # Two sets are not enough: the matches t, t + 1 form a cycle of odd length, in which neighbours differ.
    choices = range(2**teams if teams < 12 else 0)
    colourings = ([choice >> team & 1 for team in range(teams)] for choice in choices)
    assert all(any(colours[team - 1] == colours[team] for team in range(teams)) for colours in colourings)


@pytest.mark.parametrize("teams", [4, 6, 8, 10, 13, 17, 24])
def test_copies_are_as_few_as_counting_allows(teams):
    """Count copies: with e étuis, a table needs one of e at any moment, so n tables need n ÷ e copies of each."""
    for etuis in (2, 4, 6):
        halves = plan_quadrettes(teams, 2, etuis, halves=True)
        apart = plan_quadrettes(teams, 2, etuis, sets=EtuiSets.APART, halves=True)
        at_once = plan_quadrettes(teams, 2, etuis)
        for plan in (halves, apart, at_once):
            assert compute_figures(plan).copies == count_copies(plan)
        assert count_copies(apart) == 1
        if teams % 2 == 0:
            assert count_copies(halves) == -(-teams // etuis)
            assert count_copies(at_once) == 2 * -(-(teams // 2) // etuis)


def test_tables_of_a_match_exchange_the_halves_of_their_etuis():
    plan = plan_quadrettes(2, 1, 4, halves=True)
    assert [stop.etuis for stop in plan.stops] == [(1, 2, 3, 4), (3, 4, 1, 2)]
    assert compute_figures(plan).copies == 1
    assert [stop.etuis for stop in plan_quadrettes(2, 1, 4).stops] == [(1, 2, 3, 4), (1, 2, 3, 4)]
    assert compute_figures(plan_quadrettes(2, 1, 4)).copies == 2


@pytest.mark.parametrize("positions", [3, 5])
def test_odd_number_of_teams_refuses_an_odd_number_of_positions(positions):
    with pytest.raises(PlanError) as caught:
        plan_quadrettes(7, positions)
    assert (caught.value.code, caught.value.params["found"]) == ("mirror_positions", positions)


@pytest.mark.parametrize(("teams", "positions"), [(4, 5), (4, 6), (5, 8), (3, 4)])
def test_longer_event_begins_again_with_other_etuis(teams, positions):
    plan = plan_quadrettes(teams, positions)
    figures = compute_figures(plan)
    assert check_plan(plan, figures) == []
    assert figures.repeated == figures.bound == teams * (positions - teams + 1)


@pytest.mark.parametrize("teams", [1, 151])
def test_number_of_teams_out_of_range_is_refused(teams):
    with pytest.raises(PlanError) as caught:
        plan_quadrettes(teams, 2)
    assert caught.value.code == "teams"


@pytest.mark.parametrize("etuis", [4, 5, 6])
def test_match_has_four_quarters_in_two_rooms(etuis):
    plan = plan_matches([(1, 4), (3, 2)], etuis)
    assert (plan.positions, plan.tables, plan.etuis_per_position) == (MATCH_QUARTERS, 4, etuis)
    assert [(stop.table, stop.first, stop.second) for stop in plan.at(3)] == [
        (1, 1, 4),
        (2, 4, 1),
        (3, 3, 2),
        (4, 2, 3),
    ]
    figures = compute_figures(plan)
    assert check_plan(plan, figures) == []
    assert (figures.etuis, figures.most_meetings, figures.attack_gap) == (4 * etuis, 4, 0)
    assert 16 <= figures.etuis <= 24


def test_matches_with_etuis_of_their_own_need_one_copy_if_rooms_exchange_them():
    plan = plan_matches([(1, 2), (3, 4)], 4, sets=EtuiSets.APART, halves=True)
    figures = compute_figures(plan)
    assert (figures.copies, figures.etuis) == (1, 32)
    assert check_plan(plan, figures) == []


@pytest.mark.parametrize("etuis", [3, 7])
def test_quarter_of_another_size_is_refused(etuis):
    with pytest.raises(PlanError) as caught:
        plan_matches([(1, 2)], etuis)
    assert caught.value.code == "quarter_etuis"


@pytest.mark.parametrize("pairs", [[(1, 2), (2, 3)], [(1, 1)]])
def test_team_in_two_matches_is_refused(pairs):
    with pytest.raises(PlanError) as caught:
        plan_matches(pairs)
    assert caught.value.code == "match_twice"
