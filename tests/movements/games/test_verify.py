"""The verifier of free games sees every fault, and every false figure."""

from dataclasses import replace

import pytest

from movements import OddTables, PlanFault, Stay, compute_figures, find_faults
from movements.games import plan_games, start_games
from movements.plan.figures import FIGURES as NAMES
from tests.movements.recount import check_plan

GAMES = plan_games(23, 5, 4, OddTables.MORT)


def change(place, **values):
    tables = list(GAMES.stops)
    tables[place] = tables[place]._replace(**values)
    return replace(GAMES, stops=tuple(tables))


ONE, TWO = GAMES.stops[0].people, GAMES.stops[1].people
FOUR = next(place for place, part in enumerate(GAMES.stops) if len(part.people) == 4)
FIVE = next(place for place, part in enumerate(GAMES.stops) if len(part.people) == 5)
FAULTY = {
    "size": change(0, seats=ONE[:2]),
    "unknown": change(0, seats=(*ONE[:-1], 24)),
    "twice": change(0, seats=(*ONE[:-1], ONE[0])),
    "absent": replace(GAMES, stays=(Stay(ONE[0], 2, 5),)),
    "left_out": replace(GAMES, competitors=24),
    "table_twice": change(1, table=1),
    "rests": change(FIVE, rests=GAMES.stops[FIVE].rests[:-1] + GAMES.stops[FIVE].rests[:1]),
    "mates": replace(GAMES, mates=((ONE[0], ONE[1]),)),
    "games": replace(GAMES, positions=4),
}


@pytest.mark.parametrize("code", FAULTY)
def test_every_kind_of_fault_is_found(code):
    assert code in {fault.code for fault in find_faults(FAULTY[code])}


def test_somebody_at_two_tables_is_found():
    assert "twice" in {fault.code for fault in find_faults(change(0, seats=(TWO[0], *ONE[1:])))}


def test_only_tables_of_five_have_somebody_who_rests():
    wrong = change(FOUR, rests=GAMES.stops[FOUR].people)
    assert {fault.code for fault in find_faults(wrong)} == {"rests"}


@pytest.mark.parametrize("game", [1, 2, 4])
def test_a_missing_game_is_found(game):
    wrong = replace(GAMES, stops=tuple(part for part in GAMES.stops if part.position != game))
    found = [fault.params for fault in find_faults(wrong) if fault.code == "games"]
    assert found == [{"game": game, "found": GAMES.positions}]


def test_latecomer_without_a_place_is_found_in_each_game_but_the_last_one():
    wrong = replace(GAMES, competitors=24, stays=(Stay(24, 2, 5),))
    left_out = [fault.params for fault in find_faults(wrong) if fault.code == "left_out"]
    assert left_out == [{"game": game, "number": 24} for game in (2, 3, 4)]


@pytest.mark.parametrize(("people", "odd"), [(12, OddTables.ALL_THREES), (10, OddTables.ALL_FIVES)])
def test_tables_are_all_of_one_size_where_the_étuis_want_it(people, odd):
    games = plan_games(people, 2, 4, odd)
    first, *others = games.stops
    assert find_faults(games) == []
    for seats in (first.seats[:-1], (*first.seats, people)):
        wrong = find_faults(replace(games, stops=(first._replace(seats=seats), *others)))
        assert "size" in {fault.code for fault in wrong}


def test_games_of_which_none_is_seated_have_no_fault():
    assert find_faults(start_games(12, 3, 4)) == []


def test_mates_at_a_table_are_both_named():
    (fault,) = find_faults(FAULTY["mates"])
    assert fault.params == {"game": 1, "table": 1, "number": ONE[0], "other": ONE[1]}


def test_some_may_rest_once_more_than_others():
    games = plan_games(23, 5, 3, OddTables.MORT)
    assert {len(part.rests) for part in games.stops} == {0, 4}
    assert find_faults(games) == []


FIGURES = compute_figures(GAMES)


@pytest.mark.parametrize("name", NAMES[GAMES.seating])
def test_every_false_figure_is_found(name):
    value = getattr(FIGURES, name)
    claimed = replace(FIGURES, **{name: (*value, (6, 1)) if isinstance(value, tuple) else value + 1})
    assert [false.name for false in check_plan(GAMES, claimed)] == [name]


def test_every_fault_has_a_message():
    codes = {"table_twice", *FAULTY}
    assert codes <= set(PlanFault.messages)
