"""The verifier of plans of teams sees every fault, and every false figure."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movements import (
    PlanFault,
    PlanStop,
    Seating,
    compute_figures,
    drop_competitor,
    find_faults,
)
from movements.plan.figures import FIGURES
from movements.plan.plan import make_team_plan
from movements.teams import EtuiSets, all_meet, emmanuel, plan_matches, plan_quadrettes, two_lines
from tests.movements.recount import check_plan, find_false_figures

PLANS = {
    "two lines": two_lines(10, 5),
    "two lines, odd": two_lines(9, 5),
    "barometer": two_lines(8, 4),
    "all meet": all_meet(6, 5),
    "moving": all_meet(8, 7, moving=True),
    "quadrettes": plan_quadrettes(6, 5),
    "quadrettes, odd": plan_quadrettes(5, 4),
    "apart": plan_quadrettes(6, 5, sets=EtuiSets.APART),
    "match": plan_matches([(1, 2), (3, 4)]),
    "emmanuel": emmanuel(8),
    "odd étuis": two_lines(9, 5, 3),
    "longer lines": two_lines(8, 6),
    "longer lines, odd": two_lines(9, 8, 3),
    "begins again": all_meet(4, 7, 3),
    "begins again, odd": all_meet(5, 8, 3),
    "quadrettes again": plan_quadrettes(4, 5),
}


def codes(plan):
    return {fault.code for fault in find_faults(plan)}


def reseat(stop, **values):
    sides = tuple(values.pop(side, getattr(stop, side)) for side in ("first", "second"))
    return stop._replace(seats=sides, **values)


def change(plan, index, **values):
    """Return the plan with another value in the stop at this index."""
    stops = list(plan.stops)
    stops[index] = reseat(stops[index], **values)
    return replace(plan, stops=tuple(stops))


@pytest.mark.parametrize("name", PLANS)
def test_made_plan_has_no_fault_and_its_figures_are_true(name):
    plan = PLANS[name]
    assert check_plan(plan, compute_figures(plan)) == []


@pytest.mark.parametrize("name", PLANS)
def test_every_false_figure_is_seen(name):
    plan = PLANS[name]
    figures = compute_figures(plan)
    for figure in FIGURES[plan.seating]:
        value = getattr(figures, figure)
        wrong = replace(figures, **{figure: (*value, 1) if isinstance(value, tuple) else value + 1})
        assert [false.name for false in find_false_figures(plan, wrong)] == [figure]


@pytest.mark.parametrize(
    ("name", "index", "values", "code"),
    [
        ("two lines", 0, {"etuis": (1, 2, 3)}, "etuis"),
        ("two lines", 0, {"etuis": (1, 2, 3, 3)}, "etuis"),
        ("two lines", 0, {"etuis": (0, 1, 2, 3)}, "etuis"),
        ("two lines", 0, {"table": 2}, "position"),
        ("two lines", 0, {"position": 9}, "position"),
        ("two lines", 0, {"first": 11}, "stranger"),
        ("two lines", 0, {"second": 0}, "stranger"),
        ("all meet", 0, {"first": 1, "second": 1}, "itself"),
        ("two lines", 0, {"first": 2}, "seated_twice"),
        ("quadrettes", 0, {"first": 1}, "itself"),
        ("quadrettes", 2, {"first": 1}, "seated_twice"),
        ("emmanuel", 0, {"second": 2}, "seated_twice"),
        ("emmanuel", 0, {"first": 2}, "seated_twice"),
        ("emmanuel", 0, {"badge": 2}, "badge"),
        ("emmanuel", 0, {"badge": 0}, "badge"),
        ("emmanuel", 0, {"badge": 4}, "badge"),
        ("emmanuel", 1, {"etuis": (5, 6, 7, 8)}, "barometer"),
        ("two lines", 0, {"etuis": (5, 6, 7, 8)}, "etui_twice"),
    ],
)
def test_each_fault_has_its_code(name, index, values, code):
    assert code in codes(change(PLANS[name], index, **values))


@pytest.mark.parametrize("name", ["two lines", "quadrettes", "emmanuel"])
def test_table_of_three_teams_is_seen(name):
    (first, *others), plan = PLANS[name].stops, PLANS[name]
    (fault,) = find_faults(replace(plan, stops=(first._replace(seats=(1, 2, 3)), *others)))
    assert (fault.code, str(fault)) == ("seats", "position 1, table 1 needs 2 seats, not 3")


@pytest.mark.parametrize("name", ["quadrettes again", "emmanuel"])
@pytest.mark.parametrize("side", [0, 1])
def test_figures_of_a_team_that_only_attacks_or_only_defends_are_true(name, side):
    plan = PLANS[name]
    alone = replace(plan, competitors=3, stops=tuple(stop for stop in plan.stops if stop.seats[side] == 1))
    alone = replace(
        alone, stops=tuple(stop._replace(seats=(1, 2 + at % 2)[:: 1 - 2 * side]) for at, stop in enumerate(alone.stops))
    )
    found = compute_figures(alone)
    assert (found.bound, found.attack_gap) == (len(alone.stops) - 2, len(alone.stops) * plan.etuis_per_position)
    assert find_false_figures(alone, found) == []


def test_false_figure_is_told_of_a_plan_that_has_no_fault():
    plan = PLANS["two lines"]
    wrong = replace(compute_figures(plan), copies=7)
    assert check_plan(plan, wrong) == [("copies", 1, 7)]
    assert {fault.code for fault in check_plan(change(plan, 0, first=2), wrong)} >= {"seated_twice"}


@pytest.mark.parametrize("position", [1, 3, 5])
def test_position_without_tables_is_seen(position):
    plan = PLANS["two lines"]
    left = tuple(stop for stop in plan.stops if stop.position != position)
    assert [(fault.code, fault.params["position"]) for fault in find_faults(replace(plan, stops=left))] == [
        ("position", position)
    ]


def test_position_with_more_tables_than_the_plan_says_is_seen():
    faults = find_faults(replace(PLANS["two lines"], tables=4))
    assert [(fault.code, fault.params["position"]) for fault in faults] == [("position", at) for at in range(1, 6)]


def test_team_that_defends_at_two_tables_is_seen():
    plan = PLANS["quadrettes"]
    one, other = [place for place, stop in enumerate(plan.stops) if stop.position == 1][:2]
    changed = change(plan, other, second=plan.stops[one].second)
    assert ("seated_twice", 1, 1, 2) in [
        (fault.code, fault.params["team"], fault.params["first"], fault.params["table"])
        for fault in find_faults(changed)
        if fault.code == "seated_twice"
    ]


def test_etuis_of_the_last_position_are_checked_too():
    plan = PLANS["two lines"]
    last = len(plan.stops) - 1
    assert "etui_twice" in codes(change(plan, last, etuis=plan.stops[last - 1].etuis))
    plan = PLANS["emmanuel"]
    (fault,) = (each for each in find_faults(change(plan, 1, etuis=(101, 102, 103, 104))))
    assert (fault.code, fault.params) == ("barometer", {"position": 1, "table": 2})


def test_badge_of_a_team_that_attacks_at_one_table_is_checked():
    stops = [PlanStop(1, 1, (1,), (1, 2), 1), PlanStop(1, 2, (1,), (3, 4), 0)]
    plan = make_team_plan(Seating.BADGES, 4, stops, "by hand")
    assert [(fault.code, fault.params) for fault in find_faults(plan)] == [
        ("badge", {"position": 1, "team": 3, "table": 2})
    ]


@pytest.mark.parametrize("side", ["first", "second"])
def test_table_at_which_a_team_is_missing_plays_no_etui(side):
    stops = [reseat(PlanStop(1, 1, (1,), (1, 2)), **{side: None}), PlanStop(2, 1, (1,), (1, 2))]
    plan = make_team_plan(Seating.SIDES, 2, stops, "by hand")
    assert check_plan(plan, compute_figures(plan)) == []


def test_figures_of_a_plan_in_which_nobody_plays_are_counted():
    plan = make_team_plan(Seating.SIDES, 2, [PlanStop(1, 1, (1,), (1, None))], "by hand")
    figures = compute_figures(plan)
    assert check_plan(plan, figures) == []
    assert (figures.most_meetings, figures.copies, figures.exempt, figures.balance) == (0, 1, (2,), 100)


def test_team_on_the_other_line_is_seen():
    plan = PLANS["two lines"]
    first = plan.stops[0]
    assert codes(change(plan, 0, first=first.second, second=first.first)) == {"line"}


def test_etui_played_again_by_the_same_people_is_seen():
    plan = PLANS["barometer"]
    stops = [stop._replace(etuis=(1, 2, 3, 4)) if stop.position == 2 else stop for stop in plan.stops]
    assert codes(replace(plan, stops=tuple(stops))) == {"replayed"}
    plan = PLANS["quadrettes"]
    stops = [stop._replace(etuis=(1, 2, 3, 4)) if stop.position == 2 else stop for stop in plan.stops]
    assert codes(replace(plan, stops=tuple(stops))) == {"replayed"}


def test_attack_that_is_not_returned_is_seen_from_its_side_alone():
    plan = PLANS["quadrettes"]
    table = next(place for place, stop in enumerate(plan.stops) if stop[:2] == (3, 1))
    stop = plan.stops[table]
    found = find_faults(change(plan, table, first=None))
    assert {fault.code for fault in found} == {"mirror"}
    assert {(fault.params["team"], fault.params["other"]) for fault in found} == {(stop.second, stop.first)}
    other = find_faults(change(plan, table, etuis=(101, 102, 103, 104)))
    assert {(fault.code, len(other)) for fault in other} == {("mirror", 8)}


def test_break_between_the_halves_of_an_etui_is_seen():
    stops = [PlanStop(1, 1, (1,), (1, 2)), PlanStop(2, 1, (2,), (1, 3)), PlanStop(3, 1, (1,), (2, 1))]
    plan = make_team_plan(Seating.MIRROR, 3, stops, "by hand")
    assert [str(fault) for fault in find_faults(plan)] == [
        "teams 1 and 2 play étui 1 in positions 1 and 3, with a break between",
        "team 1 attacks team 3 on étui 2, but team 3 does not attack team 1 on it",
    ]


@given(st.data())
def test_two_teams_of_a_position_that_change_places_are_seen(data):
    """Exchange two teams that sit the same way in one position, in any complete plan."""
    plan = {"meet": all_meet(8, 7, moving=True), "lines": two_lines(10, 5), "mirror": plan_quadrettes(6, 5)}[
        data.draw(st.sampled_from(["meet", "lines", "mirror"]))
    ]
    position = data.draw(st.integers(1, plan.positions))
    stops = [stop for stop in plan.stops if stop.position == position]
    one, other = data.draw(st.sampled_from([(a, b) for a in stops for b in stops if a.table < b.table]))
    swapped = {one: reseat(one, second=other.second), other: reseat(other, second=one.second)}
    changed = replace(plan, stops=tuple(swapped.get(stop, stop) for stop in plan.stops))
    figures = compute_figures(changed)
    assert find_faults(changed) != [] or figures.repeated > 0


def test_fault_is_told_in_english():
    plan = change(PLANS["two lines"], 0, first=2)
    assert str(find_faults(plan)[0]) == "position 1: team 2 sits at tables 1 and 2"
    assert str(PlanFault("itself", {"position": 1, "table": 2, "team": 3})) == (
        "position 1, table 2: team 3 meets itself"
    )


@pytest.mark.parametrize("name", ["two lines", "all meet", "quadrettes"])
def test_opponents_of_a_team_that_has_gone_rest(name):
    plan = PLANS[name]
    left = drop_competitor(plan, 1, after=2)
    assert [stop for stop in left.stops if stop.position <= 2] == [stop for stop in plan.stops if stop.position <= 2]
    assert all(1 not in stop.people for stop in left.stops if stop.position > 2)
    assert check_plan(left, compute_figures(left)) == []
    opponents = {
        team for stop in plan.stops if stop.position == 3 and 1 in stop.people for team in stop.people if team != 1
    }
    assert {*left.list_resting()[2]} == {1, *opponents}
    assert [len(there) for there in left.list_resting()[:2]] == [0, 0]
