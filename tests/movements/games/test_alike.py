"""The games of étuis for three or five players: every table has the same number of people."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from movements import OddTables, PlanStop, compute_figures, find_faults, read_plan, write_plan
from movements.games import plan_games, split_people, turn_seats
from movements.plan.bounds import PlanError
from tests.movements.recount import check_plan

SIZES = {OddTables.ALL_THREES: 3, OddTables.ALL_FIVES: 5}
LEAST_REPEATED = {(OddTables.ALL_THREES, 2): 15, (OddTables.ALL_THREES, 3): 9, (OddTables.ALL_THREES, 4): 3}


def count_compared(games):
    """Return how often each pair of people sits in the same seat in the same game."""
    compared = Counter()
    for game in range(1, games.seated + 1):
        for column in zip(*(table.people for table in games.at(game)), strict=True):
            compared.update(frozenset(two) for two in combinations(column, 2))
    return compared


@pytest.mark.nightly("statistics")
@pytest.mark.parametrize("tables", [*range(1, 31), 100, 120])
@pytest.mark.parametrize("odd", SIZES)
def test_all_tables_have_one_size_and_from_five_tables_on_nobody_meets_twice(odd, tables):
    games = turn_seats(plan_games(tables * SIZES[odd], 5, 4, odd))
    figures = compute_figures(games)
    assert check_plan(games, figures) == []
    assert figures.sizes == ((SIZES[odd], 5 * tables),)
    assert figures.most_odd == 0
    if tables >= 5:
        assert figures.repeated == 0
    elif least := LEAST_REPEATED.get((odd, tables)):
        assert figures.repeated == least


@pytest.mark.parametrize("odd", SIZES)
def test_seats_are_turned_so_that_fewer_pairs_are_compared_again(odd):
    for tables in (2, 5, 11, 30):
        plain = plan_games(tables * SIZES[odd], 5, 4, odd)
        turned = turn_seats(plain)
        assert turned == turn_seats(plain)
        assert [{*table.people} for table in turned.stops] == [{*table.people} for table in plain.stops]
        before, after = (sum(times**2 for times in count_compared(games).values()) for games in (plain, turned))
        assert after < before


def test_the_games_are_read_as_they_were_written():
    for odd, size in SIZES.items():
        games = turn_seats(plan_games(6 * size, 3, 4, odd))
        assert read_plan(write_plan(games)) == games


@pytest.mark.parametrize(
    ("people", "odd", "text"),
    [
        (35, OddTables.ALL_THREES, "33 or 36 can. Let 2 sit out"),
        (34, OddTables.ALL_THREES, "33 or 36 can. Let 1 sit out"),
        (63, OddTables.ALL_FIVES, "60 or 65 can. Let 3 sit out"),
        (7, OddTables.ALL_FIVES, "5 or 10 can. Let 2 sit out"),
        (5, OddTables.ALL_THREES, "3 or 6 can. Let 2 sit out"),
        (4, OddTables.ALL_FIVES, "A table has 5 players here, and only 4 are there"),
    ],
)
def test_another_number_of_people_is_refused_with_what_to_do(people, odd, text):
    with pytest.raises(PlanError, match=text):
        plan_games(people, 5, 4, odd)


def test_whole_tables_are_split_evenly():
    assert split_people(12, OddTables.ALL_THREES) == (3, 3, 3, 3)
    assert split_people(5, OddTables.ALL_FIVES) == (5,)


def test_a_table_of_another_size_is_a_fault():
    games = plan_games(12, 1, 4, OddTables.ALL_THREES)
    wrong = replace(
        games,
        stops=(
            PlanStop(1, 1, (1, 2, 3, 4), (1, 2, 3, 4)),
            *(PlanStop(1, n, (1, 2, 3, 4), (3 * n - 1, 3 * n, 3 * n + 1)) for n in (2, 3)),
        ),
    )
    assert [fault.code for fault in find_faults(wrong)] == ["size"]
