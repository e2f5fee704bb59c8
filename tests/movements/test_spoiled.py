"""The check of plans that are spoiled in 5 000 ways: it finds what two verifiers found before it was one."""

import ast
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from movements.games import OddTables, Stay, add_person, plan_games, remove_person
from movements.plan import laws
from movements.plan.laws import find_plan_faults
from movements.plan.tables import PlanStop, TablePlan
from movements.teams import all_meet, emmanuel, plan_matches, plan_quadrettes, two_lines

EACH = 334  # ways to spoil each plan
CODES = {
    "": 776,
    "absent": 211,
    "apart": 7,
    "badge": 49,
    "barometer": 37,
    "etui_twice": 169,
    "games": 132,
    "itself": 60,
    "left_out": 620,
    "line": 190,
    "mates": 23,
    "mirror": 383,
    "position": 1338,
    "replayed": 438,
    "rests": 300,
    "seated_twice": 451,
    "size": 237,
    "stranger": 89,
    "table_twice": 563,
    "twice": 479,
    "unknown": 22,
}


def list_team_plans() -> list[TablePlan]:
    lined = [two_lines(10, 5), two_lines(9, 5), two_lines(8, 4)]
    met = [all_meet(6, 5), all_meet(8, 7, moving=True)]
    mirrored = [plan_quadrettes(6, 5), plan_quadrettes(5, 4), plan_matches([(1, 2), (3, 4)])]
    return [*lined, *met, *mirrored, emmanuel(8)]


def list_games() -> list[TablePlan]:
    mort, four = plan_games(23, 5, 4, OddTables.MORT), plan_games(22, 5, 4)
    others = [plan_games(20, 4, 4, teams=[2] * 10), plan_games(12, 4, 4, OddTables.ALL_THREES)]
    return [mort, four, *others, remove_person(four, 5, 2, 3), add_person(four, 3, 2, table=4)]


def spoil_team_stop(stop: PlanStop, other: PlanStop, teams: int, way: int, chance: Random) -> PlanStop:
    """Return the table with another team, étuis, number, position or badge, as the way says."""
    first, second = stop.seats
    if way < 2:
        team = chance.choice((None, chance.randint(1, teams + 1)))
        return stop._replace(seats=(team, second) if way == 0 else (first, team))
    changes = {
        2: lambda: {"etuis": other.etuis},
        3: lambda: {"table": other.table},
        4: lambda: {"position": other.position},
        5: lambda: {"badge": chance.randrange(5)},
        6: lambda: {"seats": (second, first)},
    }
    return stop._replace(**changes[way]())


def spoil_teams(plan: TablePlan, chance: Random) -> TablePlan:
    stops = list(plan.stops)
    for _ in range(chance.choice((1, 1, 2, 3))):
        place, way = chance.randrange(len(stops)), chance.randrange(8)
        other = stops[chance.randrange(len(stops))]
        if way < 7:
            stops[place] = spoil_team_stop(stops[place], other, plan.competitors, way, chance)
        elif len(stops) > 2:
            del stops[place]
    return replace(plan, stops=tuple(stops))


def spoil_game_stop(stop: PlanStop, other: PlanStop, people: int, way: int, chance: Random) -> PlanStop:
    """Return the table with other people, deals, number, game or rests, as the way says. Way 7 changes nothing."""
    there, place = list(stop.people), chance.randrange(len(stop.people))
    changes = {
        0: lambda: {"seats": (*there[:place], chance.randint(1, people + 1), *there[place + 1 :])},
        1: lambda: {"seats": (*there[:place], *there[place + 1 :])},
        2: lambda: {"seats": (*there, chance.randint(1, people))},
        3: lambda: {"table": other.table},
        4: lambda: {"position": chance.randint(1, 7)},
        5: lambda: {"etuis": tuple(range(stop.etuis[0], chance.randint(1, 6) + 1))},
        6: lambda: {"rests": tuple(chance.choice(there) for _ in range(chance.randint(0, 6)))},
        7: dict,
    }
    return stop._replace(**changes[way]())


def spoil_games(games: TablePlan, chance: Random) -> TablePlan:
    stops, people = list(games.stops), games.competitors
    for _ in range(chance.choice((1, 1, 2, 3))):
        place, way, other = chance.randrange(len(stops)), chance.randrange(8), stops[chance.randrange(len(stops))]
        stops[place] = spoil_game_stop(stops[place], other, people, way, chance)
        if way == 7 and len(stops) > 2:
            del stops[place]
    games = replace(games, stops=tuple(stops))
    if chance.random() < 0.2:
        games = replace(games, stays=(Stay(chance.randint(1, people), chance.randint(1, 3), chance.randint(0, 5)),))
    return games


def count_codes(ways: int) -> Counter[str]:
    """Return how many of the spoiled plans have each code. Those without a fault count for ""."""
    counted: Counter[str] = Counter()
    for name, plans, spoil in (("teams", list_team_plans(), spoil_teams), ("games", list_games(), spoil_games)):
        for place, plan in enumerate(plans):
            for seed in range(ways):
                faults = find_plan_faults(spoil(plan, Random(f"{name}{place}{seed}")))
                counted.update({fault.code for fault in faults} or {""})
    return counted


@pytest.mark.nightly("statistics")
def test_five_thousand_spoiled_plans_have_the_faults_of_before():
    assert count_codes(EACH) == CODES


def test_a_few_spoiled_plans_have_nearly_every_fault():
    assert len(count_codes(12)) > 17


def test_verifier_imports_no_maker_and_no_figures():
    tree = ast.parse(Path(laws.__file__).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if name.startswith("movements")} == {"movements.plan.tables"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
