"""The fixtures of sessions, plays and directors: each is written once, in `tests/shared_evenings.py` or in one file."""

import ast
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).parents[1]
NAMES = {"session", "play", "director"}


def own_names(tree):
    """Return the names that a file defines, for itself alone."""
    named = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    stored = [each for node in tree.body if isinstance(node, ast.Assign) for each in node.targets]
    return named | {each.id for each in stored if isinstance(each, ast.Name)}


def read_fixtures(source):
    """Yield each fixture of these names in a source, as (name, text), if it uses no name that the file defines."""
    tree = ast.parse(source)
    own = own_names(tree)
    for node in tree.body:
        marks = [ast.unparse(each) for each in getattr(node, "decorator_list", ())]
        if getattr(node, "name", "") not in NAMES or not any("fixture" in mark for mark in marks):
            continue
        given = sorted(each.arg for each in node.args.args)
        body = [each for each in node.body if not isinstance(getattr(each, "value", None), ast.Constant)]
        used = {name.id for each in body for name in ast.walk(each) if isinstance(name, ast.Name)}
        if not used & own - {*given}:
            yield node.name, "\n".join([*marks, *given, *map(ast.unparse, body)])


def test_no_two_files_write_the_same_session_play_or_director():
    found = defaultdict(list)
    for path in sorted(TESTS.rglob("*.py")):
        for fixture in read_fixtures(path.read_text()):
            found[fixture].append(str(path.relative_to(TESTS)))
    assert len(found) > 20
    assert {name: files for (name, _text), files in found.items() if len(files) > 1} == {}


def test_same_fixture_is_found_whatever_its_docstring_says():
    plain = "@pytest.fixture\ndef session():\n    return started_session()"
    told = "@pytest.fixture\ndef session():\n    '''Return it.'''\n    return started_session()"
    own = "def started_session(): ...\n" + plain
    assert [*read_fixtures(plain)] == [*read_fixtures(told)] != []
    assert [*read_fixtures(own)] == []
