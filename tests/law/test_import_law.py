"""The law of the packages: every module keeps the list of allowed imports in docs/architecture.md.

`tests.law` reads the list and the sources. Planted breaches are in `tests/law/test_planted.py`.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.law.breaches import KEPT, NAMED, find_breaches
from tests.law.circles import find_circles, read_folders, read_graph
from tests.law.packages import ARCHITECTURE, LEVELS, MODULES, PROJECT, PURE, ROOTS, is_pure, list_imports, package_of
from tests.law.short import SHORT_MODULES, SMALL_FOLDERS

REMEDY = (
    "The law of docs/architecture.md is broken. Move what both need to a package below both, or take the value as an"
    " argument. An exception belongs into NAMED of tests/law/breaches.py, with its reason."
)
PURE_MODULES = [module for module in MODULES if is_pure(module)]
LOOSE = {
    *("addresses", "job_health", "laptop_backups", "numbers", "page_cache", "versions"),
    *("apps", "codes", "errors", "failures", "permissions", "prepared", "log", "queue", "locks", "published"),
}
MOST_MODULES, MOST_TESTS, MOST_LINES = 24, 30, 600
MOST_PACKAGES, MOST_FLOORS, MOST_ARROWS, MOST_OF_ALL = 22, 13, 145, 950
LEAST_LINES, MOST_SHORT = 80, 77  # write a lower number of short modules down
LEAST_MODULES, LEAST_OF_FOLDER = 3, 400
# Folders of tests that go through several packages, or through the tests themselves.
TESTS_OF_MANY = {"bench", "browser", "faults", "lanes", "law", "mutants", "node", "random_evenings", "services"}
SHORT_BY_KIND = ("__init__.py", "apps.py", "urls.py", "errors.py", "tasks.py")
SHORT_FOLDERS = {"commands", "templatetags"}


def test_each_module_keeps_the_law():
    breaches = [
        f"{path.relative_to(PROJECT)}:{find_line(path.read_text(), breach)}: {breach}"
        for module, path in MODULES.items()
        for breach in find_breaches(module, path.read_text())
    ]
    assert not breaches, f"{REMEDY}\n" + "\n".join(breaches)


def find_line(source: str, breach: str) -> int:
    """Return the line of an import that a breach names, or 1. Other breaches name their line themselves."""
    found = re.search(r" (?:imports|uses) [\w.]*?(\w+)(?:,|$)", breach)
    lines = enumerate(source.splitlines(), start=1)
    return next((number for number, line in lines if found and re.search(rf"\b{found[1]}\b", line)), 1)


@pytest.mark.parametrize(("module", "thing"), NAMED)
def test_each_named_exception_is_still_needed(module, thing):
    others = {named: why for named, why in NAMED.items() if named != (module, thing)}
    assert find_breaches(module, MODULES[module].read_text(), others) != []


def test_no_modules_of_a_package_import_each_other_in_a_circle():
    assert find_circles(read_graph()) == []


def test_no_folders_of_a_package_import_each_other_in_a_circle():
    assert find_circles(read_folders(read_graph())) == []


# Removes the modules outside the standard library after each import, which is faster than an interpreter for each.
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


def loaded_by_each() -> dict[str, list[str]]:
    """Return the modules that each pure module loads, as if imported in a fresh interpreter."""
    command = [sys.executable, "-c", FRESHLY, *PURE_MODULES]
    run = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    return {module: loaded for module, *loaded in map(str.split, run.stdout.splitlines())}


def test_pure_modules_load_in_a_fresh_interpreter_pure_code_only():
    loaded_by, wrong = loaded_by_each(), {}
    assert loaded_by.keys() == set(PURE_MODULES)
    ours = {name.split(".")[0] for name in PURE} | set(PURE_MODULES)
    for module, loaded in loaded_by.items():
        assert module in loaded
        foreign = {name for name in loaded if name.split(".")[0] not in sys.stdlib_module_names}
        foreign = {name for name in foreign if name.split(".")[0] not in KEPT and "cython" not in name}
        wrong[module] = foreign - ours
    assert {module: foreign for module, foreign in wrong.items() if foreign} == {}


def test_every_module_has_a_package():
    assert [module for module in MODULES if not package_of(module)] == []
    assert [package for package in LEVELS if package not in MODULES] == []


def test_packages_are_few_and_import_few_others():
    assert len(LEVELS) <= MOST_PACKAGES
    assert max(LEVELS.values()) < MOST_FLOORS
    arrows = {(package_of(module), package_of(name)) for module in MODULES for name in list_imports(module)}
    assert len([arrow for arrow in arrows if all(arrow) and len({*arrow}) == 2]) <= MOST_ARROWS


def test_modules_are_few():
    """Count those of the project and of its measurements, without `__init__`, migrations and tests."""
    paths = [*MODULES.values(), *(PROJECT / "bench").rglob("*.py"), PROJECT / "manage.py"]
    modules = [path for path in paths if path.name != "__init__.py"]
    assert len(modules) <= MOST_OF_ALL, "put what is new into the module beside it that uses it most"


def test_tests_of_each_package_lie_under_its_name():
    folders = {path.parent.name for path in (PROJECT / "tests").glob("*/__init__.py")}
    assert {module.split(".")[0] for module in MODULES} == folders - TESTS_OF_MANY


def test_every_file_that_the_architecture_names_is_there():
    named = re.findall(r"`([\w/]+/[\w/]+\.\w+)`", ARCHITECTURE)
    assert len(named) > 30
    assert [name for name in named if not (PROJECT / name).is_file()] == []


def test_no_module_stands_loose_beside_the_folders_of_tournaments():
    loose = {path.stem for path in (PROJECT / "tournaments").glob("*.py")} - {"__init__"}
    assert loose == LOOSE


def test_no_folder_and_no_file_outgrows_a_reader():
    """Check scripts, styles and layouts too. `test_templates` checks templates. Folders of tests may be larger."""
    others = [path for root in ROOTS for kind in ("js", "css", "typ") for path in (PROJECT / root).rglob(f"*.{kind}")]
    files = [*MODULES.values(), *others]
    folders = Counter(path.parent for path in files if path.name != "__init__.py")
    assert {folder: size for folder, size in folders.items() if size > MOST_MODULES} == {}
    tests = Counter(path.parent for path in (PROJECT / "tests").rglob("test_*.py"))
    assert {folder: size for folder, size in tests.items() if size > MOST_TESTS} == {}
    files += (PROJECT / "tests").rglob("*.py")
    lengths = {path: len(path.read_text().splitlines()) for path in files}
    assert {path: length for path, length in lengths.items() if length > MOST_LINES} == {}


def test_each_short_module_and_small_folder_has_its_reason():
    """Leave out the kinds of modules that Django and Celery look for by name."""
    lengths = {name: len(path.read_text().splitlines()) for name, path in MODULES.items()}
    short = {name for name, path in MODULES.items() if lengths[name] < LEAST_LINES and not is_short_by_kind(path)}
    listed = " ".join(SHORT_MODULES.values()).split()
    assert len(listed) <= MOST_SHORT, "put what is new into the module beside it that uses it most"
    assert sorted(short) == sorted(listed), "merge what tests/law/short.py lacks, and take off it what grew"
    modules, lines = count_folders(lengths)
    small = {folder for folder in lines if modules[folder] < LEAST_MODULES and lines[folder] < LEAST_OF_FOLDER}
    assert sorted(small) == sorted(SMALL_FOLDERS), "merge a small folder into the one above it"


def is_short_by_kind(path: Path) -> bool:
    return path.name in SHORT_BY_KIND or not SHORT_FOLDERS.isdisjoint(path.parts)


def count_folders(lengths: dict[str, int]) -> tuple[Counter[str], Counter[str]]:
    """Return the number of modules and of lines in each folder, with what lies in its folders. Scripts do not count."""
    modules, lines = Counter[str](), Counter[str]()
    for name, path in MODULES.items():
        for folder in path.relative_to(PROJECT).parents[:-1] if ".static." not in name else ():
            modules[str(folder)] += path.name != "__init__.py"
            lines[str(folder)] += lengths[name]
    return modules, lines


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
        ("deals.domain.deal", "from scoring import notes", "deals.domain.deal imports scoring.notes"),
        (
            "tournaments.rules.entry",
            "import datetime\ndatetime.date.today()",
            "pure tournaments.rules.entry uses today",
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
            "from evenings.plays import entries",
            "tournaments.models imports evenings.plays.entries, which does not stand before it",
        ),
        (
            "evenings.plays.entering",
            "from jobs.tasks import compute_standings",
            "evenings.plays.entering imports jobs.tasks, which does not stand before it",
        ),
        (
            "evenings.standings.computing",
            "from rankings.publication import report",
            "evenings.standings.computing imports rankings.publication.report, which does not stand before it",
        ),
        (
            "pages.desk.hall",
            "from api import base",
            "pages.desk.hall imports api.base, which does not stand before it",
        ),
        (
            "api.plays",
            "from tournaments import locks",
            "api.plays imports tournaments.locks, which is for those who write",
        ),
        (
            "evenings.plays.entering",
            "def lock(plays):\n    return plays.select_for_update()",
            "evenings.plays.entering locks rows in line 2: let tournaments.locks do it",
        ),
        (
            "pages.desk.hall",
            "from pages.play import bulk",
            "pages.desk.hall imports pages.play.bulk, which is another page's",
        ),
    ],
)
def test_wrong_import_is_caught(module, source, breach):
    assert find_breaches(module, source) == [breach]


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("scoring.notes", "from fractions import Fraction\nfrom scoring.errors import ScoringError"),
        ("tournaments.locks", "from tournaments.errors import Refused\nplays.select_for_update()"),
        ("evenings.plays.entering", "from tournaments.locks import lock_play"),
        ("tournaments.rules.entry", "from scoring.contract import score_deal\ndef check(entry, now): return now"),
        ("movements.proposals", "from movements.search.rove import rove\nfrom deals.domain.etui import leader"),
        ("deals.models", "from clubs.models import Club\nfrom deals.domain.deal import Deal"),
        ("jobs.tasks", "from tournaments import standings\nfrom django.utils import timezone\ntimezone.now()"),
        ("pages.desk.hall", "from pages import doors\nfrom pages.desk import running"),
        ("config.urls", "from pages import public"),
    ],
)
def test_right_import_passes(module, source):
    assert find_breaches(module, source) == []
