"""The Celery application, the sign of life of its workers, and one mended bug of the library Kombu.

The application reads every CELERY_ setting of config.settings and finds the tasks of each app.

A worker whose main loop hangs takes no job and does not end, so no supervisor would notice. A check that asks the
worker by Redis takes longer than most jobs. So the worker writes the file WORKER_ALIVE, whose age the check of its
container reads. It also sends WATCHDOG=1 to systemd. Both start it again if it hangs.
"""

import os
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import Empty
from threading import Thread
from time import monotonic, sleep, time
from typing import Any

from celery import Celery, bootsteps
from celery.signals import beat_init, before_task_publish, task_prerun, worker_init
from django.core.management.base import CommandError
from kombu.transport import redis
from redis.exceptions import RedisError

from config.logs import NONE, request_id
from jobs.management.processes import collect_seldom, notify_supervisor
from operations.queues import make_redis_client
from tournaments.queue import ASKED_AT

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TURN = 10.0  # seconds between two moments at which the main loop notes that it runs
PULSE = 20.0  # seconds between two signs of life
HUNG = 60.0  # seconds without a turn of the main loop, after which the worker hangs


class Channel(redis.Channel):
    """A channel that can be closed even if its connection is broken. Without this, a worker that lost its broker ends.

    Kombu's `close` first reads an answer that is still to come. If Redis does not answer, this raises an error, and the
    channel stays half open. Celery then closes the connection again. This raises an AttributeError, because the
    connection no longer has what the channel needs.
    """

    def close(self) -> None:
        """Read the last answer if it still comes, then close the channel. Messages not yet confirmed are put back."""
        if self._in_poll:
            with suppress(Empty, *self.connection_errors):
                self._brpop_read()  # type: ignore[no-untyped-call]
        super().close()  # type: ignore[no-untyped-call]


redis.Transport.Channel = Channel


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


app = Celery("topage", task_cls="config.jobs:Job")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(Alive)
# A worker may wait for a broker that does not answer. A request that queues a job waits one second at most.
app.connection_for_write = partial(app.connection_for_write, transport_options={"socket_timeout": 1})


@before_task_publish.connect  # type: ignore[untyped-decorator]
def note_origin(headers: dict[str, Any], **_signal: object) -> None:
    """Tell in each job's message when it was sent, and the id of the request that asked for it."""
    headers[ASKED_AT] = time()
    if (origin := request_id.get()) != NONE:
        headers["request_id"] = origin


@task_prerun.connect  # type: ignore[untyped-decorator]
def take_origin(task: Any, task_id: str, **_signal: object) -> None:
    """Log a worker's job under the id of its request. A job of beat has its own id."""
    if not task.request.is_eager:
        request_id.set(task.request.get("request_id") or task_id)


@worker_init.connect  # type: ignore[untyped-decorator]
def refuse_unready_database(**_signal: object) -> None:
    """End a worker whose database is not ready. Otherwise each of its jobs would fail."""
    # the import is here, because the apps must be ready first
    from jobs.management.database import check_database
    from jobs.management.processes import hold_presence

    try:
        hold_presence()
        check_database()
    except CommandError as error:
        sys.exit(str(error))


@worker_init.connect  # type: ignore[untyped-decorator]
@beat_init.connect  # type: ignore[untyped-decorator]
def search_seldom(**_signal: object) -> None:
    """Search for garbage seldom in a worker, in its processes and in the beat."""
    collect_seldom()
