"""Who may import whom (CONTRIBUTING.md says why), read from the source of every module.

config ──► tournaments ──► clubs, deals, scoring;  deals ──► clubs;  pure code ──► the standard library and pure code.
Inside an app: edges (views, API, tasks, admin, commands …) ──► services, selectors … ──► locks ──► models ──► domain.
Rows are locked by `tournaments.locks`, which states their order, and for services alone.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
ROOTS = ("config", "clubs", "deals", "scoring", "tournaments")
PURE = {
    "scoring": ("scoring",),
    "deals.domain": ("deals.domain",),
    "tournaments.domain": ("tournaments.domain", "scoring", "deals.domain"),
}
MAY_IMPORT = {
    "config": ("config", "tournaments", "clubs", "deals"),
    "clubs": ("clubs",),
    "deals": ("deals", "clubs.models"),
    "tournaments": ("tournaments", "clubs", "deals", "scoring"),
}
EDGES = {"views", "api", "tasks", "admin", "management", "forms", "urls", "templatetags", "apps"}
SERVICES = 3
LOCKS, LOCKING = "tournaments.locks", "select_for_update"
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


def pure_package(module: str) -> str | None:
    """The pure package that holds `module`."""
    return next((package for package in PURE if within(module, (package,))), None)


MODULES = modules()
PURE_MODULES = [module for module in MODULES if pure_package(module)]


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


def layer(module: str) -> int:
    """How high a module stands in its app: 0 domain, 1 models, 2 locks, 3 services and what goes with them, 4 edges."""
    part = module.split(".")[1] if "." in module else ""
    return {"domain": 0, "errors": 0, "models": 1, "locks": 2}.get(part, 4 if part in EDGES else SERVICES)


def breaches(module: str, source: str) -> list[str]:
    """What a module of this name and source does against the law."""
    tree = ast.parse(source)
    found = []
    pure = pure_package(module)
    for name in imports(module, tree):
        root = name.split(".")[0]
        if pure:
            if not within(name, PURE[pure]) and (root not in sys.stdlib_module_names or root in IMPURE_MODULES):
                found.append(f"pure {module} imports {name}")
        elif root in ROOTS:
            own = module.split(".")[0]
            if not within(name, MAY_IMPORT[own]):
                found.append(f"{module} imports {name}")
            elif own != "config" and layer(name) > (layer(module) if own == root else SERVICES):
                found.append(f"{module} imports {name}, which stands above it")
            elif name == LOCKS and not within(module, ("tournaments.services",)):
                found.append(f"{module} imports {name}, which is for services")
    if pure:
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


@pytest.mark.parametrize("module", PURE_MODULES)
def test_pure_module_loads_in_a_fresh_interpreter_only_pure_code_and_the_standard_library(module):
    program = (
        f"import sys; before = set(sys.modules); import {module}; print(*sorted(set(sys.modules) - before), sep='\\n')"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    foreign = {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names}
    packages = {name.split(".")[0] for name in PURE}
    assert module in loaded
    assert foreign - packages - set(PURE_MODULES) == set()


def test_every_pure_package_is_found():
    assert {pure_package(module) for module in PURE_MODULES} == set(PURE)


@pytest.mark.parametrize(
    ("module", "source", "breach"),
    [
        ("scoring.contract", "import django", "pure scoring.contract imports django"),
        ("scoring.contract", "import numpy as np", "pure scoring.contract imports numpy"),
        ("scoring.contract", "from deals.domain import cards", "pure scoring.contract imports deals.domain.cards"),
        ("scoring.contract", "def f():\n    import random", "pure scoring.contract imports random"),
        ("deals.domain.deal", "from os import environ", "pure deals.domain.deal imports os"),
        ("deals.domain.deal", "from deals.models import DealSet", "pure deals.domain.deal imports deals.models"),
        ("deals.domain.deal", "from .. import models", "pure deals.domain.deal imports deals.models"),
        ("deals.domain.deal", "from scoring import topage", "pure deals.domain.deal imports scoring.topage"),
        (
            "tournaments.domain.entry",
            "import datetime\ndatetime.date.today()",
            "pure tournaments.domain.entry uses today",
        ),
        ("deals.services", "from tournaments.models import Play", "deals.services imports tournaments.models"),
        ("deals.services", "import scoring.contract", "deals.services imports scoring.contract"),
        ("deals.services", "from clubs import services", "deals.services imports clubs.services"),
        ("clubs.services", "from deals.models import DealSet", "clubs.services imports deals.models"),
        ("tournaments.models", "from config import celery", "tournaments.models imports config.celery"),
        (
            "tournaments.models",
            "from tournaments import selectors",
            "tournaments.models imports tournaments.selectors, which stands above it",
        ),
        (
            "tournaments.services.results",
            "from ..tasks import compute_standings",
            "tournaments.services.results imports tournaments.tasks, which stands above it",
        ),
        (
            "tournaments.models",
            "from tournaments.locks import lock_play",
            "tournaments.models imports tournaments.locks, which stands above it",
        ),
        (
            "tournaments.locks",
            "from tournaments.services.log import log",
            "tournaments.locks imports tournaments.services.log, which stands above it",
        ),
        (
            "tournaments.selectors",
            "from tournaments import locks",
            "tournaments.selectors imports tournaments.locks, which is for services",
        ),
        (
            "tournaments.services.results",
            "def lock(plays):\n    return plays.select_for_update()",
            "tournaments.services.results locks rows in line 2: let tournaments.locks do it",
        ),
        (
            "tournaments.views.session",
            "from clubs.admin import ClubAdmin",
            "tournaments.views.session imports clubs.admin, which stands above it",
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
        ("tournaments.services.results", "from tournaments.locks import lock_play"),
        ("tournaments.domain.entry", "from scoring.contract import score_deal\ndef check(entry, now): return now"),
        ("deals.models", "from clubs.models import Club\nfrom deals.domain.deal import Deal"),
        ("tournaments.tasks", "from tournaments import standings\nfrom django.utils import timezone\ntimezone.now()"),
        ("config.urls", "from tournaments.views import home"),
    ],
)
def test_right_import_passes(module, source):
    assert breaches(module, source) == []
