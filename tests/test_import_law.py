"""Who may import whom: the list of rooms in docs/architecture.md, held against the source of every module.

Beside it: pure code loads only pure code and the standard library, rows are locked by `tournaments.locks` alone and
for no page, and a page's folder imports no other page's.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
ROOTS = ("config", "clubs", "deals", "movements", "scoring", "texts", "tournaments", "wording")
ARCHITECTURE = (PROJECT / "docs" / "architecture.md").read_text()
LAW = re.search(r"```law\n(.*?)```", ARCHITECTURE, re.DOTALL)
assert LAW, "docs/architecture.md has the list of rooms"
LEVELS = {room: level for level, line in enumerate(LAW.group(1).strip().splitlines()) for room in line.split(" | ")}
NAMES = ("clubs.names", "clubs.roster", "clubs.roster_file", "clubs.matching", "clubs.answers")
PURE = ("wording", "texts", "scoring", "deals.domain", "movements", "tournaments.rules", *NAMES)
KEPT = {"rapidfuzz"}  # the libraries that pure code may use: functions of what they are given, no more
APPS = {"deals": ("scoring", "movements"), "clubs": ("scoring", "movements", "deals"), "movements": ("scoring",)}
LOCKS, LOCKING = "tournaments.locks", "select_for_update"
UNLOCKED = ("tournaments.web", "tournaments.api", "tournaments.templatetags", "tournaments.paper", "tournaments.words")
PAGES, SHARED = "tournaments.web", "tournaments.web.parts"
LOOSE = {
    *("addresses",),
    *("apps", "codes", "errors", "failures", "permissions", "prepared", "log", "queue", "tasks", "locks", "published"),
}
MOST_MODULES, MOST_TESTS, MOST_LINES = 16, 25, 400
# What differs from one run to the next: chance, the clock, the machine.
IMPURE_MODULES = {"importlib", "os", "random", "secrets", "socket", "subprocess", "tempfile", "time", "uuid"}
IMPURE_NAMES = {"now", "utcnow", "today", "environ", "getenv", "__import__"}


def modules() -> dict[str, Path]:
    """Every module of the project by its dotted name; migrations are Django's own writing."""
    found = {}
    for path in sorted(path for root in ROOTS for path in (PROJECT / root).rglob("*.py")):
        parts = path.relative_to(PROJECT).with_suffix("").parts
        if "migrations" not in parts:
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


def within(module: str, packages: tuple[str, ...]) -> bool:
    """Whether `module` is one of the packages or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def room_of(module: str) -> str:
    """The room that holds a module: the innermost of the list. `tournaments` itself is none."""
    return max((room for room in LEVELS if within(module, (room,))), key=len, default="")


def page_of(module: str) -> str:
    """The folder of a page's module; "" for what pages share."""
    parts = module.split(".")
    return parts[2] if within(module, (PAGES,)) and len(parts) > 3 and not within(module, (SHARED,)) else ""


def is_pure(module: str) -> bool:
    return within(module, PURE)


MODULES = modules()
PURE_MODULES = [module for module in MODULES if is_pure(module)]


def imports(module: str, tree: ast.Module) -> Iterator[str]:
    """The full names of what a source imports: the modules, and the names taken out of them where these are modules."""
    package = module if module in MODULES and MODULES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parents, base] if base else parents)
            submodules = [name for alias in node.names if (name := f"{base}.{alias.name}") in MODULES]
            yield from submodules or [base]


def refuse(module: str, name: str) -> str | None:
    """What is wrong with a module of this name importing that one."""
    root, mine, its = name.split(".")[0], room_of(module), room_of(name)
    if is_pure(module) and not is_pure(name):
        known = root in KEPT or (root in sys.stdlib_module_names and root not in IMPURE_MODULES)
        return None if known else f"pure {module} imports {name}"
    if root not in ROOTS:
        return None
    if within(name, APPS.get(module.split(".")[0], ())):
        return f"{module} imports {name}"
    if mine != its and its and mine and LEVELS[its] >= LEVELS[mine]:
        return f"{module} imports {name}, which does not stand before it"
    if name == LOCKS and within(module, UNLOCKED):
        return f"{module} imports {name}, which is for those who write"
    if page_of(module) and page_of(name) not in ("", page_of(module)):
        return f"{module} imports {name}, which is another page's"
    return None


def breaches(module: str, source: str) -> list[str]:
    """What a module of this name and source does against the law."""
    tree = ast.parse(source)
    found = [breach for name in imports(module, tree) if (breach := refuse(module, name))]
    if is_pure(module):
        names = {node.attr if isinstance(node, ast.Attribute) else node.id for node in named(tree)}
        found += [f"pure {module} uses {name}" for name in sorted(names & IMPURE_NAMES)]
    if within(module, ("tournaments",)) and module != LOCKS:
        locking = (node for node in named(tree) if isinstance(node, ast.Attribute) and node.attr == LOCKING)
        found += [f"{module} locks rows in line {node.lineno}: let {LOCKS} do it" for node in locking]
    return found


def named(tree: ast.Module) -> Iterator[ast.Attribute | ast.Name]:
    """The attributes and the names that a source reads (a parameter may be called `now`)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and node.id == "__import__"):
            yield node


@pytest.mark.parametrize("module", MODULES)
def test_module_keeps_the_law(module):
    assert breaches(module, MODULES[module].read_text()) == []


# Forgets after each module what is not the standard library's: to start an interpreter for each takes longer.
FRESHLY = """
import sys
from importlib import import_module

here = set(sys.modules)
for module in sys.argv[1:]:
    import_module(module)
    loaded = set(sys.modules) - here
    print(module, *sorted(loaded))
    for name in loaded:
        if name.split(".")[0] not in sys.stdlib_module_names:
            del sys.modules[name]
"""


@cache
def loaded_by_each() -> dict[str, list[str]]:
    """What each pure module has loaded after it has been imported, in an interpreter that knew nothing of it."""
    command = [sys.executable, "-c", FRESHLY, *PURE_MODULES]
    run = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return {module: loaded for module, *loaded in map(str.split, run.stdout.splitlines())}


@pytest.mark.parametrize("module", PURE_MODULES)
def test_pure_module_loads_in_a_fresh_interpreter_only_pure_code_and_the_standard_library(module):
    loaded = loaded_by_each()[module]
    foreign = {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names}
    assert module in loaded
    foreign = {name for name in foreign if name.split(".")[0] not in KEPT and "cython" not in name}
    assert foreign - {name.split(".")[0] for name in PURE} - set(PURE_MODULES) == set()


def test_every_module_has_a_room():
    assert [module for module in MODULES if not room_of(module) and module != "tournaments"] == []
    assert [room for room in LEVELS if room not in MODULES] == []


def test_every_file_that_the_architecture_names_is_there():
    """Those of `tournaments` may be named from there."""
    named = re.findall(r"`([\w/]+/[\w/]+\.\w+)`", ARCHITECTURE)
    assert len(named) > 30
    assert [
        name for name in named if not any((root / name).is_file() for root in (PROJECT, PROJECT / "tournaments"))
    ] == []


def test_no_module_stands_loose_beside_the_rooms():
    loose = {path.stem for path in (PROJECT / "tournaments").glob("*.py")} - {"__init__"}
    assert loose == LOOSE


def test_no_folder_and_no_file_outgrows_a_reader():
    """Scripts, styles and layouts of prints as modules; tests may lie closer, and templates (`test_templates`)."""
    others = [path for root in ROOTS for kind in ("js", "css", "typ") for path in (PROJECT / root).rglob(f"*.{kind}")]
    files = [*MODULES.values(), *others]
    folders = Counter(path.parent for path in files if path.name != "__init__.py")
    assert {folder: size for folder, size in folders.items() if size > MOST_MODULES} == {}
    tests = Counter(path.parent for path in (PROJECT / "tests").rglob("test_*.py"))
    assert {folder: size for folder, size in tests.items() if size > MOST_TESTS} == {}
    files += (PROJECT / "tests").rglob("*.py")
    lengths = {path: len(path.read_text().splitlines()) for path in files}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}


@pytest.mark.parametrize(
    ("module", "source", "breach"),
    [
        ("scoring.contract", "import django", "pure scoring.contract imports django"),
        ("scoring.contract", "import numpy as np", "pure scoring.contract imports numpy"),
        (
            "scoring.contract",
            "from deals.domain import cards",
            "scoring.contract imports deals.domain.cards, which does not stand before it",
        ),
        ("scoring.contract", "def f():\n    import random", "pure scoring.contract imports random"),
        ("deals.domain.deal", "from os import environ", "pure deals.domain.deal imports os"),
        ("deals.domain.deal", "from deals.models import DealSet", "pure deals.domain.deal imports deals.models"),
        ("deals.domain.deal", "from .. import models", "pure deals.domain.deal imports deals.models"),
        ("deals.domain.deal", "from scoring import topage", "deals.domain.deal imports scoring.topage"),
        (
            "tournaments.rules.entry",
            "import datetime\ndatetime.date.today()",
            "pure tournaments.rules.entry uses today",
        ),
        (
            "movements.plans.plan",
            "from movements.search import rove",
            "movements.plans.plan imports movements.search.rove, which does not stand before it",
        ),
        (
            "deals.sets",
            "from tournaments.models import Play",
            "deals.sets imports tournaments.models, which does not stand before it",
        ),
        ("deals.sets", "import scoring.contract", "deals.sets imports scoring.contract"),
        ("clubs.players", "from deals.models import DealSet", "clubs.players imports deals.models"),
        (
            "tournaments.models",
            "from config import celery",
            "tournaments.models imports config.celery, which does not stand before it",
        ),
        (
            "tournaments.models",
            "from tournaments.plays import checks",
            "tournaments.models imports tournaments.plays.checks, which does not stand before it",
        ),
        (
            "tournaments.plays.entering",
            "from ..tasks import compute_standings",
            "tournaments.plays.entering imports tournaments.tasks, which does not stand before it",
        ),
        (
            "tournaments.standings.computing",
            "from tournaments.tables import state",
            "tournaments.standings.computing imports tournaments.tables.state, which does not stand before it",
        ),
        (
            "tournaments.models",
            "from tournaments.locks import lock_play",
            "tournaments.models imports tournaments.locks, which does not stand before it",
        ),
        (
            "tournaments.api.plays",
            "from tournaments import locks",
            "tournaments.api.plays imports tournaments.locks, which is for those who write",
        ),
        (
            "tournaments.plays.entering",
            "def lock(plays):\n    return plays.select_for_update()",
            "tournaments.plays.entering locks rows in line 2: let tournaments.locks do it",
        ),
        (
            "tournaments.web.desk.hall",
            "from tournaments.web.play import bulk",
            "tournaments.web.desk.hall imports tournaments.web.play.bulk, which is another page's",
        ),
    ],
)
def test_wrong_import_is_caught(module, source, breach):
    assert breaches(module, source) == [breach]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("scoring.topage", "from fractions import Fraction\nfrom scoring.errors import ScoringError"),
        ("tournaments.locks", "from tournaments.errors import Refused\nplays.select_for_update()"),
        ("tournaments.plays.entering", "from tournaments.locks import lock_play"),
        ("tournaments.rules.entry", "from scoring.contract import score_deal\ndef check(entry, now): return now"),
        ("movements.proposals", "from movements.search.rove import rove\nfrom deals.domain.board import leader"),
        ("deals.models", "from clubs.models import Club\nfrom deals.domain.deal import Deal"),
        ("tournaments.tasks", "from tournaments import standings\nfrom django.utils import timezone\ntimezone.now()"),
        ("tournaments.web.desk.hall", "from tournaments.web import doors\nfrom tournaments.web.desk import running"),
        ("config.urls", "from tournaments.web import public"),
    ],
)
def test_right_import_passes(module, source):
    assert breaches(module, source) == []
