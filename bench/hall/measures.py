"""The measurements of a full hall, group by group, on servers that already run. Django must be set up."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import perf_counter

from bench.hall.cpu import Costs, Site
from bench.hall.field import FieldBeside
from bench.hall.goals import FREE, GOALS, LAPTOP, MeasuredFigure, percentile, spread_figures
from bench.hall.scene import Scene
from bench.hall.servers import Server
from bench.hall.traffic import A_SECOND, HallTraffic, Load
from tournaments.queue import COMPUTE
from tournaments.queue import FIELD as FIELD_JOB

FLAT_SECONDS = 15.0
EVERY_SECONDS = 300.0  # the most that all deals of an evening may take
# Each turn has a minute with backups and a minute without them. Results come so often that a p95 has 150 of them.
BACKUP_SECONDS, BACKUP_TURNS, BETWEEN_IN_BACKUP = 60.0, 2, 0.4
FIELD_TURNS, FIELD_TABLES = 2, 12  # each turn has both loads with a field, and both without it
BUSY = 0.5  # a share of a core. If the hall's own process uses more, it disturbs the measurement


class Measures:
    """The measurements of one site with its scene and the requests of its hall."""

    clubs = 100  # of the national simultaneous

    def __init__(self, server: Server, make_scene: Callable[[], Scene], seconds: float, times: int) -> None:
        self.server, self.seconds, self.times = server, seconds, times
        began = perf_counter()
        self.scene = make_scene()
        self.took = perf_counter() - began
        port, processes = server.start_site()
        self.hall, self.site = HallTraffic(self.scene, port), Site(port, processes)

    def __str__(self) -> str:
        session, sessions = self.scene.session, self.scene.sessions
        count = sum(session.plays.count() for session in sessions)
        plays = f"{session.positions} positions × {session.etuis_per_position} étuis, {count} plays"
        where = "a laptop, " if self.server.laptop else f"{self.server.processes} processes of the site, a worker, "
        hall = f"{len(self.scene.tokens)} tables" + (f" of {len(sessions)} sessions" if len(sessions) > 1 else "")
        plays += f", {session.tournament.format}"
        entered = count - sum(map(len, self.scene.left.values()))
        return f"{where}{hall}, {plays}, {entered} of them entered: made in {self.took:.0f} s"

    def take(self, groups: Sequence[str]) -> Iterator[MeasuredFigure]:
        """Yield the figures of these groups, each as soon as it is known.

        The costs of single requests are measured before a worker runs.
        """
        joins = self.hall.join()  # a table may write only after it has joined
        ways: dict[str, Callable[[], Iterable[MeasuredFigure]]] = {
            "joins": lambda: self.joins(joins),
            "cpu": lambda: Costs(self.scene, self.site, self.times).measure(),
            "pace": lambda: self.pace("pace"),
            "backup": lambda: self.backup("backup"),
            "readers200": lambda: self.pace("readers200", readers=200),
            "readers1000": lambda: self.pace("readers1000", readers=1000),
            "flat": lambda: self.flat("flat", min(self.seconds, FLAT_SECONDS)),
            FREE: self.enter_every_deal,
            "field": lambda: self.field("field"),
        }
        if self.server.laptop:
            ways = {
                f"{LAPTOP}-pace": lambda: self.pace(f"{LAPTOP}-pace"),
                f"{LAPTOP}-backup": lambda: self.backup(f"{LAPTOP}-backup"),
                f"{LAPTOP}-flat": lambda: self.flat(f"{LAPTOP}-flat", min(self.seconds, FLAT_SECONDS)),
            }
        for group in ways:
            if group in groups:
                yield from ways[group]()

    def joins(self, load: Load) -> Iterator[MeasuredFigure]:
        yield MeasuredFigure("joins all", 1000 * load.elapsed, spread_figures(load.seconds["join"]))
        yield MeasuredFigure("joins errors", load.errors, load.told)

    def pace(self, group: str, readers: int = 0) -> Iterator[MeasuredFigure]:
        self.server.start_workers()
        worked = self.site.read_work()
        load = self.hall.pace(self.seconds, readers)
        load.site = (self.site.read_work() - worked) / 1000 / load.elapsed
        return figures(group, load, {"enter": "enter", "desk": "desk"})

    def backup(self, group: str) -> Iterator[MeasuredFigure]:
        """Yield the p95 of entries while one backup after another is made, as a ratio to that without a backup.

        Both are measured in turn, so that a change of the machine's load meets both.
        """
        self.server.start_workers()
        seconds = min(self.seconds, BACKUP_SECONDS) / BACKUP_TURNS
        alone, beside, made = [], [], 0
        for _turn in range(BACKUP_TURNS):
            alone.append(self.hall.pace(seconds, between=BETWEEN_IN_BACKUP))
            with backups_beside(self.server.folder) as backups:
                beside.append(self.hall.pace(seconds, between=BETWEEN_IN_BACKUP))
            made += len(backups)
        taken, taken_alone = ([each for load in loads for each in load.seconds["enter"]] for loads in (beside, alone))
        p95, p95_alone = percentile(taken, 0.95), percentile(taken_alone, 0.95)
        told = f"{spread_figures(taken)} beside {made} backups, {1000 * p95_alone:.0f} without"
        yield MeasuredFigure(f"{group} ratio", p95 / p95_alone if made else float("nan"), told + busy(beside[-1]))
        yield MeasuredFigure(f"{group} errors", sum(load.errors for load in alone + beside), beside[-1].told)

    def field(self, group: str) -> Iterator[MeasuredFigure]:
        """Yield the p95 of entries while the session plays in a national field, as ratios to those without it.

        One load has 4 results a second, the other 20 at the same moment. All are measured in turn, so that a change of
        the machine's load meets all.
        """
        field = FieldBeside(self.scene.session, self.clubs, FIELD_TABLES)
        field.leave()
        self.server.start_workers()
        jobs, seconds = self.server.jobs(FIELD_JOB), self.seconds / (4 * FIELD_TURNS)
        ways = {
            "ratio": partial(self.hall.pace, seconds, between=1 / A_SECOND),
            "calls": partial(self.hall.calls, seconds),
        }
        loads: dict[tuple[str, bool], list[Load]] = {}
        self.hall.calls(seconds)  # the first load meets a site that has nothing in its caches
        for turn in range(FIELD_TURNS):
            for inside in (False, True) if turn % 2 else (True, False):
                (field.enter if inside else field.leave)()
                for name, load in ways.items():
                    loads.setdefault((name, inside), []).append(load())
        jobs = self.server.jobs(FIELD_JOB) - jobs
        for name in ways:
            alone, beside = (
                [each for load in loads[name, inside] for each in load.seconds["enter"]] for inside in (False, True)
            )
            p95, p95_alone = percentile(beside, 0.95), percentile(alone, 0.95)
            told = f"{spread_figures(beside)} beside {jobs} computations of the field, {1000 * p95_alone:.0f} without"
            yield MeasuredFigure(f"{group} {name}", p95 / p95_alone if jobs and alone else float("nan"), told)
        every = [load for listed in loads.values() for load in listed]
        yield MeasuredFigure(f"{group} errors", sum(load.errors for load in every), every[-1].told)

    def enter_every_deal(self) -> Iterator[MeasuredFigure]:
        """Yield the figures of an evening in which every table enters its deals without a pause, until all are in."""
        yield from self.flat(FREE, EVERY_SECONDS)
        yield MeasuredFigure(f"{FREE} left", self.scene.count_missing())

    def flat(self, group: str, seconds: float) -> Iterator[MeasuredFigure]:
        self.server.start_workers()
        jobs = self.server.jobs(COMPUTE)
        load = self.hall.flat_out(seconds)
        taken = load.seconds["enter"]
        yield MeasuredFigure(
            f"{group} rate", load.answers["enter 200"] / load.elapsed, spread_figures(taken) + busy(load)
        )
        if f"{group} jobs" in GOALS:
            yield MeasuredFigure(
                f"{group} jobs", (self.server.jobs(COMPUTE) - jobs) / load.elapsed, f"{load.elapsed:.0f} s"
            )
        yield from figures(group, load, {})


def figures(group: str, load: Load, kinds: Mapping[str, str]) -> Iterator[MeasuredFigure]:
    """Yield the p95 of each kind of request, in milliseconds, then the number of errors.

    `kinds`: the kind of request for the name of each goal.
    """
    for name, kind in kinds.items():
        if f"{group} {name}" in GOALS:
            taken = load.seconds[kind]
            yield MeasuredFigure(f"{group} {name}", 1000 * percentile(taken, 0.95), spread_figures(taken) + busy(load))
    yield MeasuredFigure(f"{group} errors", load.errors, load.told)


@contextmanager
def backups_beside(folder: Path) -> Iterator[list[float]]:
    """Make scheduled backups of the site one after another until the end of the block. Give the seconds of each."""
    made: list[float] = []
    ended = Event()

    def work() -> None:
        while not ended.is_set():
            began = perf_counter()
            there = os.environ | {"BACKUP_DIR": str(folder / "backups")}
            command = [sys.executable, "manage.py", "backup"]
            subprocess.run(command, env=there, check=True, stdout=subprocess.DEVNULL)
            made.append(perf_counter() - began)

    thread = Thread(target=work)
    thread.start()
    try:
        yield made
    finally:
        ended.set()
        thread.join()


def busy(load: Load) -> str:
    site = f"; the site took {load.site:.0%} of a core" if load.site else ""
    return site + (f"; the hall itself took {load.generator:.0%} of a core" if load.generator > BUSY else "")
