"""The mutants of planted sources: the places that are broken, the breaches that tests notice, and the report."""

import builtins
import os
import signal

import pytest

from tests.mutants.__main__ import (
    PROJECT,
    find_all_tests,
    find_files,
    find_tests,
    report,
    run_forked,
    run_mutants,
    run_tests,
)
from tests.mutants.forked import BY_TIME, KILLED, SURVIVED, run_in_child
from tests.mutants.making import make_mutants
from tests.mutants.replacing import NOTE, LiveFile

pytestmark = pytest.mark.nightly("process")

PLANTED = '''"""Say whether a hall is full or empty."""

from functools import cache

FULL = max(8, 7)


@cache
def is_full(players: int) -> bool:
    return players > FULL


class Hall:
    @property
    def empty(self) -> bool:
        return (lambda: self.players == 0)()


class FilledHall(Hall):
    players = int(12)
'''
ITS_TEST = """import pytest
from planted.halls import FilledHall, is_full

BEFORE = FilledHall()


@pytest.fixture(scope="module")
def hall():
    return BEFORE.empty


def test_name_of_hall(hall):
    assert "Hall" in repr(BEFORE)


def test_hall_is_filled(hall):
    assert hall is False


def test_halls_have_an_answer():
    assert {is_full(8), is_full(9)}


def test_hall_of_nine_is_full_and_one_of_eight_is_not():
    assert (is_full(8), is_full(9)) == (False, True)
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Return a tree of one file and its test, for which pytest loads no installed plugins."""
    for path, text in {"planted/halls.py": PLANTED, "tests/planted/test_halls.py": ITS_TEST}.items():
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return tmp_path


def test_planted_file_is_broken_in_every_place_and_left_as_it_was(tree):
    halls = "planted/halls.py"
    found = list(run_mutants(tree, {halls: ["tests/planted/test_halls.py", "tests/planted"]}))
    assert sorted(found) == [
        # Answers that a test left in a cache count for no other test, nor for a breach.
        (halls, "10: return players > FULL → return None", KILLED),
        (halls, "10: return players > FULL → return players >= FULL", KILLED),
        # The broken line runs in a fixture that the tests share, on an object older than the breach.
        (halls, "16: return (lambda: self.players == 0)() → return (lambda: self.players != 0)()", KILLED),
        (halls, "16: return (lambda: self.players == 0)() → return (lambda: self.players == 1)()", SURVIVED),
        (halls, "16: return (lambda: self.players == 0)() → return None", KILLED),
        # What runs at the import has a process of its own.
        (halls, "20: players = int(12) → players = None", SURVIVED),
        (halls, "20: players = int(12) → players = int(13)", SURVIVED),
        (halls, "5: FULL = max(8, 7) → FULL = None", KILLED),
        (halls, "5: FULL = max(8, 7) → FULL = max(8, 8)", SURVIVED),
        # A mutant as long as the original: no compiled code may be kept.
        (halls, "5: FULL = max(8, 7) → FULL = max(9, 7)", KILLED),
    ]
    assert (tree / halls).read_text() == PLANTED


def test_functions_run_at_the_import_are_broken_in_processes_of_their_own(tree):
    (tree / "planted/halls.py").write_text(f"{PLANTED}\n\nFILLED = FilledHall().empty\n")
    (tree / "tests/planted/test_halls.py").write_text(
        "from planted.halls import FILLED\n\n\ndef test_hall_is_filled():\n    assert not FILLED\n"
    )
    found = dict(end[1:] for end in run_mutants(tree, {"planted/halls.py": ["tests/planted"]}))
    negated = "16: return (lambda: self.players == 0)() → return (lambda: self.players != 0)()"
    assert (found[negated], found["10: return players > FULL → return None"]) == (KILLED, SURVIVED)


def test_tests_that_commit_have_a_process_of_their_own(tree):
    marked = ITS_TEST.replace("def test_hall_is", "@pytest.mark.django_db(transaction=True)\ndef test_hall_is")
    (tree / "tests/planted/test_halls.py").write_text(marked)
    (tree / "pytest.ini").write_text("[pytest]\nmarkers = django_db\n")
    tests = ["tests/planted/test_halls.py"]
    breaker = list(run_forked(tree, ["planted/halls.py"], tests))
    assert breaker[0]["committing"] == ["tests/planted/test_halls.py::test_hall_is_filled"]
    negated = "16: return (lambda: self.players == 0)() → return (lambda: self.players != 0)()"
    assert dict(end[1:] for end in run_mutants(tree, {"planted/halls.py": tests}))[negated] == KILLED


BRANCHES = """def name_sides(players):
    "Return a name."
    half = lambda: (
        players // 2)
    match players:
        case 4:
            return "four"
        case _:
            half()
    for other in range(players):
        if other > 8:
            break
    else:
        return "few"
"""


@pytest.mark.parametrize(
    ("players", "lines"),
    [(4, [3, 5, 6, 7, 8]), (2, [3, 4, 5, 6, 8, 9, 10, 11, 14]), (10, [3, 4, 5, 6, 8, 9, 10, 11, 12])],
)
def test_marked_code_notes_the_lines_of_the_statements_that_run(monkeypatch, players, lines):
    noted = set()
    monkeypatch.setattr(builtins, NOTE, lambda path, line: noted.add((path, line)), raising=False)
    live, names = LiveFile("sides.py", BRANCHES), {}
    exec(live.codes[0], names)
    unmarked = names["name_sides"](players)
    live.functions = [names["name_sides"]]
    ((function, code),) = live.mark()
    function.__code__ = code
    assert (function(players), function.__doc__) == (unmarked, "Return a name.")
    assert sorted(noted) == [("sides.py", line) for line in lines]


def test_child_that_does_not_end_is_stopped():
    def wait_for_nothing():
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        signal.pause()

    status, answer = run_in_child(wait_for_nothing)
    assert (os.WTERMSIG(status), answer) == (signal.SIGALRM, None)
    assert run_in_child(lambda: ["a", 1]) == (0, ["a", 1])


def test_tests_that_fail_without_a_breach_break_nothing(tree):
    (tree / "planted/halls.py").write_text(PLANTED.replace("8", "7"))
    with pytest.raises(SystemExit, match=r"test_halls\.py::\w+ fails already"):
        list(run_mutants(tree, {"planted/halls.py": ["tests/planted/test_halls.py"]}))


def test_tests_that_do_not_end_are_stopped(tree):
    (tree / "tests/planted/test_halls.py").write_text("while True:\n    pass\n")
    assert run_tests(tree, ["tests/planted/test_halls.py"], 1) == BY_TIME


@pytest.mark.parametrize(
    ("source", "broken"),
    [
        ("def f():\n    'Do.'\n    note()\n", ["def f():\n    'Do.'\n    pass\n"]),
        ("def f():\n    return None\n", []),
        ("def f():\n    return False\n", ["def f():\n    return True\n"]),
        ("if a == b:\n    raise E\n", ["if a != b:\n    raise E\n", "if a == b:\n    pass\n"]),
        ("if a:\n    é = 'é' or b + c\n", [
            "if not a:\n    é = 'é' or b + c\n", "if a:\n    é = None\n", "if a:\n    é = ('é' and b + c)\n",
            "if a:\n    é = 'é' or b - c\n",
        ]),
        ("while not done:\n    break\n", ["while not not done:\n    break\n", "while not done:\n    pass\n"]),
        ("x: Literal[1] = True\n", ["x: Literal[1] = False\n"]),
        ("x[0] += y\n", ["pass\n", "x[1] += y\n"]),
        ("@cached(1)\ndef f(a=2): ...\n", ["@cached(1)\ndef f(a=3): ...\n"]),
        ("s = f'{a + 1}'\n", ["s = None\n"]),
        ("assert all(zip(a, b, strict=True))\n", []),
        ("Key = TypeVar('Key')\nA_B = c()\n", ["Key = TypeVar('Key')\nA_B = None\n"]),
        ("T = TypeVar('T')\n__all__ = ['T']\n", []),
    ],
    ids=[
        "call", "None", "False", "equal", "letters", "while", "annotation", "in place", "decorator",
        "f-string", "true", "type", "exported",
    ],
)  # fmt: skip
def test_places_that_can_be_broken(source, broken):
    assert sorted(mutant.source for mutant in make_mutants(source)) == sorted(broken)


def test_nearest_tests_are_the_namesake_and_its_folder(tree):
    for path in ("tests/__init__.py", "tests/test_formats.py", "planted/doors.py"):
        (tree / path).touch()
    assert find_files(tree, "planted") == ["planted/doors.py", "planted/halls.py"]
    assert find_files(tree, "planted/halls.py") == ["planted/halls.py"]
    assert find_tests(tree, "planted/halls.py") == ["tests/planted/test_halls.py", "tests/planted"]
    assert find_tests(tree, "planted/doors.py") == find_tests(tree, "planted/a/b/doors.py") == ["tests/planted"]
    tests = ["tests/test_formats.py"]
    halls = find_all_tests(tree, "planted/halls.py", "planted/doors.py", *tests)
    assert halls == {"planted/halls.py": tests, "planted/doors.py": tests}
    assert find_all_tests(tree, "planted")["planted/doors.py"] == ["tests/planted"]
    with pytest.raises(SystemExit, match=r"near config/beat\.py: say which"):
        find_tests(tree, "config/beat.py")


def test_survivors_are_told_and_named_ones_must_survive():
    ends = [("x.py", "5: a → b", SURVIVED), ("x.py", "7: c → d", SURVIVED), ("y.py", "9: c → d", KILLED)]
    told = []
    assert report(iter(ends), {"x.py": {"c → d": "no difference"}}, told.append) == 1
    assert told == [
        "x.py:5: a → b",
        "x.py: 2 mutants, 1 survived, 1 survived, but named",
        "y.py: 1 mutants, 1 killed",
    ]
    assert report(iter(ends[1:]), {"x.py": {"c → d": "no difference"}}, told.append) == 0
    told.clear()
    assert report(iter(ends[2:]), {"y.py": {"c → d": "no difference"}}, told.append) == 1
    assert told[0] == "y.py: named, but killed or not made any more: c → d"
