"""An evening of a full hall on the same site, while people play in rooms: its tables may not wait longer than alone."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from bench.hall.cpu import Site
from bench.hall.goals import MeasuredFigure, percentile, spread_figures
from bench.hall.scene import Scene
from bench.hall.traffic import HallTraffic, Load


class EveningBeside:
    """A hall of so many tables at its pace, with five desks. Half of its results are entered before.

    Make it before the site starts, because it stores its rows in this process.
    """

    def __init__(self, tables: int) -> None:
        self.scene = Scene(tables)

    def connect(self, port: int, processes: list[int]) -> None:
        """Let each table join, and find how fast this machine is."""
        self.hall = HallTraffic(self.scene, port)
        self.bare = Site(port, processes).bare()
        self.hall.join()

    @contextmanager
    def play(self, seconds: float) -> Iterator["Future[Load]"]:
        """Play for so many seconds, in a thread beside the block. The figures come once the block has ended."""
        with ThreadPoolExecutor(1) as threads:
            yield threads.submit(self.hall.pace, seconds)

    def judge(self, load: Load) -> list[tuple[str, bool]]:
        """Return the lines of a run, with the goals of `bench.hall`, and whether each meets its goal."""
        figures = [
            MeasuredFigure(
                f"pace {name}", 1000 * percentile(load.seconds[name], 0.95), spread_figures(load.seconds[name])
            )
            for name in ("enter", "desk")
        ]
        figures.append(MeasuredFigure("pace errors", load.errors, load.told))
        return [(figure.line(self.bare), figure.is_met(self.bare)) for figure in figures]
