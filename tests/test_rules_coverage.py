"""The table of rules in docs/rules-coverage.md: every function and test that it names exists, and the site runs it."""

import ast
import importlib
import re
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest

from referee.rules import PlayRules
from tests.law.reached import read_project

PROJECT = Path(__file__).resolve().parents[1]
WITHOUT_CODE = {"on paper", "not built"}


def read_rows(text):
    """Return the rows of all tables, each as its three cells, without the heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in rows if row[0] != "rule" and not row[0].startswith("---")]


ROWS = read_rows((PROJECT / "docs" / "rules-coverage.md").read_text())


def list_names(cell):
    """Return the names of a cell that stand between backticks."""
    return re.findall(r"`([^`]+)`", cell)


def names_something(name):
    """Return whether a dotted name is a module's attribute, or an attribute or annotated field of one."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            if not hasattr(found, part) and part not in getattr(found, "__annotations__", {}):
                return False
            found = getattr(found, part, None)
        return True
    return False


@cache
def list_tests(path):
    """Return the names of the tests in a file, none if there is no such file."""
    file = PROJECT / path
    tree = ast.parse(file.read_text()) if file.is_file() else ast.Module([], [])
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def is_test(name):
    """Return whether `path::test` names a test of this tree."""
    path, _, test = name.partition("::")
    return test in list_tests(path)


def find_faults(rows):
    """Yield what is wrong with each row, beside the rule."""
    for rule, kept_by, *tested_by in rows:
        if len(tested_by) != 1:
            yield f"{rule}: not three cells"
        elif kept_by in WITHOUT_CODE:
            if tested_by != ["—"]:
                yield f"{rule}: {kept_by}, and a test"
        elif not list_names(kept_by) or not list_names(tested_by[0]):
            yield f"{rule}: names no function or no test"
        else:
            yield from (f"{rule}: no {name}" for name in list_names(kept_by) if not names_something(name))
            yield from (f"{rule}: no {name}" for name in list_names(tested_by[0]) if not is_test(name))


def test_every_rule_names_functions_and_tests_that_exist():
    assert list(find_faults(ROWS)) == []


@pytest.mark.nightly("story")
def test_site_runs_what_keeps_a_rule():
    """Check that a page, a job or a command reaches each keeper: else the rule is proved of code that never runs."""
    reach = read_project()
    keepers = {name for _rule, kept_by, *_ in ROWS for name in list_names(kept_by)}
    assert {name for name in keepers if reach.resolve(name) not in reach.found} == set()


def test_every_option_of_the_play_stands_beside_its_rule():
    named = {name for _rule, kept_by, *_ in ROWS if kept_by.startswith("not settled") for name in list_names(kept_by)}
    options = {field.name for field in fields(PlayRules)} - {"scoring"}
    assert {option for option in options if f"referee.rules.PlayRules.{option}" not in named} == set()


def test_no_rule_stands_twice():
    rules = [row[0] for row in ROWS]
    assert len(rules) > 60
    assert sorted(set(rules)) == sorted(rules)


@pytest.mark.parametrize(
    ("kept_by", "tested_by", "fault"),
    [
        (
            "`scoring.notes.topped`",
            "`tests/scoring/test_topage.py::test_topage_averages_50`",
            "no scoring.notes.topped",
        ),
        (
            "`scoring.nowhere.topage`",
            "`tests/scoring/test_topage.py::test_topage_averages_50`",
            "no scoring.nowhere.topage",
        ),
        (
            "`scoring.notes.topage`",
            "`tests/scoring/test_topage.py::test_x`",
            "no tests/scoring/test_topage.py::test_x",
        ),
        ("`scoring.notes.topage`", "`tests/gone.py::test_x`", "no tests/gone.py::test_x"),
        ("`scoring.notes.topage`", "—", "names no function or no test"),
        ("by custom", "`tests/scoring/test_topage.py::test_topage_averages_50`", "names no function or no test"),
        ("not built", "`tests/scoring/test_topage.py::test_topage_averages_50`", "not built, and a test"),
    ],
)
def test_planted_row_is_refused(kept_by, tested_by, fault):
    assert list(find_faults([["A rule", kept_by, tested_by]])) == [f"A rule: {fault}"]


def test_field_and_property_of_a_class_are_named():
    assert names_something("scoring.formats.Format.penalty_floor")
    assert names_something("scoring.formats.Format.is_imposed")
    assert not names_something("scoring.formats.Format.floor")
