"""The order of few étuis a position: their numbers are laid so that all players attack about as often."""

from collections import Counter

import pytest

from movements import attacks, compute_figures, plan_tables, propose_plans, with_even_attacks
from tests.movements.judge import judge, numbered_from
from tests.movements.recount import check_plan


def told(plan, takers=None):
    """Return how many players attack how often."""
    taken = attacks(plan, takers=takers)
    return dict(sorted(Counter(taken[member] for member in plan.everybody() if member not in plan.fillers).items()))


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(
    ("tables", "positions", "etuis", "before", "after"),
    [
        (8, 5, 1, {0: 2, 1: 20, 2: 10}, {1: 24, 2: 8}),
        (10, 5, 1, {0: 4, 1: 22, 2: 14}, {1: 30, 2: 10}),
        (25, 5, 1, {0: 19, 1: 47, 2: 28, 3: 2, 4: 4}, {1: 75, 2: 25}),
        (25, 5, 2, {1: 11, 2: 38, 3: 44, 4: 4, 5: 3}, {2: 50, 3: 50}),
        (15, 5, 2, {1: 5, 2: 21, 3: 33, 4: 1}, {2: 30, 3: 30}),
    ],
)
def test_few_étuis_a_position_are_laid_so_that_attacks_are_even(tables, positions, etuis, before, after):
    plain = plan_tables(tables, positions, etuis)
    plan = propose_plans(4 * tables, positions, etuis)[0].plan
    assert (told(plain), told(plan)) == (before, after)
    assert (compute_figures(plan).least_attacks, compute_figures(plan).most_attacks) == (min(after), max(after))
    assert judge(plan) == {}
    assert check_plan(plan, compute_figures(plan)) == []
    numbers = {etui for play in plan.stops for etui in play.etuis}
    assert numbers == set(range(1, tables * etuis + 1))  # a set needs as many étuis as before
    assert plan.shifts == plain.shifts


def test_seven_étuis_name_one_line_once_so_that_two_of_it_never_attack():
    plan = propose_plans(28, 5, 1)[0].plan
    assert told(plan) == {0: 2, 1: 17, 2: 9}


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("players", [27, 29, 30])
def test_fillers_rovers_and_phantoms_too(players):
    for proposal in propose_plans(players, 5, 1):
        plain = next(one for one in propose_plans(players, 5, 1, imposed=False) if one.code == proposal.code)
        assert told(proposal.plan).get(0, 0) <= told(plain.plan).get(0, 0)
        assert check_plan(proposal.plan, proposal.figures) == []


@pytest.mark.parametrize("plan", [plan_tables(7, 5, 4), plan_tables(5, 5, 1), plan_tables(7, 5, 1, barometer=True)])
def test_what_is_even_stays_as_it_is(plan):
    assert with_even_attacks(plan) is plan


def test_a_free_auction_names_no_taker_and_changes_nothing():
    assert propose_plans(32, 5, 1, imposed=False)[0].plan == plan_tables(8, 5, 1)


def test_the_same_étuis_every_time():
    assert with_even_attacks(plan_tables(25, 5, 1)) == with_even_attacks(plan_tables(25, 5, 1))


@pytest.mark.parametrize(
    ("tables", "etuis", "takers", "least_most", "before"),
    [
        (7, 4, numbered_from(3, 28), (4, 6), (3, 7)),
        (25, 1, numbered_from(6, 25), (1, 2), (0, 4)),
        (8, 2, {etui: etui % 16 // 4 for etui in range(1, 17)}, (2, 3), (0, 4)),
        (8, 1, dict.fromkeys(range(1, 9), 0) | {7: 1, 8: 2}, (0, 4), (0, 4)),
    ],
)
def test_étuis_from_any_number_or_with_another_taker_are_laid_as_evenly(tables, etuis, takers, least_most, before):
    plain = plan_tables(tables, 5, etuis)
    plan = with_even_attacks(plain, takers)
    counted = [compute_figures(one, takers=takers) for one in (plain, plan)]
    assert [(one.least_attacks, one.most_attacks) for one in counted] == [before, least_most]
    assert judge(plan) == {}
    assert check_plan(plan, compute_figures(plan)) == []


def test_a_plan_laid_before_is_laid_as_if_it_had_not_been():
    plain = plan_tables(25, 5, 1)
    by_number, from_six = with_even_attacks(plain), with_even_attacks(plain, numbered_from(6, 25))
    assert by_number != from_six
    assert with_even_attacks(from_six) == by_number
    assert with_even_attacks(from_six, numbered_from(6, 25)) == from_six


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(
    ("players", "positions", "etuis", "least_most"),
    [
        (11, 8, 5, (7, 8)),
        (13, 5, 1, (1, 2)),
        (15, 8, 5, (8, 8)),
        (35, 5, 5, (5, 7)),
        (39, 6, 5, (7, 8)),
        (43, 5, 6, (7, 8)),
    ],
)
def test_attacks_are_even_too_where_somebody_rests_or_fills_in(players, positions, etuis, least_most):
    """Check the new figures. Earlier versions gave 4 to 10, 0 to 3, 6 to 10, 4 to 8, 5 to 9 and 4 to 9."""
    first = propose_plans(players, positions, etuis)[0]
    assert (first.figures.least_attacks, first.figures.most_attacks) == least_most
    assert set(judge(first.plan)) <= {"meetings"}
    assert check_plan(first.plan, first.figures) == []


def test_étuis_that_all_tables_play_move_position_only_where_somebody_rests():
    resting = propose_plans(13, 5, 1)[0].plan
    assert resting.barometer
    assert sorted(resting.at(position)[0].etuis for position in range(1, 6)) == [(n,) for n in range(1, 6)]
    assert with_even_attacks(plan_tables(4, 5, 1)) == plan_tables(4, 5, 1)
