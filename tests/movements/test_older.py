"""The reading of plans in the forms of before, which databases, archives and backups have."""

import json
from pathlib import Path

import pytest

from movements import OddTables, Plan, PlanError, drop_competitor, read_plan, write_plan
from movements.games import plan_games, remove_person
from movements.plan.notation import is_games, is_team_plan
from movements.teams import all_meet, emmanuel, plan_quadrettes, two_lines

OLDER = json.loads((Path(__file__).parent / "older_plans.json").read_text())
PLANS = {
    "sides": lambda: two_lines(5, 3),
    "left": lambda: drop_competitor(all_meet(4, 3), 2, after=1),
    "mirror": lambda: plan_quadrettes(4, 2, 2),
    "badges": lambda: emmanuel(4),
    "games": lambda: plan_games(10, 2, 2, teams=[2, 2]),
    "mort": lambda: remove_person(plan_games(9, 2, 4, OddTables.MORT), 3, 2, 3),
}


@pytest.mark.parametrize("name", PLANS)
def test_older_plan_is_read_as_the_same_plan(name):
    plan: Plan[int] = PLANS[name]()
    assert read_plan(OLDER[name]) == plan == read_plan(write_plan(plan))
    kinds = (name in ("games", "mort"), name not in ("games", "mort"))
    assert [(is_games(data), is_team_plan(data)) for data in (OLDER[name], write_plan(plan))] == [kinds, kinds]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("sides", {"stops": [7]}),
        ("sides", {"teams": "5"}),
        ("sides", {"stops": [{"position": 1, "table": 1, "etuis": [1], "first": True}]}),
        ("games", {"tables": 3}),
        ("games", {"tables": [None]}),
        ("games", {"tables": [{"game": 1, "table": 1, "people": [1, 2, 3]}]}),
        ("games", {"tables": [{"game": 1, "table": 1, "people": [1, 2, 3], "last": 10**9}]}),
        ("games", {"people": None}),
    ],
)
def test_wrong_older_plan_is_refused(name, wrong):
    with pytest.raises(PlanError) as caught:
        read_plan({**OLDER[name], **wrong})
    assert caught.value.code == "data"


def test_older_table_without_its_first_deal_begins_with_deal_1():
    tables = [{name: value for name, value in table.items() if name != "first"} for table in OLDER["games"]["tables"]]
    assert read_plan({**OLDER["games"], "tables": tables}) == PLANS["games"]()
