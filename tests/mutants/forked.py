"""The command `python -m tests.mutants.forked FILES -- TESTS`: each breach of a function in a forked child.

The parent imports everything, starts the servers once, and notes which lines each test runs. A child puts the broken
code into the living functions. Then it runs only the tests of the broken lines, the quickest first, until one fails.
Each line that is printed is an object of JSON.
"""

import builtins
import gc
import json
import os
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, TextIO

import pytest

from tests.mutants.making import Mutant, make_mutants
from tests.mutants.replacing import NOTE, LiveFile, Remembered, find_functions

KILLED, BY_TIME, SURVIVED, UNFIT = "killed", "killed by time", "survived", "unfit for a fork"
LEAST_LIMIT, TIMES = 10, 10  # seconds for a test, and how many times longer than usual it may take
# A test that hangs without a breach ends the process, and its stack is shown.
LIMITED = "-o", "faulthandler_timeout=120"
# A row that is committed would stay for the next child. No worker or server would see the breach.
COMMITTING = {"transactional_db", "live_server", "serve"}
Line = tuple[str, int]


class Tracer:
    """A trace of the functions in some files, while they are imported. The lines that they run are added to `lines`."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = frozenset(paths)
        self.lines: set[Line] = set()

    def start(self) -> None:
        threading.settrace(self.enter)
        sys.settrace(self.enter)

    def stop(self) -> None:
        threading.settrace(None)
        sys.settrace(None)

    def enter(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        code = frame.f_code
        return self.note if code.co_filename in self.paths and code.co_flags & CO_OPTIMIZED else None

    def note(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
        if event == "line":
            self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self.note


class Breaker:
    """A pytest plugin that runs the tests without a breach, and then those of each breach in a child."""

    def __init__(self, root: Path, files: Sequence[str], output: TextIO) -> None:
        self.root, self.output = root, output
        self.files = {file: LiveFile(str(root / file), (root / file).read_text()) for file in files}
        self.tracer = Tracer([live.path for live in self.files.values()])
        self.lines: dict[str, set[Line]] = {}  # by test
        self.of_fixtures: dict[object, set[Line]] = defaultdict(set)  # by fixture of several tests
        self.early: set[Line] = set()  # these run at the import, or in a fixture of the whole session
        self.failed: list[str] = []
        self.seconds: dict[str, float] = defaultdict(float)  # by test

    def tell(self, **what: object) -> None:
        print(json.dumps(what), file=self.output, flush=True)

    def pytest_configure(self) -> None:
        """Let hypothesis look for no smaller example, which nobody reads, and be patient with traced tests."""
        from hypothesis import HealthCheck, Phase, settings  # if it came before pytest, pytest would warn

        settings.register_profile(
            "mutants",
            settings.default,
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        )
        settings.load_profile("mutants")

    def pytest_internalerror(self, excrepr: object) -> None:
        self.tell(failed=[str(excrepr)])

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """Note the lines that a fixture of several tests runs: they count for each of these tests."""
        if fixturedef.scope == "function":
            return (yield)
        outer, self.tracer.lines = self.tracer.lines, self.of_fixtures[fixturedef]
        try:
            return (yield)
        finally:
            if fixturedef.scope == "session":
                self.early |= self.tracer.lines
            self.tracer.lines = outer | self.tracer.lines

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests without a breach, first in this process and then in a child. Then run each breach."""
        for file in self.files:  # Django imports pages at the first request only
            import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
        self.session, self.early = session, self.early | self.tracer.lines
        gc.unfreeze()  # gc.get_objects leaves out what is frozen
        find_functions(self.files.values())
        self.remembered = Remembered(str(self.root))
        gc.freeze()
        items = [item for item in session.items if not is_committing(item)]
        self.trace_tests(items)
        self.processes = [one for one in gc.get_objects() if issubclass(type(one), subprocess.Popen)]
        if not self.failed:
            _status, told = run_in_child(lambda: self.run_unbroken(items))
            self.failed, self.seconds = told or (["all in a fork"], {})
        if session.testsfailed:
            self.failed.append("their collection")
        self.tell(
            failed=self.failed,
            committing=[item.nodeid for item in session.items if is_committing(item)],
            seconds=self.seconds,
        )
        for file, live in self.files.items() if not self.failed else ():
            for number, mutant in enumerate(make_mutants(live.source)):
                self.tell(file=file, number=number, **self.run_mutant(live, mutant, items))
        return True

    def trace_tests(self, items: Sequence[pytest.Item]) -> None:
        """Run the tests in this process, and note the lines of each, with those of its fixtures.

        The code of the functions calls NOTE meanwhile: a trace would slow down all other code too.
        """
        self.tracer.stop()
        setattr(builtins, NOTE, lambda path, line: self.tracer.lines.add((path, line)))
        marked = [pair for live in self.files.values() for pair in live.mark()]
        unmarked = [(function, function.__code__) for function, _code in marked]
        put_code(marked)
        for item, following in zip(items, [*items[1:], self.session], strict=True):
            self.remembered.forget()
            self.tracer.lines = set()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            self.lines[item.nodeid] = self.tracer.lines
        for item in items:
            for fixtures in item._fixtureinfo.name2fixturedefs.values():
                for fixture in fixtures:
                    self.lines[item.nodeid] |= self.of_fixtures.get(fixture, set())
        put_code(unmarked)
        self.remembered.forget()
        if django := sys.modules.get("django.db"):
            django.connections.close_all()

    def run_unbroken(self, items: Sequence[pytest.Item]) -> object:
        self.enter_child()
        self.seconds.clear()
        for item, following in zip(items, [*items[1:], self.session], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return self.failed, self.seconds

    def enter_child(self) -> None:
        """Let the processes that the parent has started count as running. A child cannot ask the system."""
        for one in self.processes:
            one.poll = lambda: None

    def run_mutant(self, live: LiveFile, mutant: Mutant, items: Sequence[pytest.Item]) -> dict[str, object]:
        """Return how a breach ends, and the tests that ran against it, or at last the one that killed it."""
        replaced = live.replace(mutant.source)
        if replaced is None:
            return {"end": UNFIT}
        broken = {(live.path, line) for line in mutant.lines}
        chosen = self.sort_quickest([item for item in items if not broken.isdisjoint(self.lines[item.nodeid])])
        status, killer = run_in_child(lambda: self.run_broken(replaced, chosen)) if chosen else (0, SURVIVED)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
            return {"end": BY_TIME}
        if killer != SURVIVED:
            return {"end": KILLED, "by": killer}
        return {"end": SURVIVED if broken.isdisjoint(self.early) else UNFIT, "tests": len(chosen)}

    def sort_quickest(self, items: Sequence[pytest.Item]) -> list[pytest.Item]:
        """Return tests sorted by their time, except that those of a file stay together: they share fixtures."""
        of_file: dict[Path, float] = defaultdict(float)
        for item in items:
            of_file[item.path] += self.seconds[item.nodeid]
        return sorted(items, key=lambda item: (of_file[item.path], item.path, self.seconds[item.nodeid]))

    def run_broken(self, replaced: Sequence[tuple[FunctionType, CodeType]], items: Sequence[pytest.Item]) -> str:
        """Put the broken code into its functions, and return the first test that fails."""
        self.enter_child()
        put_code(replaced)
        for item, following in zip(items, [*items[1:], self.session], strict=True):
            signal.setitimer(signal.ITIMER_REAL, LEAST_LIMIT + TIMES * self.seconds[item.nodeid])
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                return self.failed[0]
        return SURVIVED


def put_code(replaced: Sequence[tuple[FunctionType, CodeType]]) -> None:
    """Give each function its new code."""
    for function, code in replaced:
        function.__code__ = code


def is_committing(item: pytest.Item) -> bool:
    """Return whether a test commits rows or starts a server of its own."""
    mark = item.get_closest_marker("django_db")
    return bool(mark and mark.kwargs.get("transaction")) or not COMMITTING.isdisjoint(item.fixturenames)


def run_in_child(work: Callable[[], object]) -> tuple[int, Any]:
    """Run a function in a forked child. Return the status of its end, and its answer, or None if it gave none."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            answer = json.dumps(work()).encode()
            with open(writing, "wb") as output:
                output.write(answer)
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as told:
        answer = told.read()
    return os.waitpid(child, 0)[1], json.loads(answer or "null")


def main(*arguments: str) -> None:
    """Run the tests behind `--` against the files before it. Only the results are printed."""
    end = arguments.index("--")
    with os.fdopen(os.dup(1), "w") as output, open(os.devnull, "w") as nothing:
        os.dup2(nothing.fileno(), 1)
        breaker = Breaker(Path.cwd(), arguments[:end], output)
        breaker.tracer.start()
        pytest.main(["-q", "--tb=no", "--no-header", *LIMITED, *arguments[end + 1 :]], plugins=[breaker])


if __name__ == "__main__":
    main(*sys.argv[1:])
