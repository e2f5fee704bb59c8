"""The check of plans that are spoiled in 6 600 ways: it finds what three verifiers found before they were one."""

import ast
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from movements import LinePlan, Member, OddTables, Plan, PlanStop, Stay, find_faults, plan_tables, propose_plans
from movements.games import add_person, plan_games, remove_person
from movements.plan import laws
from movements.teams import all_meet, emmanuel, plan_matches, plan_quadrettes, two_lines

EACH = 334  # ways to spoil each plan
CODES = {
    "": 912,
    "absent": 211,
    "announced": 241,
    "apart": 7,
    "astray": 31,
    "badge": 49,
    "barometer": 201,
    "etui_twice": 305,
    "etuis": 89,
    "games": 132,
    "itself": 60,
    "left_out": 620,
    "line": 190,
    "mates": 23,
    "mirror": 383,
    "position": 2048,
    "replayed": 794,
    "rests": 300,
    "seated_twice": 658,
    "seats": 335,
    "size": 237,
    "span": 94,
    "stranger": 206,
    "table_twice": 563,
    "twice": 479,
    "unknown": 22,
}


def list_team_plans() -> list[Plan[int]]:
    lined = [two_lines(10, 5), two_lines(9, 5), two_lines(8, 4)]
    met = [all_meet(6, 5), all_meet(8, 7, moving=True)]
    mirrored = [plan_quadrettes(6, 5), plan_quadrettes(5, 4), plan_matches([(1, 2), (3, 4)])]
    return [*lined, *met, *mirrored, emmanuel(8)]


def list_games() -> list[Plan[int]]:
    mort, four = plan_games(23, 5, 4, OddTables.MORT), plan_games(22, 5, 4)
    others = [plan_games(20, 4, 4, teams=[2] * 10), plan_games(12, 4, 4, OddTables.ALL_THREES)]
    return [mort, four, *others, remove_person(four, 5, 2, 3), add_person(four, 3, 2, table=4)]


def list_line_plans() -> list[LinePlan]:
    full = [plan_tables(7, 5), plan_tables(5, 5, barometer=True)]
    return [*full, propose_plans(10, 4)[0].plan, propose_plans(27, 5)[0].plan, propose_plans(26, 5)[0].plan]


def spoil_line_stop(
    stop: PlanStop[Member], other: PlanStop[Member], lines: tuple[int, ...], way: int, chance: Random
) -> PlanStop[Member]:
    """Return the table with another player, seat, étuis, number or position, as the way says. Way 7 changes nothing."""
    line = chance.randrange(4)
    stranger = Member(chance.choice((line, line, chance.randrange(4))), chance.randint(1, lines[line] + 1))
    changes = {
        0: lambda: {"seats": stop.take_seat(line, chance.choice((None, stranger, stranger))).seats},
        1: lambda: {"seats": stop.take_seat(line, other.seats[line]).seats},
        2: lambda: {"etuis": other.etuis},
        3: lambda: {"table": other.table},
        4: lambda: {"position": other.position},
        5: lambda: {"etuis": (*stop.etuis[:-1], chance.randint(0, 9))},
        6: lambda: {"seats": stop.seats[:-1]},
        7: dict,
    }
    return stop._replace(**changes[way]()) if len(stop.seats) == 4 == len(other.seats) else stop


def spoil_lines(plan: LinePlan, chance: Random) -> LinePlan:
    stops = list(plan.stops)
    for _ in range(chance.choice((1, 1, 2, 3))):
        place, way, other = chance.randrange(len(stops)), chance.randrange(8), stops[chance.randrange(len(stops))]
        stops[place] = spoil_line_stop(stops[place], other, plan.lines, way, chance)
        if way == 7:
            del stops[place]
    if chance.random() < 0.2:
        who = Member(chance.randrange(4), chance.randint(1, 8))
        plan = replace(plan, stays=(*plan.stays, Stay(who, chance.randint(1, 3), chance.randint(0, 5))))
    return replace(plan, stops=tuple(stops))


def spoil_team_stop(stop: PlanStop[int], other: PlanStop[int], teams: int, way: int, chance: Random) -> PlanStop[int]:
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


def spoil_teams(plan: Plan[int], chance: Random) -> Plan[int]:
    stops = list(plan.stops)
    for _ in range(chance.choice((1, 1, 2, 3))):
        place, way = chance.randrange(len(stops)), chance.randrange(8)
        other = stops[chance.randrange(len(stops))]
        if way < 7:
            stops[place] = spoil_team_stop(stops[place], other, plan.competitors, way, chance)
        elif len(stops) > 2:
            del stops[place]
    return replace(plan, stops=tuple(stops))


def spoil_game_stop(stop: PlanStop[int], other: PlanStop[int], people: int, way: int, chance: Random) -> PlanStop[int]:
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


def spoil_games(games: Plan[int], chance: Random) -> Plan[int]:
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
    kinds: tuple[tuple[str, list[Any], Callable[[Any, Random], Any]], ...] = (
        ("lines", list_line_plans(), spoil_lines),
        ("teams", list_team_plans(), spoil_teams),
        ("games", list_games(), spoil_games),
    )
    for name, plans, spoil in kinds:
        for place, plan in enumerate(plans):
            for seed in range(ways):
                faults = find_faults(spoil(plan, Random(f"{name}{place}{seed}")))
                counted.update({fault.code for fault in faults} or {""})
    return counted


@pytest.mark.nightly("statistics")
def test_thousands_of_spoiled_plans_have_the_faults_of_before():
    assert count_codes(EACH) == CODES


@pytest.mark.nightly("story")
def test_a_few_spoiled_plans_have_nearly_every_fault():
    assert len(count_codes(12)) > 22


def test_verifier_imports_no_maker_and_no_figures():
    tree = ast.parse(Path(laws.__file__).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if name.startswith("movements")} == {"movements.plan.plan"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
