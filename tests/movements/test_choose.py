"""The choice of positions: it keeps the movement perfect and makes the comparisons of a line more even."""

import pytest

from movements import choose_positions, compute_figures, plan_tables
from movements.search.rules import widest_rule
from tests.movements.judge import judge
from tests.movements.recount import check_plan


@pytest.mark.parametrize(
    ("tables", "positions", "consecutive", "chosen"),
    [(16, 8, 47, 90), (10, 5, 56, 97), (13, 8, 91, 99), (25, 5, 28, 83), (30, 5, 23, 67)],
)
def test_balance_of_consecutive_and_of_chosen_positions(tables, positions, consecutive, chosen):
    plain, picked = plan_tables(tables, positions), plan_tables(tables, positions, chosen=True)
    assert (compute_figures(plain).balance, compute_figures(picked).balance) == (consecutive, chosen)
    assert judge(picked) == {}
    assert check_plan(picked, compute_figures(picked)) == []


def test_all_positions_leave_no_choice():
    rule = widest_rule(9)
    assert choose_positions(rule, 9).shifts == rule.shifts


def test_the_same_choice_every_time():
    assert plan_tables(27, 9, chosen=True) == plan_tables(27, 9, chosen=True)


def test_no_choice_where_the_evening_is_too_long_for_one():
    assert plan_tables(4, 5, chosen=True) == plan_tables(4, 5)
