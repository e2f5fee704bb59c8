"""The directed search for even attacks, and the choice of other rovers if it fails."""

import pytest

from movements import compute_figures, propose_plans, with_even_attacks
from movements.plan.measures import taking_lines
from movements.search.even import can_be_more_even, lay_within
from tests.movements.forced_attacks import least_gap
from tests.movements.judge import judge
from tests.movements.recount import check_plan


def first_of(players, positions, etuis):
    return propose_plans(players, positions, etuis)[0]


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(
    ("players", "positions", "etuis", "least_most"),
    [(54, 8, 5, (9, 11)), (45, 6, 6, (8, 10)), (54, 6, 6, (8, 10)), (57, 8, 6, (11, 13))],
)
def test_attacks_differ_by_two_where_chance_left_three(players, positions, etuis, least_most):
    """Without the directed search they are 8 to 11, 7 to 10, 7 to 10 and 10 to 13."""
    first = first_of(players, positions, etuis)
    assert (first.figures.least_attacks, first.figures.most_attacks) == least_most
    assert judge(first.plan) == {}
    assert check_plan(first.plan, first.figures) == []


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(
    ("players", "positions", "etuis", "least_most"),
    [(49, 4, 5, (4, 6)), (50, 4, 5, (4, 6)), (57, 8, 5, (9, 11)), (29, 4, 5, (4, 6)), (30, 4, 6, (5, 6))],
)
def test_rovers_take_other_seats_where_attacks_are_even_only_then(players, positions, etuis, least_most):
    first = first_of(players, positions, etuis)
    plain = propose_plans(players, positions, etuis, imposed=False)[0]
    assert least_gap(with_even_attacks(plain.plan), 3) == 3
    assert (first.figures.least_attacks, first.figures.most_attacks) == least_most
    assert (first.plan.rule, first.params, first.fillers) == (plain.plan.rule, plain.params, plain.fillers)
    assert first.figures.exempt == plain.figures.exempt
    assert (first.figures.most_exempt, first.figures.repeated, first.figures.replays) == (1, 0, 0)
    assert judge(first.plan) == {}
    assert check_plan(first.plan, first.figures) == []


def test_étuis_within_bounds_keep_their_numbers_and_their_sets_sizes():
    plan = propose_plans(54, 6, 6, imposed=False)[0].plan
    laid = lay_within(plan, taking_lines(plan), 8, 10, steps=250)
    assert [play._replace(etuis=()) for play in laid.stops] == [play._replace(etuis=()) for play in plan.stops]
    sets = {play.etuis for play in laid.stops}
    assert sorted(etui for etuis in sets for etui in etuis) == list(range(1, 79))
    assert {len(etuis) for etuis in sets} == {6}
    assert laid == lay_within(plan, taking_lines(plan), 8, 10, steps=250)


@pytest.mark.guard("the search that lays an evening within its bounds")
def test_search_that_meets_no_bounds_ends_with_what_misses_them_least():
    plan = propose_plans(41, 6, 6)[0].plan
    assert least_gap(plan, 3) == 3
    assert can_be_more_even(plan)  # as far as counting tells
    found = compute_figures(lay_within(plan, taking_lines(plan), 8, 10, steps=250))
    assert found.most_attacks - found.least_attacks == 3
