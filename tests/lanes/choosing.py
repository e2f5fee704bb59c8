"""The plugin that divides the tests into two lanes by their marks: `pytest --lane quick` or `--lane nightly`.

A test is quick by default. `nightly("race")` puts a test, or a file by its `pytestmark`, into the nightly lane, with
one of REASONS. With `only=("150",)` it moves the cases alone whose id has one of these texts. `guard("why")` marks a
dear test that runs on each change all the same. Without `--lane` all tests run. The plugin also lets a command name
files in any order.
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
    """Check the marks of all tests, and keep those of the chosen lane."""
    lanes = [find_lane(item) for item in items]
    wanted = config.getoption("lane")
    if wanted is None:
        return
    kept, left = [], []
    for item, lane in zip(items, lanes, strict=True):
        (kept if (lane == NIGHTLY) == (wanted == NIGHTLY) else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept
    if wanted == NIGHTLY:
        # The dearest tests go first. Otherwise the last file keeps one process busy while the others have ended.
        items.sort(key=lambda item: REASONS.index(next(item.iter_markers(NIGHTLY)).args[0]))


def find_lane(item: pytest.Item) -> str:
    """Return the lane of a test, "nightly", "guard" or "quick". Raise UsageError for marks without a valid reason."""
    nightly = list(item.iter_markers(NIGHTLY))
    guards = list(item.iter_markers(GUARD))
    for mark in nightly:
        if mark.kwargs.keys() - {"only"} or len(mark.args) != 1 or mark.args[0] not in REASONS:
            raise pytest.UsageError(f"{item.nodeid}: nightly takes one reason of {', '.join(REASONS)}")
    case = item.name.partition("[")[2]
    nightly = [mark for mark in nightly if any(text in case for text in mark.kwargs.get("only", [""]))]
    for mark in guards:
        if mark.kwargs or len(mark.args) != 1 or not str(mark.args[0]).strip():
            raise pytest.UsageError(f'{item.nodeid}: guard takes its reason: guard("a worker computes a ranking")')
    if nightly and guards:
        raise pytest.UsageError(f"{item.nodeid} is marked nightly and guard: take one of them out")
    return NIGHTLY if nightly else GUARD if guards else QUICK
