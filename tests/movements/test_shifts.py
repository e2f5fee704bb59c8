"""The rule that an arbiter can announce: followed by plain modular arithmetic, and perfect as far as it reaches."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movements import PlanStop, plan_tables
from movements.plan.plan import CYCLIC, make_line_plan
from movements.search.rules import cyclic_reach
from tests.movements.judge import judge, members, numbers

# The most positions for 1 to 24 tables: n divided by the largest divisor of n up to 4, by hand.
MOST = [1, 1, 1, 1, 5, 2, 7, 2, 3, 5, 11, 3, 13, 7, 5, 4, 17, 6, 19, 5, 7, 11, 23, 6]


def announced(tables, positions):
    """Return the announced plan: North stays, East goes up one table, South two, West three, étuis down one."""
    plays = tuple(
        PlanStop(
            position=p + 1,
            table=t + 1,
            etuis=((t + p) % tables + 1,),
            seats=members(t + 1, (t - p) % tables + 1, (t - 2 * p) % tables + 1, (t - 3 * p) % tables + 1),
        )
        for p in range(positions)
        for t in range(tables)
    )
    return replace(make_line_plan((tables,) * 4, positions, 1, plays, "cyclic"), shifts=CYCLIC)


def test_most_positions_by_table_count():
    assert [cyclic_reach(tables) for tables in range(1, 25)] == MOST


@pytest.mark.parametrize("tables", range(5, 61))
def test_plan_follows_the_announcement_as_far_as_it_stays_perfect(tables):
    plan = plan_tables(tables, cyclic_reach(tables), 1)
    assert plan == announced(tables, cyclic_reach(tables))
    assert judge(plan) == {}


@pytest.mark.parametrize("tables", range(2, 61))
def test_announcement_is_not_perfect_one_position_longer(tables):
    found = judge(announced(tables, cyclic_reach(tables) + 1))
    assert found
    assert set(found) <= {"meetings", "replays"}


@pytest.mark.parametrize("tables", [5, 7, 11, 13, 17, 19, 23, 25])
def test_everybody_meets_every_etui_where_the_rule_reaches_all_tables(tables):
    assert cyclic_reach(tables) == tables


def test_number_t_and_set_t_start_at_table_t():
    for play in plan_tables(7, 7, 1).at(1):
        assert (numbers(play), play.etuis) == ((play.table,) * 4, (play.table,))


def test_second_position_follows_the_announcement():
    second = list(plan_tables(5, 2, 1).at(2))
    assert [numbers(play) for play in second] == [(1, 5, 4, 3), (2, 1, 5, 4), (3, 2, 1, 5), (4, 3, 2, 1), (5, 4, 3, 2)]
    assert [play.etuis for play in second] == [(2,), (3,), (4,), (5,), (1,)]
    assert CYCLIC == (0, 1, 2, 3, -1)


@given(st.integers(5, 60), st.integers(1, 24))
def test_set_s_has_k_etuis_in_a_row(tables, k):
    for play in plan_tables(tables, 1, k).stops:
        assert play.etuis == tuple(range((play.table - 1) * k + 1, play.table * k + 1))


def test_fewer_positions_are_the_beginning_of_more():
    assert plan_tables(11, 4).stops == plan_tables(11, 11).stops[:44]
