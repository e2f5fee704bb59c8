"""The changes of a running plan: late arrivals, drop-outs, other lengths. Played positions stay as they are."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from movements import (
    Member,
    PlanError,
    arrival_lines,
    compute_figures,
    plan_tables,
    propose_changes,
    propose_plans,
    write_plays,
)
from tests.examples import draw_examples
from tests.movements.judge import judge
from tests.movements.recount import check_plan


def seats(plan, member, positions):
    """Return the player's table in each position, or None while resting."""
    found = {play.position: play.table for play in plan.stops if play.seats[member.line] == member}
    return [found.get(position) for position in positions]


@pytest.mark.nightly("statistics")
@draw_examples(15)
@given(data=st.data(), players=st.integers(16, 45), positions=st.integers(2, 6))
def test_whatever_happens_the_past_stays_and_no_etui_is_replayed(data, players, positions):
    plan = propose_plans(players, positions)[0].plan
    after = data.draw(st.integers(0, positions - 1))
    leaving = data.draw(st.lists(st.sampled_from(plan.everybody()), max_size=2, unique=True))
    arriving = data.draw(st.lists(st.integers(0, 3), max_size=2))
    assume(leaving or arriving)
    offered = propose_changes(plan, after, leaving=leaving, arriving=arriving)
    assert offered
    for proposal in offered:
        new = proposal.plan
        assert [play for play in new.stops if play.position <= after] == [
            play for play in plan.stops if play.position <= after
        ]
        assert check_plan(new, proposal.figures) == []
        assert judge(new)["replays"] == 0
        later = range(after + 1, positions + 1)
        for member in leaving:
            assert set(seats(new, member, later)) == {None}
        assert new.lines == tuple(size + arriving.count(line) for line, size in enumerate(plan.lines))
        newcomers = [member for member in new.everybody() if member.number > plan.lines[member.line]]
        for member in newcomers:
            assert set(seats(new, member, range(1, after + 1))) <= {None}


@pytest.mark.nightly("statistics")
def test_the_first_drop_out_is_a_phantom_and_all_others_keep_their_seats():
    plan = plan_tables(7, 5)
    best = propose_changes(plan, 2, leaving=[Member(3, 4)])[0]
    assert (best.code, best.figures.repeated, best.figures.exempt) == ("kept", 0, (0, 0, 3, 3, 3))
    assert best.figures.most_exempt == 1
    later = range(1, 6)
    others = [member for member in plan.everybody() if member != (3, 4)]
    assert all(seats(best.plan, member, later) == seats(plan, member, later) for member in others)


@pytest.mark.nightly("statistics")
def test_two_drop_outs_of_two_lines_leave_one_table_less():
    """Check that a small field goes on with fresh étuis in barometer, and a large one with the existing sets."""
    leaving = [Member(2, 4), Member(1, 1)]
    small, large = (propose_changes(plan_tables(tables, 5), 2, leaving=leaving)[0] for tables in (7, 25))
    assert (small.code, small.figures.exempt, small.plan.barometer_after) == ("fresh", (0, 0, 2, 2, 2), 2)
    assert min(etui for play in small.plan.stops if play.position > 2 for etui in play.etuis) == 29
    assert (large.code, large.figures.exempt, large.figures.repeated) == ("replanned", (0, 0, 2, 2, 2), 0)


@pytest.mark.nightly("statistics")
def test_a_late_arrival_takes_the_phantoms_seat():
    plan = next(one.plan for one in propose_plans(27, 5) if one.code == "phantom")
    assert arrival_lines(plan, 1, 1) == [3]
    best = propose_changes(plan, 1, arriving=[3])[0]
    assert (best.code, best.figures.exempt, best.figures.repeated) == ("kept", (3, 0, 0, 0, 0), 0)
    assert seats(best.plan, Member(3, 7), range(1, 6)) == [None, *seats(plan_tables(7, 5), Member(3, 7), range(2, 6))]


@pytest.mark.nightly("statistics")
def test_newcomer_before_the_first_position_is_one_of_all():
    """Check that only later arrivals get a span, and that a newcomer fills just one of two empty seats."""
    plan = next(one.plan for one in propose_plans(27, 5) if one.code == "phantom")
    best = propose_changes(plan, 0, arriving=[3])[0]
    assert (best.code, best.plan.stays, best.figures.perfect) == ("kept", plan.stays, True)
    both = propose_changes(plan_tables(7, 5), 2, leaving=[Member(2, 4), Member(2, 5)], arriving=[2])
    kept = next(way.plan for way in both if way.code == "kept")
    old = plan_tables(7, 5)
    left = [seats(old, member, range(3, 6)) for member in (Member(2, 4), Member(2, 5))]
    assert seats(kept, Member(2, 8), range(3, 6)) == [min(tables) for tables in zip(*left, strict=True)]


@pytest.mark.guard("an evening depends on its plan")
def test_a_late_arrival_among_full_tables_roves():
    best = propose_changes(plan_tables(7, 5), 2, arriving=[0])[0]
    assert (best.code, best.figures.exempt, best.figures.perfect) == ("kept", (0, 0, 1, 1, 1), True)
    assert best.figures.most_exempt == 1
    assert None not in seats(best.plan, Member(0, 8), range(3, 6))


@pytest.mark.guard("an evening depends on its plan")
def test_two_who_complete_rovers_play_with_everybody_and_étuis_of_their_own():
    plan = propose_plans(30, 5)[0].plan
    lines = [2, 3]
    full = next(way for way in propose_changes(plan, 1, arriving=lines) if way.code == "replanned")
    assert [len(list(full.plan.at(position))) for position in range(1, 6)] == [7, 8, 8, 8, 8]
    assert full.figures.exempt == (2, 0, 0, 0, 0)
    assert full.figures.replays == 0
    assert {etui for play in full.plan.stops for etui in play.etuis} == set(range(1, 33))
    assert check_plan(full.plan, full.figures) == []


@pytest.mark.nightly("statistics")
def test_one_comes_as_one_of_his_line_goes():
    best = propose_changes(plan_tables(7, 5), 2, leaving=[Member(2, 4)], arriving=[2])[0]
    assert (best.code, best.figures.perfect, best.figures.exempt) == ("kept", True, (0,) * 5)
    assert seats(best.plan, Member(2, 8), range(3, 6)) == seats(plan_tables(7, 5), Member(2, 4), range(3, 6))


@pytest.mark.nightly("statistics")
def test_who_came_late_may_go_early_and_another_come():
    plan = propose_changes(plan_tables(9, 6), 1, arriving=[0])[0].plan
    plan = propose_changes(plan, 3, leaving=[Member(0, 10)])[0].plan
    best = propose_changes(plan, 4, arriving=[1])[0]
    assert check_plan(best.plan, best.figures) == []
    assert [stay for stay in best.plan.stays if stay.competitor.number == 10] == [((0, 10), 2, 3), ((1, 10), 5, 6)]


def test_a_shorter_evening_loses_its_last_positions():
    plan = plan_tables(7, 5)
    (only,) = propose_changes(plan, 2, positions=4)
    assert (only.code, only.plan.stops) == ("kept", plan.stops[:28])


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("tables", [5, 7, 8])
def test_a_longer_evening_keeps_what_is_planned(tables):
    plan = plan_tables(tables, 5)
    for proposal in propose_changes(plan, 2, positions=7):
        assert proposal.plan.stops[: len(plan.stops)] == plan.stops
        assert [len(list(proposal.plan.at(position))) for position in (6, 7)] == [tables] * 2
        assert check_plan(proposal.plan, proposal.figures) == []
        assert judge(proposal.plan)["replays"] == 0


def test_a_barometer_goes_on_with_its_own_etuis():
    plan = plan_tables(4, 5)
    for proposal in propose_changes(plan, 2, leaving=[Member(0, 1)]):
        assert proposal.plan.barometer
        assert [proposal.plan.at(p)[0].etuis for p in range(1, 6)] == [plan.at(p)[0].etuis for p in range(1, 6)]


@pytest.mark.nightly("statistics")
def test_the_same_change_gives_the_same_bytes():
    def offered():
        found = propose_changes(plan_tables(8, 5), 2, leaving=[Member(0, 1), Member(1, 2)], arriving=[3])
        return json.dumps([write_plays(one.plan) for one in found])

    assert offered() == offered()


@pytest.mark.nightly("statistics")
def test_a_large_field_is_planned_anew_without_repeats():
    best = propose_changes(plan_tables(100, 20), 10, leaving=[Member(2, 4), Member(1, 1)])[0]
    assert (best.figures.repeated, best.figures.replays, best.figures.exempt[10:]) == (0, 0, (2,) * 10)
    assert check_plan(best.plan, compute_figures(best.plan)) == []


@pytest.mark.parametrize(
    ("after", "more", "code"),
    [
        (6, {}, "history"),
        (-1, {}, "history"),
        (3, {"positions": 2}, "history"),
        (3, {"positions": 200}, "positions"),
        (3, {"leaving": [Member(0, 6)]}, "leaving"),
        (3, {"leaving": [Member(0, number) for number in range(1, 6)]}, "too_few"),
    ],
)
def test_what_cannot_be_is_refused(after, more, code):
    with pytest.raises(PlanError) as caught:
        propose_changes(plan_tables(5, 5), after, **more)
    assert caught.value.code == code


@pytest.mark.nightly("statistics")
def test_who_has_gone_cannot_go_again():
    plan = propose_changes(plan_tables(7, 5), 2, leaving=[Member(3, 4)])[0].plan
    with pytest.raises(PlanError) as caught:
        propose_changes(plan, 3, leaving=[Member(3, 4)])
    assert str(caught.value) == "W 4 is not in the plan after position 3: choose again who leaves."


@pytest.mark.nightly("statistics")
def test_an_evening_that_was_to_end_in_barometer_is_planned_anew_from_before_it():
    plan = propose_plans(20, 5)[0].plan
    mixed = next(way.plan for way in propose_changes(plan, 2, leaving=[Member(0, 1)]) if way.code == "fresh")
    offered = propose_changes(mixed, 0, leaving=[Member(1, 2), Member(2, 2)])
    assert {way.plan.barometer_after for way in offered if way.code != "kept"} <= {None, 0}
    assert all(check_plan(way.plan, way.figures) == [] for way in offered)
    assert "fresh" in {way.code for way in offered}
