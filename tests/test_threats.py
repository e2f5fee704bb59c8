"""The table of docs/threats.md: every test that it names exists."""

import ast
import re

import pytest

from tests.config.test_settings import PROJECT

ROWS = [line for line in (PROJECT / "docs/threats.md").read_text().splitlines() if "::" in line]
NAMED = sorted({found for row in ROWS for found in re.findall(r"`(tests/[\w/]+\.py::\w+)`", row)})


def test_every_row_names_a_test():
    rows = (PROJECT / "docs/threats.md").read_text().split("|---|---|---|---|\n")[1].split("\n\n")[0].splitlines()
    assert rows == ROWS
    assert len(NAMED) > 10


@pytest.mark.parametrize("named", NAMED, ids=lambda named: named.rpartition("::")[2][:70])
def test_named_test_exists(named):
    path, _, name = named.partition("::")
    tree = ast.parse((PROJECT / path).read_text())
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
