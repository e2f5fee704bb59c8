"""The sign of life of a worker, for the check of its container and for systemd. Both start it again if it hangs.

A worker whose main loop hangs takes no job and does not end, so no supervisor would notice. A check that asks the
worker by Redis takes longer than most jobs. So the worker writes the file WORKER_ALIVE, whose age the check reads. It
also sends WATCHDOG=1 to systemd.
"""

import os
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

from celery import bootsteps
from redis.exceptions import RedisError

from jobs.management.processes import notify_supervisor
from operations.queues import make_redis_client

TURN = 10.0  # seconds between two moments at which the main loop notes that it runs
PULSE = 20.0  # seconds between two signs of life
HUNG = 60.0  # seconds without a turn of the main loop, after which the worker hangs


class Pulse:
    """The signs of life of a worker. They end when its main loop hangs, but not while Redis is away."""

    def __init__(self) -> None:
        self.turned_at = monotonic()

    def note_turn(self) -> None:
        """Note that the main loop runs."""
        self.turned_at = monotonic()

    def works(self) -> bool:
        """Return whether the worker works. Without Redis it waits for Redis, and that is right."""
        return monotonic() - self.turned_at < HUNG or not redis_answers()

    def beat_on(self) -> None:
        """Give signs of life until the process ends."""
        while True:
            if self.works():
                give_sign_of_life()
            sleep(PULSE)


def redis_answers() -> bool:
    try:
        with make_redis_client() as client:
            return bool(client.ping())
    except RedisError:
        return False


def give_sign_of_life() -> None:
    """Write the number of this process into the file WORKER_ALIVE, if there is one, and tell systemd."""
    if file := os.environ.get("WORKER_ALIVE"):
        with suppress(OSError):
            Path(file).write_text(str(os.getpid()), encoding="utf-8")
    notify_supervisor("WATCHDOG=1")


class Alive(bootsteps.StartStopStep):  # type: ignore[misc]
    """The step of a worker's start that begins its signs of life, once its processes are there."""

    requires = {"celery.worker.components:Pool"}

    def start(self, worker: Any) -> None:
        """Begin the signs of life."""
        pulse = Pulse()
        worker.timer.call_repeatedly(TURN, pulse.note_turn)
        Thread(target=pulse.beat_on, name="alive", daemon=True).start()

    def stop(self, worker: Any) -> None:
        """Do nothing: the thread ends with the process."""
