"""The plugin that divides the tests into two lanes by their marks: `pytest --lane quick` or `--lane nightly`.

A test is quick by default. `nightly("race")` puts a test, or a file by its `pytestmark`, into the nightly lane, with
one of REASONS. With `only=("150",)` it moves the cases alone whose id has one of these texts. `guard("why")` marks a
dear test that runs on each change all the same, but for its cases that `nightly` moves. Without `--lane` all tests
run. The plugin also lets a command name files in any order.
"""

import re
from collections.abc import Generator
from pathlib import Path

import pytest

REASONS = ("browser", "race", "crawl", "story", "print", "process", "statistics")
WHOLE_FILE = re.compile(r"^pytestmark = (\[\n.*?^\]|[^\n]*)", re.MULTILINE | re.DOTALL)
NIGHTLY, GUARD, QUICK = "nightly", "guard", "quick"
FOLDERS = pytest.StashKey[dict[Path, pytest.Collector]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--lane", choices=(QUICK, NIGHTLY), help="run the tests of one lane: quick (with guards) or nightly"
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"nightly(reason): runs each night, because of {', '.join(REASONS)}")
    config.addinivalue_line("markers", "guard(reason): is dear, and runs on each change all the same")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out a file of the nightly lane without importing it."""
    if config.getoption("lane") != QUICK or collection_path.suffix != ".py":
        return None
    return True if is_nightly_file(collection_path.read_text()) else None


def is_nightly_file(source: str) -> bool:
    """Return True if the `pytestmark` of a file puts all its tests into the nightly lane."""
    found = WHOLE_FILE.search(source)
    return found is not None and ".nightly(" in found[1]


@pytest.hookimpl(wrapper=True)
def pytest_collect_directory(
    path: Path, parent: pytest.Collector
) -> Generator[None, pytest.Collector | None, pytest.Collector | None]:
    """Return the same node for a folder each time, because a fixture of a conftest.py belongs to one node.

    pytest reads a folder anew for each file of it that a command names. The files below it would then lose fixtures.
    """
    node = yield
    return node and parent.config.stash.setdefault(FOLDERS, {}).setdefault(path, node)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests of the chosen lane."""
    wanted = config.getoption("lane")
    if wanted is None:
        return
    kept, left = [], []
    for item in items:
        (kept if (find_lane(item) == NIGHTLY) == (wanted == NIGHTLY) else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept
    if wanted == NIGHTLY:
        # The dearest tests go first. Otherwise the last file keeps one process busy while the others have ended.
        items.sort(key=find_place)


def find_place(item: pytest.Item) -> int:
    """Return the place of a nightly test in the order of REASONS."""
    mark = item.get_closest_marker(NIGHTLY)
    return REASONS.index(mark.args[0]) if mark and mark.args and mark.args[0] in REASONS else len(REASONS)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail a test whose marks have no valid reason."""
    if fault := find_fault_of_marks(item):
        pytest.fail(fault, pytrace=False)


def find_fault_of_marks(item: pytest.Item) -> str:
    """Return what is wrong with the marks of a test, or an empty text."""
    for mark in item.iter_markers(NIGHTLY):
        if mark.kwargs.keys() - {"only"} or len(mark.args) != 1 or mark.args[0] not in REASONS:
            return f"nightly takes one reason of {', '.join(REASONS)}"
    for mark in item.iter_markers(GUARD):
        if mark.kwargs or len(mark.args) != 1 or not str(mark.args[0]).strip():
            return 'guard takes its reason: guard("a worker computes a ranking")'
    if item.get_closest_marker(GUARD) and any(not mark.kwargs for mark in item.iter_markers(NIGHTLY)):
        return "it is marked nightly and guard: take one of them out"
    return ""


def find_lane(item: pytest.Item) -> str:
    """Return the lane of a test, "nightly", "guard" or "quick"."""
    case = item.name.partition("[")[2]
    for mark in item.iter_markers(NIGHTLY):
        if any(text in case for text in mark.kwargs.get("only", [""])):
            return NIGHTLY
    return GUARD if item.get_closest_marker(GUARD) else QUICK
