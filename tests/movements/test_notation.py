"""The plans as data and as CSV: reading gives back what was written, and errors name the line."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movements import (
    Member,
    PlanError,
    Stay,
    find_faults,
    from_csv,
    plan_tables,
    propose_changes,
    propose_plans,
    read_line_plan,
    read_plan,
    to_csv,
    write_plan,
    write_plays,
)
from movements.plan import notation
from movements.teams import two_lines
from tests.examples import draw_examples
from tests.movements.judge import numbers

SMALL = """position,table,N,E,S,W,etuis
1,1,1,1,1,1,1 2
1,2,2,2,2,2,3 4
2,1,1,2,2,1,5 6
2,2,2,1,,2,7 8
"""


def refusal(read, source):
    with pytest.raises(PlanError) as caught:
        read(source)
    return caught.value


@pytest.mark.nightly("statistics")
@draw_examples(25)
@given(players=st.integers(19, 60), positions=st.integers(1, 5), etuis=st.integers(1, 5))
def test_data_and_csv_give_back_the_plan(players, positions, etuis):
    for proposal in propose_plans(players, positions, etuis):
        plan = proposal.plan
        assert read_line_plan(json.loads(json.dumps(write_plays(plan)))) == plan
        assert from_csv(to_csv(plan)).stops == plan.stops


@pytest.mark.parametrize("players", [5, 10, 15])
def test_rovers_on_any_line_come_back_from_data_and_from_csv(players):
    plan = next(one.plan for one in propose_plans(players, 5) if one.code == "any_line")
    assert any(isinstance(seated, Member) for play in plan.stops for seated in numbers(play))
    assert read_line_plan(json.loads(json.dumps(write_plays(plan)))) == plan
    again = from_csv(to_csv(plan))
    assert (again.stops, again.lines, again.rovers) == (plan.stops, plan.lines, plan.rovers)
    assert find_faults(again) == []


def test_a_rover_in_a_csv_is_named_with_the_line():
    text = "position,table,N,E,S,O,etuis\n1,1,1,1,1,1,1\n2,1,N2,n1,1,O1,2\n"
    plan = from_csv(text)
    assert numbers(plan.stops[1]) == (2, Member(0, 1), 1, 1)
    assert (plan.lines, plan.rovers) == ((2, 1, 1, 1), ((0, 1),))
    assert "2,1,2,N1,1,1,2" in to_csv(plan)


@pytest.mark.parametrize("seat", ["X1", "N", "N0", "N12345", "1N"])
def test_what_is_no_rover_is_refused(seat):
    assert refusal(from_csv, f"position,table,N,E,S,W,etuis\n1,1,{seat},1,1,1,1\n").code == "value"


@pytest.mark.nightly("statistics")
def test_a_changed_plan_comes_back_too():
    plan = propose_changes(plan_tables(7, 5), 2, leaving=[Member(3, 2), Member(3, 3)], arriving=[0])[0].plan
    assert plan.stays
    assert read_line_plan(json.loads(json.dumps(write_plays(plan)))) == plan


def test_data_of_a_plan():
    data = write_plays(plan_tables(5, 1, 2))
    assert list(data) == [
        "tables", "positions", "etuis_per_position", "lines", "rule", "barometer_after", "shifts", "fillers", "spans",
        "rovers", "plays",
    ]  # fmt: skip
    assert data["shifts"] == [0, 1, 2, 3, -1]
    assert data["plays"][1] == {"position": 1, "table": 2, "etuis": [3, 4], "N": 2, "E": 2, "S": 2, "W": 2}


def test_plays_alone_are_a_plan():
    plan = plan_tables(6, 5)
    assert read_line_plan({"plays": write_plays(plan)["plays"]}) == replace(plan, rule="imported")


def test_csv_of_a_plan():
    assert to_csv(from_csv(SMALL)) == SMALL


def test_what_a_csv_says():
    plan = from_csv(SMALL)
    assert (plan.tables, plan.positions, plan.etuis_per_position, plan.lines) == (2, 2, 2, (2, 2, 2, 2))
    assert (plan.rule, plan.barometer_after, numbers(plan.stops[3])) == ("imported", None, (2, 1, None, 2))


@pytest.mark.parametrize("separator", [";", "\t", ","])
def test_csv_as_french_spreadsheets_write_it(separator):
    text = "\ufeff" + SMALL.replace(",W,", ",O,").replace("etuis", "Étuis").replace(",", separator).replace(
        "\n", "\r\n"
    )
    assert from_csv(text) == from_csv(SMALL)


def test_csv_columns_and_lines_come_in_any_order():
    heading, *rows = [line.split(",") for line in SMALL.splitlines()]
    turned = "\n".join(",".join(reversed(row)) for row in [heading, *reversed(rows)])
    assert from_csv(turned + "\n\n") == from_csv(SMALL)


@pytest.mark.parametrize("text", ["5-8", "5 6 7 8", "5, 6, 7, 8", "5–6 7-8", "5 - 8"])
def test_etuis_are_a_range_or_a_list(text):
    plan = from_csv(f'position;table;N;E;S;W;etuis\n1;1;1;1;1;1;"{text}"\n')
    assert plan.stops[0].etuis == (5, 6, 7, 8)


def test_barometer_is_seen_in_a_csv():
    assert from_csv(to_csv(plan_tables(4, 4))).barometer_after == 0
    assert from_csv(SMALL.replace("7 8", "5 6")).barometer_after == 1
    assert from_csv("position,table,N,E,S,W,etuis\n1,1,1,1,1,1,1\n").barometer_after is None


@pytest.mark.parametrize(
    ("line", "row", "code", "params"),
    [
        ("1,1,1,1,1,1,9-10", 6, "twice", {"position": 1, "table": 1, "first": 2}),
        ("3,1,1,1,1,1,9", 6, "uneven", {"found": 1, "first": 2, "expected": 2}),
        ("3,1,1,1,1,1", 6, "width", {"found": 6, "expected": 7}),
        ("3,1,x,1,1,1,9-10", 6, "value", {"field": "N", "value": "x", "expected": "a number from 1 to 300"}),
        ("3,1,1,1,1,0,9-10", 6, "value", {"field": "W", "value": "0", "expected": "a number from 1 to 300"}),
        ("0,1,1,1,1,1,9-10", 6, "value", {"field": "position", "value": "0", "expected": "a number from 1 to 150"}),
        ("3,151,1,1,1,1,9-10", 6, "value", {"field": "table", "value": "151", "expected": "a number from 1 to 150"}),
        ("3,,1,1,1,1,9-10", 6, "value", {"field": "table", "value": "", "expected": "a number from 1 to 150"}),
    ],
)
def test_a_wrong_line_is_named(line, row, code, params):
    error = refusal(from_csv, SMALL + line + "\n")
    assert (error.code, error.params) == (code, {"row": row, **params})
    assert str(error).startswith(f"Line {row}")


@pytest.mark.parametrize("etuis", ["", "9-", "nine", "9 9", "10-9", "1-9999", "9.5", "0-1"])
def test_wrong_etuis_are_named(etuis):
    text = SMALL + f"3,1,1,1,1,1,{etuis}\n"
    assert refusal(from_csv, text).params["field"] == "etuis"


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", SMALL.replace(",W,", ",X,"), SMALL.replace("N,E", "N,N")])
def test_a_csv_without_its_columns_is_refused(text):
    error = refusal(from_csv, text)
    assert (error.code, error.params) == ("fields", {"fields": "position, table, N, E, S, W, etuis"})


def test_a_csv_without_a_table_is_refused():
    assert refusal(from_csv, SMALL.splitlines()[0]).code == "empty"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"plays": None}, "plays"),
        ({"plays": [3]}, "plays 1"),
        ({"tables": "5"}, "tables"),
        ({"tables": True}, "tables"),
        ({"lines": [5, 5, 5]}, "lines"),
        ({"lines": [5, 5, 5, 10**6]}, "lines"),
        ({"shifts": [0, 1, 2, 3]}, "shifts"),
        ({"fillers": [[1]]}, "fillers"),
        ({"fillers": [7]}, "fillers"),
        ({"spans": [[1, 1, 1]]}, "spans"),
        ({"spans": 1}, "spans"),
        ({"rule": 1}, "rule"),
        ({"barometer_after": -1}, "barometer_after"),
    ],
)
def test_wrong_data_is_named(change, field):
    error = refusal(read_line_plan, write_plays(plan_tables(5, 2)) | change)
    assert (error.code, error.params["field"]) == ("data", field)


@pytest.mark.parametrize("key", ["position", "table", "etuis"])
def test_a_play_without_its_place_is_named(key):
    data = write_plays(plan_tables(5, 2))
    del data["plays"][3][key]
    assert refusal(read_line_plan, data).params["field"] == f"plays 4: {key}"


@pytest.mark.parametrize("source", [[], None, "plan", {}])
def test_what_is_no_plan_is_refused(source):
    assert refusal(read_line_plan, source).code == "data"
    assert refusal(read_plan, source).params["field"] == "stops"


@pytest.mark.parametrize("source", [{}, write_plan(two_lines(5, 3))])
def test_what_is_no_plan_of_four_lines_lacks_its_plays(source):
    assert refusal(read_line_plan, source).params["field"] == "plays"


def test_plan_of_four_lines_is_read_from_both_forms():
    plan = plan_tables(5, 2)
    assert read_line_plan(write_plan(plan)) == read_line_plan(write_plays(plan)) == plan


@pytest.mark.parametrize("etuis", [1, 24])
def test_table_may_have_one_étui_and_up_to_twenty_four(etuis):
    data = write_plays(plan_tables(5, 2, etuis))
    assert read_line_plan(data) == plan_tables(5, 2, etuis)
    data["plays"][0]["etuis"] = list(range(1, 26))
    assert refusal(read_line_plan, data).params["field"] == "plays 1: etuis"


@pytest.mark.parametrize("member", [[4, 1], ["0", 1], [0, "1"], [-1, 1], [0, 1, 1], 7])
def test_filler_of_plays_is_a_line_and_a_number(member):
    error = refusal(read_line_plan, write_plays(plan_tables(5, 2)) | {"fillers": [member]})
    assert error.params == {"field": "fillers", "expected": "names of players, such as N3"}


def test_announced_moves_and_a_long_name_of_the_rule_are_read_again():
    plan = replace(plan_tables(7, 3), rule="r" * 40)
    assert plan.shifts == read_line_plan(write_plays(plan)).shifts is not None
    assert read_plan(write_plan(plan)) == plan
    assert refusal(read_plan, write_plan(plan) | {"rule": "r" * 41}).params["field"] == "rule"


def test_numbers_up_to_the_largest_are_read():
    data = write_plays(plan_tables(5, 2, 1))
    data["plays"][0]["etuis"] = [9999]
    assert read_line_plan(data).stops[0].etuis == (9999,)
    data["plays"][0]["etuis"] = [10_000]
    assert refusal(read_line_plan, data).params["field"] == "plays 1: etuis"


def test_stay_of_somebody_who_never_came_is_read_again():
    plan = replace(plan_tables(5, 2), stays=(Stay(Member(2, 5), 1, 0),))
    assert read_plan(write_plan(plan)) == read_line_plan(write_plays(plan)) == plan


@pytest.mark.parametrize("seats", [[1, 1, 1], [1, 1, 1, 1, 1], None])
def test_table_of_four_lines_has_four_seats(seats):
    data = write_plan(plan_tables(5, 2))
    data["stops"][2]["seats"] = seats
    assert refusal(read_line_plan, data).params["field"] == "stops 3: seats"


def test_line_without_players_in_a_csv_has_nobody():
    assert from_csv("position,table,N,E,S,W,etuis\n1,1,1,1,1,,1\n").lines == (1, 1, 1, 0)


def test_line_may_have_nobody():
    assert read_line_plan(write_plays(plan_tables(5, 2)) | {"lines": [5, 5, 5, 0]}).lines == (5, 5, 5, 0)


def test_plan_may_have_so_many_tables_and_no_more(monkeypatch):
    data = write_plays(plan_tables(5, 2))
    monkeypatch.setattr(notation, "MAX_ROWS", 10)
    assert read_line_plan(data) == plan_tables(5, 2)
    monkeypatch.setattr(notation, "MAX_ROWS", 9)
    assert refusal(read_line_plan, data).params["field"] == "plays"


def test_data_out_of_range_is_refused():
    assert refusal(read_line_plan, write_plays(plan_tables(5, 2)) | {"positions": 151}).code == "positions"
    assert refusal(read_line_plan, {"plays": []}).code == "empty"
