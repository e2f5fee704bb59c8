"""The check of a plan before it is stored: what makes it impossible to play is refused, and never an error."""

from dataclasses import replace

import pytest

from evenings.plans.storing import require_right_plan
from movements import LinePlan, plan_tables, propose_plans
from movements.plan.plan import resize_lines
from tournaments.errors import ActionRefused

FIVE = plan_tables(5, 2, 2)
FIRST, *OTHERS = FIVE.stops
FAULTY = {
    "stranger": resize_lines(FIVE, (5, 5, 5, 4)),
    "etuis": replace(FIVE, stops=(FIRST._replace(etuis=(0, 1)), *OTHERS)),
    "seats": replace(FIVE, stops=(FIRST._replace(seats=FIRST.seats[:3]), *OTHERS)),
}


@pytest.mark.parametrize("code", FAULTY)
def test_faulty_plan_is_refused_with_its_fault(code: str) -> None:
    with pytest.raises(ActionRefused) as caught:
        require_right_plan(FAULTY[code])
    assert (caught.value.code, caught.value.params["problem"].code) == ("plan_faulty", code)


@pytest.mark.parametrize("plan", [FIVE, propose_plans(27, 5)[0].plan])
def test_figures_of_a_right_plan_are_returned(plan: LinePlan) -> None:
    figures = require_right_plan(plan)
    assert (figures.replays, figures.repeated) == (0, 0)
