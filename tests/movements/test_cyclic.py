"""The cyclic movement is perfect for every table count: `faults` judges it from the definition alone."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from movements.plans.cyclic import CYCLIC, MAX_TABLES, Movement, MovementError, Seating, cyclic, most_positions

LINES = ("north", "east", "south", "west")
# The most positions for 1 to 24 tables: n over the largest divisor of n up to 4, by hand.
MOST = [1, 1, 1, 1, 5, 2, 7, 2, 3, 5, 11, 3, 13, 7, 5, 4, 17, 6, 19, 5, 7, 11, 23, 6]


def faults(movement):
    """How often each thing that a perfect movement forbids happens; empty when it never does."""
    numbers = sorted(range(1, movement.tables + 1))
    every_etui = sorted(range(1, movement.tables * movement.etuis_per_position + 1))
    found = Counter()
    for position in range(1, movement.positions + 1):
        plays = [play for play in movement.plays if play.position == position]
        found["tables"] += sorted(play.table for play in plays) != numbers
        found["etuis"] += sorted(etui for play in plays for etui in play.etuis) != every_etui
        for line in LINES:
            found[line] += sorted(getattr(play, line) for play in plays) != numbers
    found["plays"] += len(movement.plays) != movement.tables * movement.positions
    for one, two in combinations(LINES, 2):
        meetings = Counter((getattr(play, one), getattr(play, two)) for play in movement.plays)
        found["meetings"] += sum(times - 1 for times in meetings.values())
    for line in LINES:
        played = Counter((getattr(play, line), etui) for play in movement.plays for etui in play.etuis)
        found["replays"] += sum(times - 1 for times in played.values())
    return +found


def refusal(*args):
    with pytest.raises(MovementError) as caught:
        cyclic(*args)
    return caught.value.code, caught.value.params, str(caught.value)


# Construction


@pytest.mark.parametrize("tables", range(1, 61))
def test_cyclic_movement_is_perfect(tables):
    movement = cyclic(tables, most_positions(tables))
    assert (movement.tables, movement.positions) == (tables, most_positions(tables))
    assert faults(movement) == {}


@pytest.mark.parametrize("tables", [5, 7, 11, 13, 17, 19, 23, 25])
def test_without_positions_every_player_meets_every_etui(tables):
    assert cyclic(tables).positions == tables


@pytest.mark.parametrize(("tables", "most", "below", "above"), [(6, 2, 5, 7), (9, 3, 7, 11), (24, 6, 23, 25)])
def test_without_positions_a_count_that_the_rule_cannot_complete_is_refused(tables, most, below, above):
    code, params, text = refusal(tables)
    assert (code, params) == ("incomplete", {"tables": tables, "most": most, "below": below, "above": above})
    assert text.endswith(f"or play with {below} or {above} tables.")


def test_fewer_than_five_tables_complete_no_movement():
    assert refusal(4)[:2] == ("incomplete_few", {"tables": 4, "most": 1, "above": 5})


def test_most_positions_by_table_count():
    assert [most_positions(tables) for tables in range(1, 25)] == MOST


@pytest.mark.parametrize("tables", range(2, 61))
def test_cyclic_movement_is_not_perfect_one_position_longer(tables):
    """The limit is the rule's own: one position more, in plain modular arithmetic, and something repeats."""
    longer = most_positions(tables) + 1
    plays = tuple(
        Seating(
            position=p + 1,
            table=t + 1,
            set_index=(t + p) % tables + 1,
            etuis=((t + p) % tables + 1,),
            north=t + 1,
            east=(t - p) % tables + 1,
            south=(t - 2 * p) % tables + 1,
            west=(t - 3 * p) % tables + 1,
        )
        for p in range(longer)
        for t in range(tables)
    )
    movement = Movement(tables, longer, 1, plays)
    assert replace(movement, positions=longer - 1, plays=plays[:-tables]) == replace(
        cyclic(tables, longer - 1, etuis_per_position=1), shifts=None
    )
    assert set(faults(movement)) <= {"meetings", "replays"}
    assert sum(faults(movement).values()) > 0


def test_number_t_and_set_t_start_at_table_t():
    for play in cyclic(7).plays[:7]:
        assert play.players == (play.table,) * 4
        assert play.set_index == play.table


def test_second_position_follows_the_announcement():
    """North stays, East one table up, South two, West three, the étuis one down."""
    second = [play for play in cyclic(5, 2).plays if play.position == 2]
    assert [play.players for play in second] == [(1, 5, 4, 3), (2, 1, 5, 4), (3, 2, 1, 5), (4, 3, 2, 1), (5, 4, 3, 2)]
    assert [play.set_index for play in second] == [2, 3, 4, 5, 1]
    assert CYCLIC == cyclic(5).shifts == (0, 1, 2, 3, -1)


@given(st.integers(1, 60), st.integers(1, 24))
def test_set_s_has_k_etuis_in_a_row(tables, k):
    for play in cyclic(tables, 1, k).plays:
        assert play.etuis == tuple(range((play.set_index - 1) * k + 1, play.set_index * k + 1))


def test_fewer_positions_are_the_beginning_of_more():
    assert cyclic(11, 4).plays == cyclic(11).plays[:44]


def test_the_largest_movement_is_perfect():
    movement = cyclic(MAX_TABLES, 20)
    assert faults(movement) == {}


# Refusals


def test_positions_beyond_the_rule_name_the_nearest_counts():
    assert refusal(9, 5) == (
        "too_many_positions",
        {"tables": 9, "positions": 5, "most": 3, "below": 7, "above": 10},
        "Tables: 9. Players would meet again after position 3, and 5 are wanted: play 3, or play with 7 or 10 tables.",
    )


def test_positions_beyond_every_smaller_count_name_the_larger_one():
    assert refusal(4, 3) == (
        "too_few_tables",
        {"tables": 4, "positions": 3, "most": 1, "above": 5},
        "Tables: 4. Players would meet again after position 1, and 3 are wanted: play 1, or play with 5 tables.",
    )


@given(st.integers(1, MAX_TABLES), st.integers(1, MAX_TABLES))
def test_nearest_counts_work_and_no_nearer_one_does(tables, positions):
    assume(positions > most_positions(tables))
    params = refusal(tables, positions)[1]
    below, above = params.get("below", 0), params["above"]
    assert [count for count in range(max(below, 1), above + 1) if most_positions(count) >= positions] == (
        [below, above] if below else [above]
    )


@pytest.mark.parametrize(
    ("args", "code", "params"),
    [
        ((0,), "tables", {"found": 0, "most": 199}),
        ((-5, 1), "tables", {"found": -5, "most": 199}),
        ((200,), "tables", {"found": 200, "most": 199}),
        ((7, 0), "positions", {"found": 0, "most": 199}),
        ((7, 10**9), "positions", {"found": 10**9, "most": 199}),
        ((7, 7, 0), "etuis", {"found": 0, "most": 24}),
    ],
)
def test_impossible_figures_are_refused(args, code, params):
    assert refusal(*args)[:2] == (code, params)


# Mutations: whatever is changed in a movement, the verifier names it
