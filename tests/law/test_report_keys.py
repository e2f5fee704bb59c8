"""The readers of published reports: all use the typed values of `tournaments.reports`, and none names a stored key."""

import ast
from collections.abc import Iterator

import pytest

from tests.law.breaches import OURS
from tests.law.packages import MODULES, within

# The keys that only reports and the standings behind them have. Words such as "player" are keys of other data too.
KEYS = {
    *("rank_general", "rank_line", "rank_alterne", "overall", "base_score", "unranked", "stand_ins", "penalty"),
    *("altered_from", "altered_after", "compared_with", "together", "rounds", "in_final"),
}
# These make the data of reports, or read the standings that a job has stored, which no reader of the site sees.
MAKERS = {
    "rankings.publication.building": "makes the report of a session",
    "rankings.events.counting": "makes the ranking of a tournament from the stored rows of its sessions",
    "api.results": "reads the result that a program sends",
    "rankings.simultaneous.field": "makes the ranking of a simultaneous, and reads it: it has rows of its own",
    "tournaments.rules.entry": "reads the result that a table sends",
    "evenings.plans.free.next_game": "reads the computed standings",
    "evenings.sessions.lots": "reads the computed standings",
    "evenings.teams.totals": "reads the computed standings of doublettes",
    "evenings.tables.after": "reads the stored standings for the table's own étuis",
    "pages.desk.settled": "reads the stored standings for the desk",
}


def find_keys(source: str) -> Iterator[str]:
    """Yield each key of a report that a source names in a subscript or in a call of `get`, with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Subscript(slice=ast.Constant(value=str(key)), ctx=ast.Load()) if key in KEYS:
                yield f"{key} in line {node.lineno}"
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(key)), *_]) if key in KEYS:
                yield f"{key} in line {node.lineno}"


def test_no_reader_of_a_report_names_a_stored_key():
    readers = [name for name in MODULES if within(name, OURS) and not within(name, MAKERS)]
    named = {module: list(find_keys(MODULES[module].read_text())) for module in readers}
    assert len(named) > 500
    assert {module: keys for module, keys in named.items() if keys} == {}


@pytest.mark.parametrize("maker", MAKERS)
def test_each_maker_still_names_keys(maker):
    named = [module for module in MODULES if within(module, (maker,)) and [*find_keys(MODULES[module].read_text())]]
    assert named != []


@pytest.mark.parametrize(
    "source",
    ['rank = player["rank_alterne"]', 'score = play.get("base_score", 0)', 'ids = data["players"][0]["stand_ins"]'],
)
def test_named_key_is_found(source):
    assert len([*find_keys(source)]) == 1
