"""The command `python -m tests.mutants scoring/ties.py`: break a file place by place, and list unnoticed breaches.

Most breaches run in the forked children of one process, see `forked.py`. A breach of what runs at the import has a
process of its own.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from tests.mutants.forked import BY_TIME, KILLED, SURVIVED, UNFIT
from tests.mutants.making import Mutant, make_mutants
from tests.services.plugin import DATABASE, SHARED
from tests.services.postgres import PostgresServer

PROJECT = Path(__file__).resolve().parent.parent.parent
NAMED = Path(__file__).with_name("named.toml")
MIGRATED = Path(".pytest_cache/d/migrated")  # the folder of the script that makes a migrated database
LEAST_LIMIT = 20  # seconds, on a machine that does other things too
End = tuple[str, str, str]  # the file of a mutant, its line with "old → new", and the result of its tests


def find_files(root: Path, place: str) -> list[str]:
    """Return a file as a list, or the files of a folder."""
    found = sorted((root / place).glob("*.py")) or [root / place]
    return [path.relative_to(root).as_posix() for path in found]


def find_tests(root: Path, file: str) -> list[str]:
    """Return the nearest tests of a file: the test file of the same name if there is one, then its folder."""
    folder = Path("tests", *Path(file).parent.parts)
    namesake = folder / f"test_{Path(file).stem}.py"
    while folder != Path("tests") and not any((root / folder).glob("test_*.py")):
        folder = folder.parent
    if folder == Path("tests"):
        raise SystemExit(f"No folder of tests is near {file}: say which are to be run, as in TESTS=tests/bots")
    return [str(place) for place in (namesake, folder) if (root / place).exists()]


def find_all_tests(root: Path, first: str, *more: str) -> dict[str, list[str]]:
    """Return the tests of each file, and of each file of a folder. In `more`, tests replace the nearest ones."""
    tests = [place for place in more if place.startswith("tests/")]
    files = [file for place in (first, *more) if place not in tests for file in find_files(root, place)]
    return {file: tests or find_tests(root, file) for file in files}


def run_tests(root: Path, tests: Sequence[str], limit: float, **environment: str) -> str:
    """Return the result of the tests on a tree: killed, killed by time, or survived."""
    child = subprocess.Popen(
        [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "--no-header", *tests],
        cwd=root,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return KILLED if child.wait(limit) else SURVIVED
    except subprocess.TimeoutExpired:
        return BY_TIME
    finally:
        stop(child)


def stop(child: subprocess.Popen[bytes]) -> None:
    """Stop pytest as Ctrl-C does, so that it ends its servers. If that does not help, kill it."""
    for sign in (signal.SIGINT, signal.SIGKILL):
        if child.poll() is None:
            os.killpg(child.pid, sign)
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                continue


def run_forked(root: Path, files: Sequence[str], tests: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield what `tests.mutants.forked` prints: first how the tests end without a breach, then each breach."""
    command = [sys.executable, "-m", "tests.mutants.forked", *files, "--", *tests]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, start_new_session=True) as child:
        try:
            yield from map(json.loads, child.stdout)
            child.wait(60)
        finally:
            stop(child)


def run_mutants(root: Path, tests: dict[str, list[str]]) -> Iterator[End]:
    """Yield the result of each mutant of the files in a copy of the tree. `tests` has the tests of each file."""
    mutants = {file: make_mutants((root / file).read_text()) for file in tests}
    forked = run_forked(root, list(tests), sorted({place for places in tests.values() for place in places}))
    unbroken = next(forked, {"failed": ["their collection"]})
    if unbroken["failed"]:
        raise SystemExit(f"Without any breach {unbroken['failed'][0]} fails already.")
    limit = max(LEAST_LIMIT, 5 * sum(unbroken["seconds"].values()))
    alone, left = [], sum(map(len, mutants.values()))
    for told in forked:
        file, mutant, end = told["file"], mutants[told["file"]][told["number"]], told["end"]
        left -= 1
        if end == UNFIT:
            alone.append((file, mutant, [[place] for place in tests[file]]))
        elif end == SURVIVED and unbroken["committing"]:
            alone.append((file, mutant, [unbroken["committing"]]))
        else:
            yield file, f"{mutant.line}: {mutant.breach}", end
    if left:
        raise SystemExit("The process with the forks ended too early.")
    with start_server(root) as environment:
        for file, mutant, steps in alone:
            yield file, f"{mutant.line}: {mutant.breach}", run_alone(root, file, mutant, steps, limit, **environment)


@contextmanager
def start_server(root: Path) -> Iterator[dict[str, str]]:
    """Start one PostgreSQL for all later runs of tests, if the first one used a database. Yield their environment."""
    scripts = list((root / MIGRATED).glob("*.sql"))
    if not scripts:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="topage-", dir="/tmp") as folder:
        Path(folder).chmod(0o711)  # PostgreSQL's own user can pass
        server = PostgresServer(Path(folder, "postgres"))
        try:
            server.start()
            server.make(DATABASE, scripts[0])
            yield {SHARED: str(server.folder)}
        finally:
            server.stop()


def run_alone(
    root: Path, file: str, mutant: Mutant, steps: Sequence[Sequence[str]], limit: float, **environment: str
) -> str:
    """Return the result of a mutant whose tests have processes of their own. The file is broken meanwhile.

    The tests run step by step. A mutant that survives one step gets to the next.
    """
    path = root / file
    source = path.read_text()
    # Python recognises compiled code by the time and length of the file. A mutant may share both, so no compiled code
    # is kept.
    Path(cache_from_source(str(path))).unlink(missing_ok=True)
    path.write_text(mutant.source)
    try:
        environment |= {"PYTHONDONTWRITEBYTECODE": "1"}
        ends = (run_tests(root, tests, limit, **environment) for tests in steps)
        return next((end for end in ends if end != SURVIVED), SURVIVED)
    finally:
        path.write_text(source)


def report(ends: Iterator[End], named: dict[str, dict[str, str]], tell: Callable[[str], object] = print) -> int:
    """Print the mutants that survived and are not in `named`, and totals. Return 1 if something is wrong.

    `named` has, for each file, the reason for each breach that changes nothing important, by its text without the line.
    It is also wrong if `named` has a breach that is killed or no longer made.
    """
    counts: dict[str, Counter[str]] = {file: Counter() for file in named}
    left = {(file, what) for file, reasons in named.items() for what in reasons}
    for file, breach, end in ends:
        what = breach.split(": ", 1)[1]
        if end == SURVIVED and what in named.get(file, {}):
            left.discard((file, what))
            end = "survived, but named"
        counts.setdefault(file, Counter())[end] += 1
        if end == SURVIVED:
            tell(f"{file}:{breach}")
    for file, what in sorted(left):
        tell(f"{file}: named, but killed or not made any more: {what}")
    for file, its in sorted(counts.items()):
        tell(f"{file}: {its.total()} mutants, " + ", ".join(f"{count} {end}" for end, count in sorted(its.items())))
    return int(bool(left) or any(its[SURVIVED] for its in counts.values()))


def main(first: str, *more: str) -> int:
    """Break files of the project, or the files of folders, in a copy of the tree. `more` may name tests too."""
    with tempfile.TemporaryDirectory(prefix="topage-mutants-") as folder:
        root = Path(folder, "tree")
        shutil.copytree(PROJECT, root, ignore=shutil.ignore_patterns(".*", "__pycache__", "*.sqlite3"), symlinks=True)
        if (PROJECT / MIGRATED).exists():
            shutil.copytree(PROJECT / MIGRATED, root / MIGRATED)  # so that no migration runs again
        tests_of = find_all_tests(root, first, *more)
        named = {file: reasons for file, reasons in tomllib.loads(NAMED.read_text()).items() if file in tests_of}
        return report(run_mutants(root, tests_of), named)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
