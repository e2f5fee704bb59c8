"""The changed plans of teams: the past stays, the verifier finds no fault, few meetings are repeated."""

from collections import Counter

import pytest

from movements import PlanError, find_faults
from movements.teams import propose_triplettes, replan_with, replan_without

PLANS = {
    f"{each.plan.rule}-{teams}": each.plan
    for teams in (5, 6, 7, 8, 9, 12)
    for each in propose_triplettes(teams, 5)
    if each.plan.rule != "emmanuel16"
}


def list_played(plan, after):
    return [stop for stop in plan.stops if stop.position <= after]


def count_rests(plan, position, there):
    seated = {team for stop in plan.at(position) if stop.complete for team in stop.people}
    return len({*there} - seated)


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("after", [0, 2, 4])
def test_team_that_leaves_plays_no_more_and_the_past_stays(name, after):
    plan = PLANS[name]
    there = [team for team in range(1, plan.competitors + 1) if team != 2]
    changed = replan_without(plan, [2], there=there, after=after)
    assert list_played(changed, after) == list_played(plan, after)
    assert all(2 not in stop.people for stop in changed.stops if stop.position > after)
    assert find_faults(changed) == []
    if plan.rule == "all_meet":
        assert all(count_rests(changed, position, there) == len(there) % 2 for position in range(after + 1, 6))


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("after", [0, 1, 3])
def test_late_team_plays_from_then_on_and_the_past_stays(name, after):
    plan = PLANS[name]
    there = range(1, plan.competitors + 1)
    if plan.competitors % 2 == 0 and plan.rule != "all_meet":
        with pytest.raises(PlanError) as caught:
            replan_with(plan, there=there, after=after)
        assert caught.value.code == "no_place_for_team"
        return
    changed = replan_with(plan, there=there, after=after)
    new = plan.competitors + 1
    assert changed.competitors == new
    assert list_played(changed, after) == list_played(plan, after)
    assert find_faults(changed) == []
    seated = [sum(new in stop.people for stop in changed.at(position)) for position in range(1, 6)]
    assert seated[:after] == [0] * after
    rests = 5 - after - sum(seated)
    assert rests <= (1 if new % 2 else 0)


def test_new_pairs_repeat_no_meeting_while_others_are_left():
    """Let one of eight teams leave after position 2 of 5: the seven others need not meet twice."""
    plan = replan_without(PLANS["all_meet-8"], [3], there={*range(1, 9)} - {3}, after=2)
    met = Counter(frozenset(stop.people) for stop in plan.stops if stop.complete)
    assert set(met.values()) == {1}


def test_two_changes_follow_each_other():
    seven = {*range(1, 9)} - {3}
    plan = replan_with(replan_without(PLANS["all_meet-8"], [3], there=seven, after=1), there=seven, after=2)
    assert find_faults(plan) == []
    assert all(count_rests(plan, position, {*range(1, 10)} - {3}) == 0 for position in range(3, 6))
