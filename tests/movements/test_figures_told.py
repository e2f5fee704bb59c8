"""The figures of docs/movements.md: the proposals of today have them."""

import re
from pathlib import Path

import pytest

from movements import propose_plans

TEXT = (Path(__file__).parents[2] / "docs" / "movements.md").read_text()
FLAT = " ".join(TEXT.split())
pytestmark = pytest.mark.nightly("statistics")


def read_numbers(cells):
    return [int(cell) for cell in cells.split("|")]


def find_proposals(players, positions, code):
    return [one.figures for one in propose_plans(players, positions) if one.code == code]


def test_repeated_meetings_of_rovers_on_any_line_are_those_of_the_proposals():
    (rows,) = re.findall(r"^\| players \|(.*)\|\n\|[-|]+\n\| repeated meetings \|(.*)\|$", TEXT, re.MULTILINE)
    table = dict(zip(*map(read_numbers, rows), strict=True))
    assert list(table) == [5, 6, 7, 9, 10, 11, 13, 14, 15]
    assert {players: find_proposals(players, 5, "any_line")[0].repeated for players in table} == table


def test_repeated_meetings_with_fillers_are_those_of_the_proposals():
    told = re.search(r"(\d+) meetings are repeated for 5 to 7 players, (\d+) for 9 to 11, and (\d+) for 13 to 15", FLAT)
    assert told
    for figure, players in zip(map(int, told.groups()), (range(5, 8), range(9, 12), range(13, 16)), strict=True):
        assert {find_proposals(count, 5, "filler")[0].repeated for count in players} == {figure}


def test_seventeen_and_eighteen_players_repeat_as_many_meetings_as_told():
    told = re.search(r"With (\d+) players (\d+) meetings are repeated, with (\d+) players (\d+)\.", FLAT)
    assert told
    first, repeated, second, fewer = map(int, told.groups())
    assert [find_proposals(players, 5, "rovers")[0].repeated for players in (first, second)] == [repeated, fewer]


def test_positions_beyond_the_rule_repeat_as_many_meetings_as_told():
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (?:\d+)? ?\| (\d+) \|$", TEXT, re.MULTILINE)
    assert len(rows) == 6
    for tables, positions, repeated, least in (tuple(map(int, row)) for row in rows):
        first = propose_plans(4 * tables, positions)[0].figures
        assert (tables, positions, first.repeated, first.bound) == (tables, positions, repeated, least)
