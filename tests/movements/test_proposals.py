"""The proposals for any number of players: which plans are offered, and that their figures are true."""

import json
from dataclasses import replace
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movements import Member, PlanError, find_faults, propose_plans, write_plays
from tests.examples import draw_examples
from tests.movements.judge import judge, most_meetings, numbers, rests
from tests.movements.recount import check_plan

# Meetings repeated by the first proposal for 5 positions. All other counts from 8 to 120 have none.
REPEATED = {8: 36, 9: 28, 10: 21, 11: 14, 12: 36, 13: 26, 14: 16, 15: 12, 16: 24, 17: 16, 18: 10}


def told(proposal):
    return proposal.code, proposal.params["tables"], proposal.fillers, proposal.chosen


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("players", range(8, 121))
def test_every_count_plays_five_positions(players):
    offered = propose_plans(players, 5)
    for proposal in offered:
        plan = proposal.plan
        faults = judge(plan)
        assert set(faults) <= {"meetings"}
        assert faults["meetings"] == proposal.figures.repeated
        assert most_meetings(plan) == proposal.figures.most_meetings
        assert sum(plan.lines) == players + proposal.fillers
        assert max(plan.lines) - min(plan.lines) <= 1
        counts = rests(plan).values()
        assert (min(counts), max(counts)) == (proposal.figures.least_exempt, proposal.figures.most_exempt)
        assert check_plan(plan, proposal.figures) == []
    first = offered[0]
    assert first.plan.positions == 5
    assert first.figures.exemption_gap <= 1
    assert judge(first.plan)["meetings"] == REPEATED.get(players, 0)
    if players >= 19:  # enough for a perfect evening without a player from outside
        alone = [one.figures for one in offered if not one.fillers]
        assert any(found.perfect and found.most_exempt <= 1 for found in alone)


@pytest.mark.parametrize("tables", [7, 8, 9, *range(11, 19)])
@pytest.mark.parametrize("rovers", [1, 2, 3])
def test_rovers_where_they_are_known_to_roam(tables, rovers):
    """Check seven positions, or as many as tables: moving sets, nobody rests twice, nobody meets twice."""
    offered = [one for one in propose_plans(4 * tables + rovers, 7) if one.code == "rovers"]
    assert [one.plan.barometer for one in offered] == [False]
    plan = offered[0].plan
    assert judge(plan) == {}
    assert sorted(rests(plan).values()) == [0] * (4 * tables - 6 * rovers) + [1] * 7 * rovers
    assert plan.lines == tuple(tables + (line < rovers) for line in range(4))


def test_thirty_players():
    assert [told(one) for one in propose_plans(30, 5)] == [("rovers", 7, 0, False), ("filler", 8, 2, False)]
    assert propose_plans(30, 5)[0].params == {
        "players": 30,
        "tables": 7,
        "positions": 5,
        "fillers": 0,
        "rovers": 2,
        "most": 1,
    }


def test_one_short_of_full_tables_a_filler_comes_first_then_a_phantom_or_rovers():
    assert [told(one) for one in propose_plans(27, 5)] == [
        ("filler", 7, 1, False),
        ("rovers", 6, 0, False),
        ("phantom", 7, 0, False),
    ]


def test_full_tables_are_offered_as_announced_with_chosen_positions_and_in_barometer():
    assert [told(one) for one in propose_plans(40, 5)] == [
        ("tables", 10, 0, False),
        ("tables", 10, 0, True),
        ("barometer", 10, 0, False),
    ]


@pytest.mark.parametrize(
    ("players", "positions", "repeated", "bound"),
    [
        (24, 6, 12, 0),
        (24, 7, 36, 36),
        (24, 12, 216, 216),
        (40, 10, 20, 0),
        (40, 11, 60, 60),
        (56, 15, 84, 84),
        (72, 19, 108, 108),
    ],
)
def test_a_search_goes_on_where_the_rule_ends(players, positions, repeated, bound):
    """Check the search. The rule alone repeats 36, 72, 252, 60 … meetings. Counting allows at least `bound`."""
    first = propose_plans(players, positions)[0]
    assert (first.plan.positions, first.figures.repeated, first.figures.bound) == (positions, repeated, bound)
    assert judge(first.plan) == {"meetings": repeated}
    assert most_meetings(first.plan) == (3 if positions == 12 else 2)
    assert check_plan(first.plan, first.figures) == []


@pytest.mark.nightly("statistics")
def test_of_a_filler_and_rovers_who_repeat_less_comes_first():
    offered = propose_plans(23, 6)
    assert [(one.code, one.figures.repeated) for one in offered[:2]] == [("rovers", 7), ("filler", 12)]


def test_where_five_positions_repeat_meetings_fewer_are_offered_too():
    assert [(one.code, one.plan.positions) for one in propose_plans(16, 5)] == [
        ("barometer", 5),
        ("fewer_positions", 4),
    ]


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("positions", [1, 3, 4, 5, 7, 12])
@pytest.mark.parametrize("players", [5, 6, 7, 9, 10, 11, 13, 14, 15])
def test_small_uneven_fields_rest_alike_without_fillers(players, positions):
    """Check that each position rests the players left over, and that rests differ by one at most."""
    offered = propose_plans(players, positions)
    plan = next(one.plan for one in offered if one.code == "any_line")
    assert not plan.fillers
    assert [len(resting) for resting in plan.list_resting()] == [players % 4] * positions
    counts = rests(plan).values()
    assert sum(counts) == players % 4 * positions
    assert max(counts) - min(counts) <= 1
    assert set(judge(plan)) <= {"meetings"}
    assert len(plan.rovers) == players % 4
    for proposal in offered:
        assert check_plan(proposal.plan, proposal.figures) == []
        assert judge(proposal.plan)["meetings"] == proposal.figures.repeated >= proposal.figures.bound


def test_only_rovers_sit_on_other_lines_and_that_is_what_lets_everybody_rest():
    plan = next(one.plan for one in propose_plans(9, 5) if one.code == "any_line")
    abroad = {seated for play in plan.stops for seated in numbers(play) if isinstance(seated, Member)}
    assert abroad == {(0, 3)} == set(plan.rovers)
    fixed = replace(plan, rovers=())
    assert {fault.code for fault in find_faults(fixed)} == {"astray"}
    assert judge(fixed)["astray"] > 0


def test_small_fields_offer_plans_with_even_rests_before_others():
    assert [told(one) for one in propose_plans(13, 5)] == [("any_line", 3, 0, False), ("filler", 4, 3, False)]
    assert [told(one) for one in propose_plans(15, 5)] == [
        ("any_line", 3, 0, False),
        ("filler", 4, 1, False),
        ("phantom", 4, 0, False),
    ]


def test_a_filler_plays_every_position_and_is_told():
    plan = propose_plans(27, 5)[0].plan
    assert plan.fillers == ((3, 7),)
    assert [sum(play.seats[3] == (3, 7) for play in plan.stops if play.position == p) for p in range(1, 6)] == [1] * 5


def test_a_phantom_leaves_three_to_rest_each_once():
    plan = next(one.plan for one in propose_plans(27, 5) if one.code == "phantom")
    assert [len(resting) for resting in plan.list_resting()] == [3] * 5
    assert max(rests(plan).values()) == 1


def test_in_barometer_when_asked():
    assert {
        one.plan.barometer for players in (20, 21, 23, 32) for one in propose_plans(players, 5, barometer=True)
    } == {True}


@pytest.mark.nightly("statistics")
@draw_examples(40)
@given(players=st.integers(28, 160), positions=st.integers(1, 7), etuis=st.integers(1, 6))
def test_any_larger_field_is_perfect_for_seven_positions_by_some_proposal(players, positions, etuis):
    offered = propose_plans(players, positions, etuis)
    assert offered[0].plan.etuis_per_position == etuis
    for proposal in offered:
        assert judge(proposal.plan) == {}
        assert max(rests(proposal.plan).values()) <= 1


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(("players", "positions"), [(13, 5), (17, 5), (30, 5)])
def test_the_same_players_get_the_same_bytes(players, positions):
    once, again = (json.dumps([write_plays(one.plan) for one in propose_plans(players, positions)]) for _ in range(2))
    assert once == again


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize(("players", "positions"), [(43, 12), (21, 8)])
def test_uneven_evenings_beyond_any_rule_repeat_meetings_but_no_etui(players, positions):
    offered = {one.code: one for one in propose_plans(players, positions)}
    assert {key for one in offered.values() for key in judge(one.plan)} == {"meetings"}
    roving = offered["rovers"]
    assert roving.plan.rule == "annealed"
    assert max(rests(roving.plan).values()) == ceil(positions / (players // 4 + 1))


@pytest.mark.parametrize(
    ("players", "positions", "code"),
    [(3, 5, "players"), (601, 5, "players"), (30, 0, "positions"), (30, 151, "positions")],
)
def test_impossible_wishes_are_refused(players, positions, code):
    with pytest.raises(PlanError) as caught:
        propose_plans(players, positions)
    assert caught.value.code == code
