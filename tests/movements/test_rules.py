"""The number of perfect positions for every number of tables, by the tests' own verifier."""

import json
from pathlib import Path

import pytest

from movements import PlanError, compute_figures, lay_out, most_perfect, plan_tables, rule_for
from movements.plan.bounds import MAX_TABLES
from movements.plan.plan import CYCLIC
from movements.search.rules import Rule, cyclic_reach, search_shifts
from tests.movements.judge import judge, most_meetings, numbers
from tests.movements.recount import check_plan

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "shift_table.json").read_text())
SHORT = {6: 5, 10: 9}  # no plan exists for 6 positions at 6 tables, and none is known for 10 at 10


@pytest.mark.parametrize("tables", range(5, 61))
def test_perfect_for_as_many_positions_as_tables_or_twenty(tables):
    wanted = SHORT.get(tables, min(tables, 20))
    plan = plan_tables(tables, wanted)
    assert (plan.tables, plan.positions, plan.barometer_after) == (tables, wanted, None)
    assert judge(plan) == {}
    assert check_plan(plan, compute_figures(plan)) == []


@pytest.mark.parametrize("tables", range(61, MAX_TABLES + 1))
def test_perfect_for_twenty_positions_beyond(tables):
    plan = plan_tables(tables, 20, 1)
    assert plan.barometer_after is None
    assert judge(plan) == {}


@pytest.mark.parametrize("tables", [8, 9, 16, 25, 27, 32, 49, 56])
def test_prime_powers_and_their_products_are_complete(tables):
    plan = plan_tables(tables, tables, 1)
    assert judge(plan) == {}
    assert (compute_figures(plan).balance, compute_figures(plan).missing) == (100, 0)


@pytest.mark.parametrize("tables", range(5, 151))
def test_the_simplest_rule_that_reaches_is_taken(tables):
    reach = cyclic_reach(tables)
    assert (rule_for(tables, reach).name, rule_for(tables, reach).announced) == ("cyclic", CYCLIC)
    if reach < most_perfect(tables):
        assert rule_for(tables, reach + 1).name in ("field", "product", "table", "search", "squares")
        assert rule_for(tables, reach + 1).announced is None


@pytest.mark.parametrize("tables", [int(tables) for tables in GOLDEN])
def test_the_table_of_sequences_is_perfect_as_given(tables):
    entry = GOLDEN[str(tables)]
    rule = Rule("given", tuple(entry["group"]), tuple(map(tuple, entry["shifts"])))
    assert judge(lay_out(rule, 1)) == {}
    assert most_perfect(tables) >= len(rule.shifts)


@pytest.mark.parametrize("tables", [14, 18, 20])
def test_squares_are_the_known_perfect_plans_with_number_t_at_table_t_first(tables):
    known = json.loads((Path(__file__).parents[1] / "golden" / f"perfect_{tables}.json").read_text())
    plan = plan_tables(tables, tables, 4)
    assert (plan.rule, plan.barometer_after, plan.shifts) == ("squares", None, None)
    assert judge(plan) == {}
    assert check_plan(plan, compute_figures(plan)) == []
    found = compute_figures(plan)
    assert (found.perfect, found.missing, found.balance) == (True, 0, 100)
    assert [numbers(play) for play in plan.at(1)] == [(table,) * 4 for table in range(1, tables + 1)]
    started = [[row[place] for row in known[0]] for place in range(5)]
    for position, rows in enumerate(known, start=1):
        there = {numbers(play): play.etuis[0] for play in plan.at(position)}
        for row in rows:
            *seats, laid = (numbers.index(who) + 1 for numbers, who in zip(started, row, strict=True))
            assert there[tuple(seats)] == 4 * laid - 3


@pytest.mark.parametrize("tables", [14, 18, 20])
def test_beyond_the_squares_no_more_is_repeated_than_counting_demands(tables):
    for positions in (tables + 1, tables + 2):
        plan = plan_tables(tables, positions, 1)
        found = compute_figures(plan)
        assert (found.repeated, found.replays) == (found.bound, 0)
        assert check_plan(plan, found) == []


@pytest.mark.parametrize(
    ("tables", "positions", "most", "repeated"),
    [(2, 4, 2, 24), (2, 5, 3, 36), (3, 6, 2, 54), (3, 5, 2, 36), (4, 4, 1, 0), (4, 5, 2, 24), (6, 6, 2, 12)],
)
def test_too_few_tables_play_in_barometer_and_meet_as_seldom_as_can_be(tables, positions, most, repeated):
    plan = plan_tables(tables, positions)
    assert plan.barometer
    assert judge(plan) == ({"meetings": repeated} if repeated else {})
    assert most_meetings(plan) == most
    assert compute_figures(plan).balance == 100


@pytest.mark.parametrize(("tables", "positions"), [(2, 4), (3, 6)])
def test_in_small_fields_any_two_of_different_lines_meet_exactly_twice(tables, positions):
    """Check it by counting: a pair of lines has tables² pairs of players and 2 × tables² meetings."""
    assert positions * tables == 2 * tables**2
    assert most_meetings(plan_tables(tables, positions)) == 2


@pytest.mark.parametrize("tables", [4, 8, 12, 20, 28, 36, 44, 52])
def test_barometer_is_perfect_for_as_many_positions_as_tables(tables):
    wanted = 20 if tables == 44 else min(tables, 20)
    plan = plan_tables(tables, wanted, barometer=True)
    assert plan.barometer
    assert judge(plan) == {}


@pytest.mark.parametrize("tables", range(1, 31))
def test_longer_than_any_rule_reaches_is_played_in_barometer_without_a_replay(tables):
    plan = plan_tables(tables, most_perfect(tables, barometer=True) + 1, 2)
    assert plan.barometer
    assert set(judge(plan)) <= {"meetings"}


def test_search_finds_more_shifts_than_any_table_here():
    rows = search_shifts((62,), 22, seed=3)
    assert len(rows) == 22
    assert judge(lay_out(Rule("search", (62,), rows), 1)) == {}
    assert rows == search_shifts((62,), 22, seed=3) != search_shifts((62,), 22, seed=4)


def test_search_gives_up_where_nothing_can_be_found():
    assert search_shifts((6,), 6, tries=20) is None


@pytest.mark.parametrize(
    ("arguments", "code", "params"),
    [
        ((0, 5), "tables", {"found": 0, "most": 150}),
        ((151, 5), "tables", {"found": 151, "most": 150}),
        ((8, 0), "positions", {"found": 0, "most": 150}),
        ((8, 151), "positions", {"found": 151, "most": 150}),
        ((8, 5, 25), "etuis", {"found": 25, "most": 24}),
    ],
)
def test_counts_out_of_range_are_refused(arguments, code, params):
    with pytest.raises(PlanError) as caught:
        plan_tables(*arguments)
    assert (caught.value.code, caught.value.params) == (code, params)
