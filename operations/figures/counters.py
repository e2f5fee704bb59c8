"""The counters of this process. Each process writes its own files in FIGURES_DIR, and `/metrics` adds them up.

This module is imported only if METRICS_TOKEN is set, so that a site without it pays nothing.
"""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from prometheus_client import CollectorRegistry, Counter, Histogram, values
from prometheus_client.multiprocess import MultiProcessCollector

Path(settings.FIGURES_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
# The library reads the folder only from the environment.
os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.FIGURES_DIR)
values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]

OWN = CollectorRegistry()  # this registry has only the names; the values are in the files
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

requests = Counter("topage_requests", "Answered requests.", ["page", "status", "lane"], registry=OWN)
page_seconds = Counter("topage_page_seconds", "Seconds spent on a page.", ["page"], registry=OWN)
lane_seconds = Histogram("topage_request_seconds", "Seconds of a request.", ["lane"], buckets=BUCKETS, registry=OWN)
refused_log_ins = Counter("topage_refused_log_ins", "Log-ins with a wrong name or password.", registry=OWN)


@cache
def meters_of_page(page: str, status: str, lane: str) -> tuple[Any, Any, Any]:
    """Return the three meters of a kind of request. The library takes longer to find one by its labels."""
    return requests.labels(page, status, lane), page_seconds.labels(page), lane_seconds.labels(lane)


def count_request(page: str, status: str, lane: str, seconds: float) -> None:
    count, of_page, of_lane = meters_of_page(page, status, lane)
    count.inc()
    of_page.inc(seconds)
    of_lane.observe(seconds)


def count_refused_log_in(**_signal: object) -> None:
    refused_log_ins.inc()


def collect_all() -> CollectorRegistry:
    """Return a registry with the sums over all processes that share the folder."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, path=str(settings.FIGURES_DIR))  # type: ignore[no-untyped-call]
    return registry


def forget_ended_processes() -> None:
    """Delete the files of processes that have ended. A restart of the site begins all counters at 0 again."""
    for path in Path(settings.FIGURES_DIR).glob("*.db"):
        process = path.stem.rpartition("_")[2]
        if process.isdigit() and not is_running(int(process)):
            with suppress(OSError):
                path.unlink()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
