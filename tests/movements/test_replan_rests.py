"""The rests after people come late or leave: two players' rests differ by one at most, if counting allows it."""

import json

import pytest

from movements import Member, plan_tables, propose_changes, propose_plans, write_plays
from tests.movements.evenings import random_replans
from tests.movements.judge import judge
from tests.movements.recount import check_plan


@pytest.mark.nightly("statistics")
def test_rests_differ_by_one_at_most_whoever_comes_or_goes():
    """Check a part of the evenings of `tests/faults/test_rests_of_evenings.py`."""
    for replan in random_replans(12, seed=7, most_players=30):
        assert replan.gap <= 1 or not replan.could_be_even, replan
        for way in replan.offered:
            assert check_plan(way.plan, way.figures) == []
            assert "astray" not in judge(way.plan)


@pytest.mark.guard("a plan is laid anew when a player goes")
def test_rover_takes_the_seat_of_who_goes_from_another_line():
    """Let a West player of 33 players go: 32 fill eight tables, if the ninth North may sit on West."""
    plan = propose_plans(33, 6)[0].plan
    fresh, moving = propose_changes(plan, 1, leaving=[Member(3, 6)])[:2]
    assert (fresh.code, moving.code) == ("fresh_roving", "roving")
    assert (fresh.plan.barometer_after, moving.plan.barometer_after) == (1, None)
    assert {play.etuis for play in moving.plan.stops} <= {play.etuis for play in plan.stops}
    for way in (fresh, moving):
        assert way.plan.rovers == ((0, 9),)
        assert way.figures.exempt == (1, 0, 0, 0, 0, 0)
        assert (way.figures.least_exempt, way.figures.most_exempt, way.figures.replays) == (0, 1, 0)
        assert list(way.plan.at(1)) == list(plan.at(1))


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("barometer", [False, True])
def test_roving_is_offered_beside_what_was_and_gives_the_same_bytes_again(barometer):
    def offered():
        return propose_changes(
            plan_tables(8, 8, barometer=barometer), 2, leaving=[Member(3, 1), Member(3, 2), Member(3, 3)]
        )

    ways = offered()
    assert json.dumps([write_plays(way.plan) for way in ways]) == json.dumps(
        [write_plays(way.plan) for way in offered()]
    )
    codes = [way.code for way in ways]
    assert codes[0] == "fresh_roving"
    assert {"kept", "replanned"} <= set(codes)
    assert len(codes) == len(set(codes))
    assert [way.figures.exemption_gap for way in ways] == [1, *[3] * (len(ways) - 1)]
    assert (ways[0].figures.exempt[2:], ways[1].figures.exempt[2:]) == ((1,) * 6, (9,) * 6)
    assert all(check_plan(way.plan, way.figures) == [] for way in ways)


@pytest.mark.guard("an evening depends on its plan")
def test_where_rests_are_even_without_rovers_nobody_leaves_their_line():
    ways = propose_changes(plan_tables(7, 5), 2, leaving=[Member(3, 4)])
    assert not any(way.plan.rovers for way in ways)
