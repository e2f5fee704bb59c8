"""The plugin that keeps the quick lane cheap: `pytest --lane quick --budget`.

It measures the scaled processor time of each test. A quick test that costs more than MOST is tried again, up to TRIES
times. It fails if each try costs more, beyond the NOISE of the measuring. The first test of a process pays for what
later ones use, and other work may slow the machine down. Each new try measures the scale anew. Set-up that tests share
counts apart. The run fails if all tests together exceed LANE, or the guards GUARDS. Times are scaled by a fixed task
(`metering.py`).

`--costs FILE` writes the seconds of each test, and of what each file shares. `--at-most SECONDS` begins no test after
so many seconds of the clock, and names the files that it left out.
"""

import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.lanes.choosing import GUARD, NIGHTLY, QUICK, find_lane
from tests.lanes.metering import Scaled

MOST = 0.4  # seconds of processor time for one quick test, of the reference
NOISE = 1.15  # by how much the measurements of one test differ
TRIES = 3
SHARED = 3.0  # for what the tests of one file share
GUARDS = 110.0  # for all guards together
LANE = 900.0  # for the whole run in two processes, collection and servers included
# The first run in a clone, and each test in it, may use so much more. It compiles every module and makes its database.
COLD = 1.4
MORE = 60.0  # for each further process, which collects, starts a database and makes its shared rows again
COST, RATIO = "cost", "ratio"
REMEDY = "make it cheap, or mark it nightly and say why (CONTRIBUTING.md, “Two lanes”)"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--budget", action="store_true", help="fail quick tests that cost more than the quick lane allows")
    parser.addoption("--costs", metavar="FILE", help="write the scaled processor time of each test into a file")
    parser.addoption("--at-most", type=float, metavar="SECONDS", help="begin no test later, and name what is left out")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("collectonly"):
        return
    started = hasattr(config, "workerinput")
    distributes = not started and getattr(config.option, "dist", "no") != "no"
    if not distributes and any(map(config.getoption, ("budget", "costs", "at_most"))):
        config.pluginmanager.register(Meter(config), "meter of costs")
    if not started:
        config.pluginmanager.register(Sums(config), "sums of costs")


@dataclass
class Apart:
    """The scaled processor time of shared set-up: of all so far, and of each file. Without `used` it counts nothing.

    `kept` is the part that a whole process shares. It is not counted for the file that happens to ask for it first.
    """

    used: Scaled | None = None
    seconds: float = 0.0
    kept: float = 0.0
    files: Counter[str] = field(default_factory=Counter)
    depth: int = 0

    @contextmanager
    def counting(self, file: str | None = None) -> Iterator[None]:
        """Count what happens inside as shared set-up, of a file if one is named, else of the process.

        Of blocks inside each other, the outermost one counts for all, and an inner one of the process for no file.
        """
        if self.used is None:
            yield
            return
        self.depth += 1
        start, kept = self.used.read(), self.kept
        try:
            yield
        finally:
            self.depth -= 1
            seconds = self.used.read() - start
            own = seconds - (self.kept - kept)
            if file is None:
                self.kept += own
            if not self.depth:
                self.seconds += seconds
                if file is not None:
                    self.files[file] += own


apart = Apart()


class Meter:
    """The measuring of each test in the process that runs it."""

    def __init__(self, config: pytest.Config) -> None:
        self.used = apart.used = Scaled()
        self.strict, self.ratio = config.getoption("budget"), find_ratio(config)
        limit = config.getoption("at_most")
        self.ends_at = time.monotonic() + limit if limit else None
        self.left_out: Counter[str] = Counter()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> Generator[None, object, object]:
        """Count a fixture that several tests share apart from the test that first asks for it."""
        if fixturedef.scope == "function":
            return (yield)
        file = request.node.nodeid.partition("::")[0] if fixturedef.scope in ("module", "class") else None
        with apart.counting(file):
            return (yield)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Run a test, measure it, and let it fail if it is too dear for its lane."""
        file = item.nodeid.partition("::")[0]
        if self.ends_at is not None and time.monotonic() > self.ends_at:
            self.left_out[file] += 1
            if nextitem is None or nextitem.nodeid.partition("::")[0] != file:
                item.session._setupstate.teardown_exact(nextitem)
            return True
        lane = find_lane(item)
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        cost, reports = self.run(item, nextitem)
        dear = self.strict and lane == QUICK and all(report.passed or report.skipped for report in reports)
        for _again in range(1, TRIES if dear else 1):
            if cost > MOST * self.ratio and all(report.passed or report.skipped for report in reports):
                item._initrequest()  # type: ignore[attr-defined]
                self.used.measure_scale()
                again, reports = self.run(item, nextitem)
                cost = min(cost, again)
        if dear and cost > MOST * NOISE * self.ratio:
            fail(reports, f"uses {cost:.2f} s of processor time, and a quick test {MOST} s at most: {REMEDY}")
        elif dear and apart.files[file] > SHARED:
            shared = apart.files.pop(file)
            fail(reports, f"and its file share {shared:.1f} s of set-up, and a file has {SHARED} s at most: {REMEDY}")
        for report in reports:
            if report.when == "teardown":
                report.user_properties.append((COST, (lane, cost)))
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def run(self, item: pytest.Item, nextitem: pytest.Item | None) -> tuple[float, list[pytest.TestReport]]:
        """Run a test once. Return its scaled seconds without shared set-up, and its reports.

        After the last test, the fixtures of the session stay for its next try: any other test is said to follow.
        pytest ends them with the session.
        """
        following = nextitem or next((each for each in item.session.items if each is not item), None)
        before, shared = self.used.read(), apart.seconds
        reports = runtestprotocol(item, nextitem=following, log=False)
        return self.used.read() - before - (apart.seconds - shared), reports

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Tell the process that started this one what was used and left out."""
        told = {
            "seconds": self.used.read(),
            "shared": apart.seconds,
            "files": dict(apart.files),
            "left": dict(self.left_out),
        }
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[COST] = told
        else:
            session.config.pluginmanager.get_plugin("sums of costs").add(told)


def fail(reports: list[pytest.TestReport], message: str) -> None:
    """Turn the reports of a test that passed into those of a failure."""
    report = next(report for report in reports if report.when == "call" or report.skipped)
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid} {message}"


def find_ratio(config: pytest.Config) -> float:
    """Return by what the limits of this run are multiplied, which the first process tells the others."""
    told: dict[str, Any] = getattr(config, "workerinput", {})
    return float(told.get(RATIO) or (1.0 if (config.rootpath / ".pytest_cache").exists() else COLD))


class Sums:
    """The sums of a run, in the process that reports them."""

    def __init__(self, config: pytest.Config) -> None:
        self.strict, self.costs = config.getoption("budget"), config.getoption("costs")
        self.tests: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        self.whole = self.shared = 0.0
        self.processes = 0
        self.ratio = find_ratio(config)
        if self.costs:
            Path(self.costs).write_text("")

    def add(self, told: dict[str, Any]) -> None:
        """Add what one process used in all."""
        self.processes += 1
        self.whole += told["seconds"]
        self.shared += told["shared"]
        self.left_out.update(told["left"])
        for file, seconds in told["files"].items():
            self.write_cost(seconds, "shared", file)

    def write_cost(self, seconds: float, lane: str, name: str) -> None:
        """Write a line of the file of costs, if one is wanted."""
        if self.costs:
            with Path(self.costs).open("a") as file:
                file.write(f"{seconds:.3f}\t{lane}\t{name}\n")

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[RATIO] = self.ratio

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        if told := getattr(node, "workeroutput", {}).get(COST):
            self.add(told)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, told in report.user_properties:
            if name == COST:
                lane, cost = told
                self.tests[lane] += 1
                self.seconds[lane] += cost
                self.write_cost(cost, lane, report.nodeid)

    @property
    def lane(self) -> float:
        """The seconds that a run in so many processes may use."""
        return self.ratio * (LANE + MORE * max(0, self.processes - 2))

    @property
    def exceeded(self) -> list[str]:
        """The sentences about the budgets that this run exceeded."""
        if not self.strict:
            return []
        return [
            f"{name} used {used:.0f} s of processor time, {most:.0f} s at most: {REMEDY}."
            for name, used, most in (
                ("The run", self.whole, self.lane),
                ("Guards", self.seconds[GUARD], self.ratio * GUARDS),
            )
            if used > most
        ]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if getattr(session.config.option, "dist", "no") != "no":
            self.whole += time.process_time()  # of this process, which only collects and distributes
        if self.exceeded and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how much of its budget the run used, and what it left out."""
        lanes = ", ".join(f"{self.tests[lane]} {lane} {self.seconds[lane]:.0f} s" for lane in (QUICK, GUARD, NIGHTLY))
        if self.strict:
            terminalreporter.write_line(
                f"Processor time: {self.whole:.0f} of {self.lane:.0f} s (tests: {lanes} of {GUARDS:.0f} s; "
                f"shared set-up {self.shared:.0f} s)."
            )
        elif self.costs:
            terminalreporter.write_line(f"Processor time: {self.whole:.0f} s (tests: {lanes}).")
        for sentence in self.exceeded:
            terminalreporter.write_line(sentence, red=True)
        if self.left_out:
            files = "\n".join(f"  {file}: {count}" for file, count in sorted(self.left_out.items()))
            terminalreporter.write_line(f"LEFT OUT for lack of time, {self.left_out.total()} tests:\n{files}", red=True)
