"""The draw of seats: each player once, the same for the same seed, strong players spread, groups kept apart."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from movements import propose_plans
from movements.draw import NO_TEAMS, Apart, assign_seats, find_meetings, part_newcomers, seat_apart

SEEDS = st.integers(min_value=0, max_value=10**9)


def full(tables):
    return [table for table in range(1, tables + 1) for _ in range(4)]


def companies(players, tables):
    """Return the players at each table."""
    found = {}
    for player, table in zip(players, tables, strict=True):
        found.setdefault(table, set()).add(player)
    return list(found.values())


@st.composite
def seatings(draw_from):
    """Draw full tables, and up to three single seats of players who rest in position 1."""
    tables = draw_from(st.integers(1, 12))
    alone = draw_from(st.integers(0, 3))
    return full(tables) + list(range(101, 101 + alone))


@given(seatings(), SEEDS, st.booleans())
def test_draw_seats_everybody_once_and_repeats_itself(tables, seed, by_strength):
    players = list(range(1, len(tables) + 1))
    drawn = assign_seats(players, tables, seed=seed, by_strength=by_strength)
    assert sorted(drawn.players) == players
    assert drawn == assign_seats(players, tables, seed=seed, by_strength=by_strength)


def test_draw_of_a_seed_stays_what_it_is():
    drawn = [assign_seats(range(1, 13), full(3), seed=seed).players for seed in (1, 2)]
    assert drawn[0] != drawn[1]
    assert drawn[0] == (12, 6, 8, 2, 4, 1, 5, 9, 10, 3, 7, 11)


@given(st.integers(1, 15), SEEDS)
def test_draw_by_strength_gives_each_table_one_of_each_quarter(tables, seed):
    drawn = assign_seats(range(4 * tables), full(tables), seed=seed, by_strength=True)
    for company in companies(drawn.players, full(tables)):
        assert sorted(player // tables for player in company) == [0, 1, 2, 3]


@given(st.integers(1, 15), SEEDS)
def test_draw_by_strength_gives_each_line_its_share_of_each_quarter(tables, seed):
    drawn = assign_seats(range(4 * tables), full(tables), seed=seed, by_strength=True)
    for line in range(4):
        shares = Counter(player // tables for player in drawn.players[line::4])
        assert max(shares.values()) - min(shares.get(quarter, 0) for quarter in range(4)) <= 1


@st.composite
def disjoint_groups(draw_from):
    """Draw full tables, and disjoint groups that are no larger than the number of tables."""
    tables = draw_from(st.integers(2, 10))
    left = draw_from(st.permutations(range(4 * tables)))
    groups = []
    for size in draw_from(st.lists(st.integers(2, tables), max_size=8)):
        if size <= len(left):
            groups.append(left[:size])
            left = left[size:]
    return tables, groups


@given(disjoint_groups(), SEEDS)
def test_draw_keeps_groups_apart_wherever_there_are_tables_enough(case, seed):
    tables, groups = case
    drawn = assign_seats(range(4 * tables), full(tables), seed=seed, apart=groups)
    assert drawn.together == ()
    met = {pair for company in companies(drawn.players, full(tables)) for pair in combinations(sorted(company), 2)}
    assert not met & {pair for group in groups for pair in combinations(sorted(group), 2)}


@given(st.integers(2, 8), SEEDS, st.booleans())
def test_draw_says_who_sits_together_where_a_group_is_larger_than_the_tables(tables, seed, by_strength):
    group = range(tables + 1)
    drawn = assign_seats(range(4 * tables), full(tables), seed=seed, by_strength=by_strength, apart=[group])
    told = {tuple(sorted(pair)) for pair in drawn.together}
    met = {pair for company in companies(drawn.players, full(tables)) for pair in combinations(sorted(company), 2)}
    assert told == {pair for pair in met if pair[1] <= tables}
    assert told


def test_draw_by_strength_parts_groups_without_giving_up_the_quarters():
    family = [0, 8, 16, 24]
    drawn = assign_seats(range(32), full(8), seed=7, by_strength=True, apart=[family])
    assert drawn.together == ()
    assert all(
        sorted(player // 8 for player in company) == [0, 1, 2, 3] for company in companies(drawn.players, full(8))
    )


@pytest.mark.parametrize("players", [[1, 2, 3], [1, 2, 3, 3]])
def test_draw_refuses_numbers_that_do_not_fit(players):
    with pytest.raises(ValueError, match="different players for 4 seats"):
        assign_seats(players, full(1), seed=1)


def pair_up(players):
    """Return teams of two of these players, with a single one left over if their number is odd."""
    return [players[place : place + 2] for place in range(0, len(players), 2)]


def seat_fields(players, positions=4):
    """Return the seats of the first proposed plan of a field, each with the indexes of the seats that it meets."""
    plan = next(iter(propose_plans(players, positions, 4))).plan
    met = find_meetings(plan)
    seats = [member for member in met if member not in plan.fillers]
    at = {member: place for place, member in enumerate(seats)}
    return [[at[each] for each in met[member] if each in at] for member in seats]


@pytest.mark.parametrize(("players", "most"), [(10, 0), (12, 2), (14, 0), (16, 0), (20, 0), (26, 0), (28, 0), (30, 0)])
def test_players_of_a_team_meet_at_no_table_where_the_field_allows_it(players, most):
    near = seat_fields(players)
    people = list(range(1, len(near) + 1))
    for seed in range(5):
        drawn = assign_seats(people, [0] * len(near), seed=seed, teams=Apart(pair_up(people), near))
        assert sorted(drawn.players) == people
        assert len(drawn.together) <= most
        met = {(drawn.players[place], drawn.players[other]) for place, others in enumerate(near) for other in others}
        assert {tuple(sorted(pair)) for pair in drawn.together} == {tuple(pair) for pair in pair_up(people)} & met


def test_newcomers_exchange_their_seats_so_that_no_team_meets():
    near = seat_apart([], full(2)).near
    assert 9 in part_newcomers([1, 2, 3, 9, 4, 5, 6, 7], Apart([[1, 9]], near), 5)[1:]
    assert part_newcomers([1, 2, 3, 4, 5, 6, 7, 8], Apart([[1, 5]], near), 4) == [5, 6, 7, 8]


def test_newcomers_of_no_team_keep_their_order_on_an_empty_plan():
    assert part_newcomers([1, 2, 3, 4, 5], NO_TEAMS, 5) == [1, 2, 3, 4, 5]
