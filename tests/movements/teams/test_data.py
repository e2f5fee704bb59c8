"""The plans of teams as data: what is written is read again, and what is no plan is refused."""

import json

import pytest

from movements import PlanError, read_plan, write_plan
from movements.teams import emmanuel, plan_quadrettes, propose_triplettes


@pytest.mark.parametrize(
    "plan",
    [each.plan for teams in (4, 5, 8, 21) for each in propose_triplettes(teams, 4)]
    + [emmanuel(4), plan_quadrettes(6, 5, 4)],
    ids=lambda plan: f"{plan.rule}-{plan.competitors}",
)
def test_plan_is_read_as_it_was_written(plan):
    assert read_plan(json.loads(json.dumps(write_plan(plan)))) == plan


@pytest.mark.parametrize(
    ("field", "change"),
    [
        ("stops", lambda data: data.pop("stops")),
        ("stops", lambda data: data.update(stops=[])),
        ("seating", lambda data: data.update(seating="round")),
        ("lines", lambda data: data.update(lines=[1])),
        ("competitors", lambda data: data.update(competitors="6")),
        ("stops 1: seats", lambda data: data["stops"][0].update(seats=[0, 1])),
        ("stops 1: etuis", lambda data: data["stops"][0].update(etuis=[])),
        ("stops 1: badge", lambda data: data["stops"][0].update(badge=True)),
    ],
)
def test_data_that_are_no_plan_are_refused(field, change):
    data = write_plan(propose_triplettes(6, 3)[0].plan)
    change(data)
    with pytest.raises(PlanError) as caught:
        read_plan(data)
    assert (caught.value.code, caught.value.params["field"]) == ("data", field)


def test_plan_has_up_to_600_competitors():
    data = write_plan(propose_triplettes(6, 3)[0].plan)
    assert read_plan(data | {"competitors": 600}).competitors == 600
    with pytest.raises(PlanError) as caught:
        read_plan(data | {"competitors": 601})
    assert caught.value.params["field"] == "competitors"
