"""The rules for names, applied to the project: each name is used for one thing, and says what it is."""

import ast

import pytest

from tests.law.names import (
    count_vague_locals,
    find_double_classes,
    find_double_imports,
    find_participles,
    is_participle,
)
from tests.law.packages import MODULES, PROJECT

BENCH = {
    ".".join(path.relative_to(PROJECT).with_suffix("").parts): path
    for path in sorted((PROJECT / "bench").rglob("*.py"))
}
# In how many functions of the site each of these names stands for a local. Write a lower number down.
VAGUE_LOCALS = {
    "asked": 53,
    "found": 278,
    "given": 71,
    "here": 30,
    "known": 49,
    "there": 86,
    "told": 237,
    "way": 28,
}
# These are read as phrases where they are called: `publish(session, **signed(request))`, `return done(request, …)`. A
# seating is a noun.
PHRASES = ["movements.plan.plan.Seating", "pages.acting.Signed", "pages.acting.signed", "pages.acting.done"]


# Functions of a module whose name must say their object too: `log_step`, not `tell`.
WITHOUT_OBJECT = {"answer", "ask", "at", "describe", "main", "of", "own", "page", "tell", "there"}


@pytest.fixture(scope="module")
def trees():
    """Return the parsed modules without those of `deals/static`, whose names other people’s programs import."""
    every = MODULES | BENCH
    return {name: ast.parse(path.read_text()) for name, path in every.items() if not name.startswith("deals.static.")}


def test_each_class_name_stands_once(trees):
    assert find_double_classes(trees) == {}


def test_each_imported_name_stands_for_one_thing(trees):
    assert find_double_imports(trees) == {}


def test_no_bare_participle_names_a_class_or_function(trees):
    assert find_participles(trees) == PHRASES


def test_each_function_of_a_module_says_its_object(trees):
    assert [
        f"{module}.{node.name}"
        for module, tree in trees.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name in WITHOUT_OBJECT and module in MODULES
    ] == []


def test_vague_names_of_locals_become_fewer(trees):
    counted = count_vague_locals({name: tree for name, tree in trees.items() if name in MODULES})
    more = {name: number for name, number in counted.items() if number > VAGUE_LOCALS[name]}
    assert more == {}, "name the thing: see the class or the function that the value comes from"


def test_planted_vague_local_is_counted_once_a_function():
    source = "def f(told):\n    found = told\n    found += 1\n    return [here for here in found]\n\nasked = f(1)\n"
    assert count_vague_locals({"one": ast.parse(source)}) == {"found": 1, "here": 1}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *((name, True) for name in ("told", "Kept", "asked", "_holding", "Known", "withdrawn")),
        *(
            (name, False)
            for name in ("read", "Ruling", "find_kept", "KeptRows", "seed", "split", "Evening", "__missing__")
        ),
    ],
)
def test_participle_is_told_from_other_words(name, expected):
    assert is_participle(name) == expected


def test_planted_names_are_found():
    trees = {
        "one": ast.parse("class Row: ...\ndef told(): ...\ndef check(): ..."),
        "two": ast.parse("class Row:\n    class Kept: ...\ndef check(): ..."),
        "three": ast.parse("from one import check\nclass Meta: ..."),
        "four": ast.parse("from two import check as look\nclass Meta: ..."),
    }
    assert find_double_classes(trees) == {"Row": ["one", "two"]}
    assert find_double_imports(trees) == {"check": ["one", "two"]}
    assert find_participles(trees) == ["one.told", "two.Kept"]
