"""What is measured, group by group, on the servers that were started. Wants Django's settings."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from time import perf_counter

from bench.hall.cpu import Costs, Site
from bench.hall.goals import GOALS, LAPTOP, Figure, percentile, spread
from bench.hall.scene import Scene
from bench.hall.servers import Server
from bench.hall.traffic import Hall, Load
from tournaments.queue import COMPUTE

FLAT_SECONDS = 15.0
BUSY = 0.5  # of a core: the hall itself then disturbs what it measures


class Measures:
    """One site, its scene, and the hall that asks it."""

    def __init__(self, server: Server, tables: int, seconds: float, times: int) -> None:
        self.server, self.seconds, self.times = server, seconds, times
        began = perf_counter()
        self.scene = Scene(tables)
        self.took = perf_counter() - began
        port, processes = server.start_site()
        self.hall, self.site = Hall(self.scene, port), Site(port, processes)

    def __str__(self) -> str:
        session, sessions = self.scene.session, self.scene.sessions
        count = sum(session.plays.count() for session in sessions)
        plays = f"{session.positions} positions × {session.etuis_per_position} étuis, {count} plays"
        where = "a laptop, " if self.server.laptop else f"{self.server.processes} processes of the site, a worker, "
        hall = f"{len(self.scene.tokens)} tables" + (f" of {len(sessions)} sessions" if len(sessions) > 1 else "")
        return f"{where}{hall}, {plays}, half of them entered: made in {self.took:.0f} s"

    def take(self, groups: Sequence[str]) -> Iterator[Figure]:
        """The figures of these groups, each as soon as it is known. The costs first, without a worker beside."""
        joins = self.hall.join()  # else no table may write
        ways: dict[str, Callable[[], Iterable[Figure]]] = {
            "joins": lambda: self.joins(joins),
            "cpu": lambda: Costs(self.scene, self.site, self.times).measure(),
            "pace": lambda: self.pace("pace"),
            "readers200": lambda: self.pace("readers200", readers=200),
            "readers1000": lambda: self.pace("readers1000", readers=1000),
            "flat": lambda: self.flat("flat"),
        }
        if self.server.laptop:
            ways = {
                f"{LAPTOP}-pace": lambda: self.pace(f"{LAPTOP}-pace"),
                f"{LAPTOP}-flat": lambda: self.flat(f"{LAPTOP}-flat"),
            }
        for group in ways:
            if group in groups:
                yield from ways[group]()

    def joins(self, load: Load) -> Iterator[Figure]:
        yield Figure("joins all", 1000 * load.elapsed, spread(load.seconds["join"]))
        yield Figure("joins errors", load.errors, load.told)

    def pace(self, group: str, readers: int = 0) -> Iterator[Figure]:
        self.server.start_worker()
        worked = self.site.worked()
        load = self.hall.pace(self.seconds, readers)
        load.site = (self.site.worked() - worked) / 1000 / load.elapsed
        return figures(group, load, {"enter": "enter", "desk": "desk"})

    def flat(self, group: str) -> Iterator[Figure]:
        self.server.start_worker()
        jobs = self.server.jobs(COMPUTE)
        load = self.hall.flat_out(min(self.seconds, FLAT_SECONDS))
        taken = load.seconds["enter"]
        yield Figure(f"{group} rate", load.answers["enter 200"] / load.elapsed, spread(taken) + busy(load))
        if f"{group} jobs" in GOALS:
            yield Figure(f"{group} jobs", (self.server.jobs(COMPUTE) - jobs) / load.elapsed, f"{load.elapsed:.0f} s")
        yield from figures(group, load, {})


def figures(group: str, load: Load, kinds: Mapping[str, str]) -> Iterator[Figure]:
    """Of the kinds of question by their goals' names, p95; then what failed."""
    for name, kind in kinds.items():
        if f"{group} {name}" in GOALS:
            taken = load.seconds[kind]
            yield Figure(f"{group} {name}", 1000 * percentile(taken, 0.95), spread(taken) + busy(load))
    yield Figure(f"{group} errors", load.errors, load.told)


def busy(load: Load) -> str:
    site = f"; the site took {load.site:.0%} of a core" if load.site else ""
    return site + (f"; the hall itself took {load.generator:.0%} of a core" if load.generator > BUSY else "")
