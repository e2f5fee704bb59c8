"""The time limits of a run. A test that hangs fails with its name, and a run that hangs ends.

- A test that takes longer than `test_seconds` fails. Its report has the stack of every thread. The run goes on.
- If Python cannot stop the test, pytest itself ends the process after `faulthandler_timeout`. pytest-xdist reports the
  test as failed. The other tests run in a new process.
- If no process has begun or ended a test for `silent_seconds`, the run fails.
- After the last test, each process has `end_seconds` for its end.

The limits are in pyproject.toml. No honest test comes near them, on a slow and busy machine either.
"""

import faulthandler
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Generator
from functools import cached_property
from types import FrameType
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

AGAIN = 1 / 10  # of its limit: a test that was stopped may hang again while it cleans up
ENDED_SECONDS = 30  # xdist takes a third of this to end its processes
ERRORS = os.dup(2)  # before pytest captures what tests write


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("test_seconds", "the most seconds of a test with its fixtures, or 0", default="0")
    parser.addini("silent_seconds", "the most seconds in which no process begins or ends a test", default="0")
    parser.addini("end_seconds", "the most seconds from the last test to the end of a process", default="0")


def pytest_configure(config: pytest.Config) -> None:
    """Limit the tests of this process, or the silence of the processes that it has started."""
    limits = {name: float(config.getini(f"{name}_seconds")) for name in ("test", "silent", "end")}
    started = hasattr(config, "workerinput")
    starts = not started and getattr(config.option, "dist", "no") != "no"
    if limits["end"]:
        config.pluginmanager.register(Ends(limits["end"] + starts * ENDED_SECONDS, lasting=not started))
    if threading.current_thread() is not threading.main_thread():
        return
    if starts:
        config.pluginmanager.register(Silence(limits["silent"]))
    elif limits["test"]:
        config.pluginmanager.register(Tests(limits["test"]))


class Alarm:
    """A timer that calls `ring` in the main thread, and wakes it from whatever it waits for."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.handler = lambda number, frame: self.ring(frame)  # an object of its own, to be found again
        signal.signal(signal.SIGALRM, self.handler)

    def set(self, seconds: float) -> None:
        """Ring after `seconds`, and then again and again. Zero stops the timer."""
        if signal.getsignal(signal.SIGALRM) is self.handler:  # a forked child may have a limit of its own
            signal.setitimer(signal.ITIMER_REAL, seconds, seconds * AGAIN)

    def ring(self, frame: FrameType | None) -> None:
        raise NotImplementedError


class Tests(Alarm):
    """The limit of each test: with its fixtures, and with what is torn down after it."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.name, self.ends_at = nodeid, time.monotonic() + self.seconds

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, object, object]:
        """Limit one of the three parts of a test. Between them pytest makes the report, which no alarm may disturb."""
        left = self.ends_at - time.monotonic()
        self.set(max(left, self.seconds * AGAIN))
        try:
            return (yield)
        finally:
            self.set(0)

    pytest_runtest_call = pytest_runtest_teardown = pytest_runtest_setup

    def ring(self, frame: FrameType | None) -> None:
        """Fail the test, wherever it is. Code that catches every `Exception` does not catch this."""
        pytest.fail(f"{self.name} takes longer than {self.seconds:g} s.\n{tell_stacks()}")


class Silence(Alarm):
    """The limit for all processes together: at any time, one of them must soon begin or end a test."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.running: dict[str, None] = {}
        self.broken = False

    def pytest_sessionstart(self) -> None:
        self.set(self.seconds)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.running[nodeid] = None
        self.set(self.seconds)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.running.pop(nodeid, None)
        self.set(self.seconds)

    def ring(self, frame: FrameType | None) -> None:
        """End the run. Its processes are killed if they do not end by themselves."""
        self.set(0)
        names = ", ".join(self.running) or "no test"
        message = f"Nothing has happened for {self.seconds:g} s. Running: {names}."
        os.write(ERRORS, f"\n{message}\n{tell_stacks()}\n".encode())
        pytest.exit(message, returncode=pytest.ExitCode.INTERNAL_ERROR)

    def pytest_testnodedown(self, node: WorkerController, error: object) -> None:
        self.broken = self.broken or bool(error)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Let the run fail if a process broke off, even if no test of it is missing."""
        self.set(0)
        if self.broken and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_xdist_make_scheduler(self, config: pytest.Config, log: Any) -> "FileByFile | None":
        return FileByFile(config, log) if config.getvalue("dist") == "loadfile" else None


class FileByFile(LoadFileScheduling):
    """The schedule of xdist for whole files, with four of its errors fixed. They let a run hang, or end it.

    If a process breaks off in the middle of a test, xdist gives the same test to another process. It also gives
    finished files to the new process, which then waits for ever. It does so too if it has only one test, because a
    process begins a test when it knows the next one. A process that breaks off while it is given work ends the run.
    """

    def _assign_work_unit(self, node: WorkerController) -> None:
        """Give the next file to a process. All processes have collected the same tests, in the same order.

        If the process has just broken off, the file stays the next one, and `remove_node` follows.
        """
        scope, unit = next(iter(self.workqueue.items()))
        try:
            node.send_runtest_some([self.places[name] for name in unit])
        except OSError:
            node.shutdown()
        else:
            self.assigned_work[node][scope] = self.workqueue.pop(scope)

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of each test. xdist looks for each test in the list of all, which takes seconds in a large run."""
        return {name: place for place, name in enumerate(self.collection)}

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        """Forget a test that has ended, so that nobody counts the ended ones again and again."""
        name = self.registered_collections[node][item_index]
        del self.assigned_work[node][self._split_scope(name)][name]
        self._reschedule(node)

    def remove_node(self, node: WorkerController) -> str | None:
        """Give what a process has left to the others, and return the test in which it broke off, if any."""
        units = self.assigned_work.pop(node)
        cut_off = next((name for unit in units.values() for name in unit), None)
        for scope, unit in units.items():
            if left := {name: False for name in unit if name != cut_off}:
                self.workqueue[scope] = left
        for other in self.nodes:
            self._reschedule(other)
        return cut_off

    def _reschedule(self, node: WorkerController) -> None:
        if node not in self.registered_collections:  # it is new, and still collects
            return
        super()._reschedule(node)
        while not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            super()._reschedule(node)


class Ends:
    """The limit of what comes after the last test of a process: sessions end, servers stop, threads are joined."""

    def __init__(self, seconds: float, *, lasting: bool) -> None:
        self.seconds, self.lasting = seconds, lasting

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        """Start the timer. It lasts until a process has ended, except in those that the first process ends itself."""
        faulthandler.dump_traceback_later(self.seconds, exit=True, file=ERRORS)
        yield
        if not self.lasting:
            faulthandler.cancel_dump_traceback_later()


def tell_stacks() -> str:
    """Return the stack of every thread as text, the main thread last."""
    names = {thread.ident: thread.name for thread in threading.enumerate()}
    main = threading.main_thread().ident
    frames = sorted(sys._current_frames().items(), key=lambda pair: pair[0] == main)
    return "\n".join(
        f"Thread {names.get(ident, ident)}:\n{''.join(traceback.format_stack(frame))}" for ident, frame in frames
    )
