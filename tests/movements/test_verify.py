"""The verifier of plans: it sees every mutation, and agrees with the tests' own verifier."""

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movements import (
    Member,
    Seating,
    Stay,
    compute_figures,
    find_faults,
    from_csv,
    plan_tables,
    propose_plans,
    to_csv,
)
from movements.plan.figures import FIGURES
from movements.plan.plan import resize_lines
from tests.examples import draw_examples
from tests.movements.judge import judge, members
from tests.movements.recount import check_plan, find_false_figures

COMPLETE = {
    tables: plan_tables(tables, tables, 2)
    for tables in (5, 7, 8, 9, 12, 15, 16)  # cyclic plans, fields, sequences
}


def codes(plan, claimed=None):
    return {fault.code for fault in (check_plan(plan, claimed) if claimed else find_faults(plan))}


def with_play(plan, index, seats=None, **changes):
    plays = list(plan.stops)
    if seats is not None:
        changes["seats"] = members(*seats)
    plays[index] = plays[index]._replace(**changes)
    return replace(plan, stops=tuple(plays))


def swapped(plan, one, two, line):
    """Return the plan with two players of a line exchanged between two of its plays."""
    a, b = list(plan.stops[one].seats), list(plan.stops[two].seats)
    a[line], b[line] = b[line], a[line]
    return with_play(with_play(plan, one, seats=tuple(a)), two, seats=tuple(b))


def with_etuis_swapped(plan, one, two):
    a, b = plan.stops[one].etuis, plan.stops[two].etuis
    return with_play(with_play(plan, one, etuis=b), two, etuis=a)


@pytest.mark.parametrize(
    ("stranger", "told"),
    [(Member(0, 99), "N 99"), (Member(1, 6), "E 6"), (Member(3, 99), "W 99"), (Member(4, 1), "5 1")],
)
def test_fault_names_a_player_by_line_and_number(stranger, told):
    plan = COMPLETE[5]
    first = plan.stops[0]
    others = [seat for seat in first.seats if seat.line != stranger.line][:3]
    spoiled = replace(plan, stops=(first._replace(seats=(stranger, *others)), *plan.stops[1:]))
    (fault,) = [fault for fault in find_faults(spoiled) if fault.code == "stranger"]
    line = told.split()[0]
    assert fault.params == {
        "position": first.position,
        "table": first.table,
        "line": line,
        "number": stranger.number,
    }
    assert told in str(fault)


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("tables", [5, 7, 8])
def test_every_swapped_pair_of_a_complete_movement_is_seen(tables):
    plan = replace(COMPLETE[tables], shifts=None)  # without an announcement, so that only the swap itself counts
    claimed = compute_figures(plan)
    for position in range(plan.positions):
        for one, two in combinations(range(tables), 2):
            for line in range(4):
                mutant = swapped(plan, position * tables + one, position * tables + two, line)
                assert codes(mutant, claimed) == {"replayed"}


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("tables", [5, 7, 8, 9])
def test_every_exchange_of_two_sets_of_a_complete_movement_is_seen(tables):
    plan = replace(COMPLETE[tables], shifts=None)
    for position in range(plan.positions):
        for one, two in combinations(range(tables), 2):
            assert codes(with_etuis_swapped(plan, position * tables + one, position * tables + two)) == {"replayed"}


@draw_examples(80)
@given(data=st.data(), tables=st.sampled_from(sorted(COMPLETE)))
def test_every_shifted_etui_of_a_complete_movement_is_seen(data, tables):
    plan = COMPLETE[tables]
    play = data.draw(st.integers(0, len(plan.stops) - 1))
    shift = data.draw(st.integers(1, 2 * tables - 1))
    etuis = tuple((etui - 1 + shift) % (2 * tables) + 1 for etui in plan.stops[play].etuis)
    mutant = with_play(replace(plan, shifts=None), play, etuis=etuis)
    assert codes(mutant) == {"etui_twice", "replayed"}


@draw_examples(80)
@given(data=st.data(), tables=st.sampled_from(sorted(COMPLETE)))
def test_every_other_player_in_a_seat_is_seen(data, tables):
    plan = COMPLETE[tables]
    play = data.draw(st.integers(0, len(plan.stops) - 1))
    line = data.draw(st.integers(0, 3))
    players = list(plan.stops[play].seats)
    wrong = st.one_of(st.none(), st.integers(-1, tables + 2)).filter(
        lambda number: members(*[number] * 4)[line] != players[line]
    )
    players[line] = data.draw(wrong)
    mutant = with_play(plan, play, seats=tuple(players))
    assert check_plan(mutant, compute_figures(plan)) != []


@pytest.mark.parametrize("tables", [6, 7, 10, 25])
def test_a_swap_in_a_short_announced_movement_breaks_the_announcement(tables):
    """Check a short movement: it may stay perfect after a swap, but no longer follows the arbiter's announcement."""
    plan = plan_tables(tables, 2)
    for line in range(4):
        assert "announced" in codes(swapped(plan, tables, tables + 1, line))
    assert "announced" in codes(with_etuis_swapped(plan, tables, tables + 1))


def test_announcement_counts_for_every_number_up_to_that_of_the_last_table():
    plan = plan_tables(7, 2)
    told = [fault.params["seat"] for fault in find_faults(swapped(plan, 12, 13, 0)) if fault.code == "announced"]
    assert told == ["N 7", "N 6"]


@pytest.mark.parametrize("players", [23, 26, 29, 31, 35, 42])
def test_swaps_in_uneven_plans_change_what_was_claimed(players):
    """Swap two players in the third position of every plan, without an announcement."""
    for proposal in propose_plans(players, 5):
        plan = replace(proposal.plan, shifts=None)
        third = [index for index, play in enumerate(plan.stops) if play.position == 3 and play.complete]
        for line in range(4):
            mutant = swapped(plan, third[0], third[1], line)
            assert check_plan(mutant, proposal.figures) != []


@pytest.mark.parametrize("field", FIGURES[Seating.LINES])
def test_every_false_figure_is_seen(field):
    plan = propose_plans(30, 5)[0].plan
    true = compute_figures(plan)
    false = (1,) * 5 if field == "exempt" else getattr(true, field) + 1
    assert check_plan(plan, replace(true, **{field: false})) == [(field, getattr(true, field), false)]


PLAN = plan_tables(7, 3, 2)


@pytest.mark.parametrize(
    ("mutant", "expected"),
    [
        (replace(PLAN, stops=PLAN.stops[:-1] + PLAN.stops[-1:] * 2), {"position"}),
        (replace(PLAN, stops=PLAN.stops[:6] + PLAN.stops[7:9] + PLAN.stops[10:]), {"position"}),
        (replace(PLAN, positions=4), {"position"}),
        (replace(PLAN, tables=6), {"position"}),
        (with_play(PLAN, 0, position=9), {"position"}),
        (with_play(PLAN, 0, etuis=(1,)), {"etuis"}),
        (with_play(PLAN, 0, etuis=(1, 1)), {"etuis"}),
        (with_play(PLAN, 0, etuis=(0, 1)), {"etuis"}),
        (with_play(PLAN, 0, seats=(1, 1, 1)), {"seats"}),
        (with_play(PLAN, 0, seats=(1, 1, 1, 1, 1)), {"seats"}),
        (resize_lines(PLAN, (7, 7, 7, 6)), {"stranger"}),
        (replace(PLAN, stays=(Stay(Member(0, 3), 1, 2),)), {"stranger"}),
        (replace(PLAN, stays=(Stay(Member(0, 8), 1, 2),)), {"span"}),
        (replace(PLAN, stays=(Stay(Member(5, 1), 1, 2),)), {"span"}),
        (with_play(PLAN, 7, seats=(2, 7, 6, 5)), {"seated_twice", "replayed", "announced"}),
        (with_play(PLAN, 7, etuis=PLAN.stops[8].etuis), {"etui_twice", "replayed", "announced"}),
        (replace(PLAN, barometer_after=0), {"barometer"}),
        (replace(PLAN, barometer_after=2), {"barometer"}),
    ],
)
def test_each_fault_has_its_code(mutant, expected):
    assert codes(mutant) == expected


@pytest.fixture(scope="module")
def roving():
    return next(one.plan for one in propose_plans(10, 4) if one.code == "any_line")


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        ((1, 1, 1, Member(0, 1)), {"seated_twice"}),
        ((1, 1, Member(1, 9), 1), {"stranger"}),
        ((1, 1, Member(7, 1), 1), {"stranger", "astray"}),
        ((1, Member(2, 1), 2, 1), {"astray"}),
    ],
)
def test_who_sits_on_another_line_is_there_once_and_a_rover(roving, players, expected):
    plan = replace(roving, positions=1, stops=roving.stops[:1], rovers=(Member(0, 1), Member(1, 9)))
    assert codes(with_play(plan, 0, seats=players)) == expected


def test_whoever_plays_at_two_tables_of_a_plan_with_rovers_is_seen(roving):
    for index, play in enumerate(roving.stops):
        for other in (one for one in roving.stops if one.position == play.position and one != play):
            for here, there in product(play.people, other.people):
                mutant = with_play(roving, index, seats=play.exchange({here: there}).seats)
                assert "seated_twice" in codes(mutant)


def test_étuis_of_one_table_do_not_stray_in_barometer():
    plan = plan_tables(5, 5, barometer=True)
    assert codes(with_play(plan, 7, etuis=plan.stops[0].etuis)) == {"barometer", "replayed"}


def test_a_table_that_lacks_a_player_plays_nothing():
    """Check that nobody replays its étuis, and that its three players rest."""
    plan = replace(plan_tables(5, 2), shifts=None)
    twice = with_play(plan, 5, etuis=plan.stops[0].etuis, seats=(1, None, 4, 3))
    assert "replayed" not in codes(twice)
    assert Member(0, 1) in twice.list_resting()[1]


def test_rests_in_the_first_and_the_last_position_of_a_stay_are_counted():
    plan = plan_tables(5, 3)
    leaving, one, two, _other = plan.stops[6].seats
    stays = (Stay(leaving, 1, 1), Stay(one, 2, 3), Stay(two, 1, 2))
    changed = with_play(replace(plan, stays=stays), 6, seats=plan.stops[6].take_seat(0, None).seats)
    found = compute_figures(changed)
    assert found.exempt == (0, 3, 0)
    assert find_false_figures(changed, found) == []


@draw_examples(100)
@given(data=st.data())
def test_both_verifiers_agree_on_whatever_was_done_to_a_plan(data):
    """Compare the verifiers on plans read from a file, with any seats and étuis exchanged."""
    plan = from_csv(to_csv(plan_tables(6, 4, 1)))
    for _ in range(data.draw(st.integers(0, 6))):
        one, two = (data.draw(st.integers(0, 23)) for _ in range(2))
        line = data.draw(st.integers(0, 4))
        if one != two:
            plan = with_etuis_swapped(plan, one, two) if line == 4 else swapped(plan, one, two, line)
    seen = judge(plan)
    found = codes(plan)
    assert ("seated_twice" in found) == (seen["seated twice"] > 0)
    assert ("etui_twice" in found) == (seen["étuis"] > 0)
    assert ("replayed" in found) == (seen["replays"] > 0)
    assert compute_figures(plan).repeated == seen["meetings"]
    assert compute_figures(plan).replays == seen["replays"]
    assert check_plan(plan, compute_figures(plan)) == find_faults(plan)
