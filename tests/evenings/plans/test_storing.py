"""The check of a plan before it is stored: what makes it impossible to play is refused, and never an error."""

from dataclasses import replace

import pytest

from evenings.plans.current import SessionPlan
from evenings.plans.storing import require_right_plan
from movements import LinePlan, Takers, attack_range, plan_tables, propose_plans, write_figures
from movements.plan.plan import resize_lines
from movements.teams import propose_matches
from scoring.formats import TEAM_MATCH
from tournaments.errors import ActionRefused
from tournaments.models import PlanVersion, Session, Tournament

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


@pytest.mark.parametrize(("code", "told"), [("match_at_once", True), ("match_halves_of_before", False)])
def test_plan_that_is_stored_with_a_code_without_words_is_shown_without_a_text(code: str, told: bool) -> None:
    proposal, *_ = propose_matches(2, 4)
    stored = PlanVersion(code=code, data={}, figures=write_figures(proposal.plan.seating, proposal.figures))
    evening = SessionPlan(Session(tournament=Tournament(format=TEAM_MATCH.name)), proposal.plan, stored)
    shown = evening.show()
    assert (shown.code, bool(shown.text), bool(shown.worth)) == (code, told, True)


@pytest.mark.parametrize("takers", [None, {etui: 0 for stop in FIVE.stops for etui in stop.etuis}])
def test_figures_count_the_attacks_of_the_takers_that_the_étuis_name(takers: Takers | None) -> None:
    evening = SessionPlan(Session(), FIVE)
    evening.takers = takers
    figures = evening.figures
    assert (figures.least_attacks, figures.most_attacks) == attack_range(FIVE, takers=takers)
