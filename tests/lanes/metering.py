"""The processor time of a process and of all that it has started: children, servers, a browser.

On systems without /proc, processes that still run do not count: their time is added when they end.
"""

import os
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")
# The seconds of `run_fixed_task` on the machine whose times the limits state, while both of its cores run tests.
REFERENCE = 0.114
LOOPS, TRIES = 500_000, 3
TEXT = " ".join(str(number * number) for number in range(72_000)).encode()
FRESH = 20  # seconds of the clock
LISTED = 0.5


def measure_used() -> float:
    """Return the seconds of processor time that this process, its ended children and its descendants have used."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system + descendants.measure()


class Descendants:
    """The running descendants of this process. They are listed once in LISTED seconds, because that takes a while."""

    def __init__(self) -> None:
        self.files: dict[int, int] = {}
        self.listed_until = 0.0

    def measure(self) -> float:
        """Return the seconds of all of them, with those of their ended children."""
        if time.monotonic() > self.listed_until:
            self.list()
        return sum(map(self.measure_one, list(self.files)))

    def list(self) -> None:
        """List the descendants of now, and open what the system tells of each.

        The system may leave a process out of a list of children while another one ends. So one that was listed before
        stays until it has ended. Otherwise its seconds would be counted anew by the next list.
        """
        for pid in [pid for pid, file in self.files.items() if not is_there(file)]:
            os.close(self.files.pop(pid))
        for pid in set(list_descendants(os.getpid())) - self.files.keys():
            with suppress(OSError):  # it has just ended, and its time is now its parent's
                self.files[pid] = os.open(PROC / str(pid) / "stat", os.O_RDONLY | os.O_CLOEXEC)
        self.listed_until = time.monotonic() + LISTED

    def measure_one(self, pid: int) -> float:
        """Return the seconds of one of them, or 0 if it has just ended. Its time is then that of its parent."""
        try:
            told = os.pread(self.files[pid], 1024, 0)
        except OSError:
            self.listed_until = 0.0
            return 0.0
        # The second field is a name that may hold anything but ends with the last bracket. 11 fields after it: utime,
        # stime, cutime, cstime.
        return sum(map(int, told[told.rindex(b")") + 2 :].split()[11:15])) / TICKS


descendants = Descendants()


def is_there(file: int) -> bool:
    """Return False once the process of which this open file tells has ended, and its parent counts its time."""
    try:
        return bool(os.pread(file, 1, 0))
    except OSError:
        return False


def list_descendants(pid: int) -> Iterator[int]:
    """Yield the ids of all running descendants of a process."""
    for child in list_children(pid):
        yield child
        yield from list_descendants(child)


def list_children(pid: int) -> list[int]:
    """Return the ids of the running children of a process, or none where the system does not tell."""
    found = []
    with suppress(OSError):
        for task in os.listdir(PROC / str(pid) / "task"):
            with suppress(OSError):  # this thread has just ended, and the others still have children
                found += map(int, (PROC / str(pid) / "task" / task / "children").read_text().split())
    return found


class Scaled:
    """The scaled processor time of this process and its descendants.

    Other work slows a machine down for a while, so the scale is measured anew when it is FRESH seconds old.
    """

    def __init__(self) -> None:
        self.used, self.seconds = 0.0, 0.0
        self.measure_scale()

    def measure_scale(self) -> None:
        """Measure the scale of the moment."""
        self.scale = measure_scale()
        self.fresh_until = time.monotonic() + FRESH

    def read(self) -> float:
        """Return the scaled seconds that were used so far.

        A process that ends while the times are read may be missing in them. So fewer seconds than before are read once
        more. If they remain fewer, a process ended without its parent, and its seconds stay counted.
        """
        used = measure_used()
        if used < self.used:
            used = max(used, measure_used())
        self.seconds += max(0.0, used - self.used) * self.scale
        self.used = used
        if time.monotonic() > self.fresh_until:
            self.measure_scale()
        return self.seconds


def measure_scale() -> float:
    """Return by what the seconds of this machine are multiplied to be those of the reference.

    Of several loops the slowest counts: a core that runs fast for a moment does not do so for whole tests.
    """
    return REFERENCE / max(run_fixed_task() for _ in range(TRIES))


def run_fixed_task() -> float:
    """Return the seconds of processor time of work that does nothing of use: a fifth of it in Python, the rest in C.

    Builds of Python differ by a third in how fast they run a loop, but the tests as a whole by a sixteenth.
    """
    start, total = time.process_time(), 0
    for number in range(LOOPS):
        total += number & 7
    zlib.compress(TEXT)
    return time.process_time() - start
