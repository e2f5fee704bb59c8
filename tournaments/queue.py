"""The queue of jobs. Tasks are named, not imported: the modules that queue them are below `tasks` in the layers.

Standings, of a session or of a tournament, are queued when the change that needs them is committed. Each computation is
queued only once until a job takes it: the job sees every change that was committed by then, and does not start before
the pause after the last computation is over. A broker that is down costs the request nothing, and one that does not
answer delays only one request; the sweep finds the rest later. On a laptop, which has neither worker nor beat, a thread
of the server process does the work of both.
"""

import logging
from contextlib import suppress
from threading import Condition, Thread
from time import monotonic, sleep, time
from typing import NamedTuple

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connections, transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

COMPUTE = "tournaments.tasks.compute_standings"
TOURNAMENT = "tournaments.tasks.compute_tournament"
CAREERS = "tournaments.tasks.keep_careers"
SEARCH = "tournaments.tasks.search_plans"
SWEEPS = ("tournaments.tasks.sweep_standings", "tournaments.tasks.sweep_publications")
FORGET = "tournaments.tasks.forget_what_is_over"
A_DAY = 86_400.0  # seconds
LEFT_ALONE = 5.0  # seconds
PAUSE = 1.0  # seconds between two computations of one session
# Only directors look at a tournament between its sessions; careers change when something is published.
PAUSES = {COMPUTE: PAUSE, TOURNAMENT: 5.0, CAREERS: PAUSE}
FORGOTTEN = 30  # seconds after which a computation that no job has taken is queued again

logger = logging.getLogger(__name__)


class JobRequest(NamedTuple):
    """A task and the row that it is about."""

    task: str
    pk: int


class Broker:
    """The message broker of the jobs. If it does not answer, nothing is sent to it for a moment.

    Otherwise a table that sends many results at once would wait for the broker with each of them.
    """

    def __init__(self) -> None:
        self.left_alone_until = 0.0

    def ask_for_standings(self, pk: int, task: str = COMPUTE) -> None:
        began = monotonic()
        if began < self.left_alone_until:
            return
        try:
            if cache.add(question(pk, task), True, FORGOTTEN):
                current_app.tasks[task].apply_async((pk,), countdown=rest_of_pause(pk, task))
        except (OperationalError, RedisError):
            if monotonic() - began > 0.5:
                self.left_alone_until = monotonic() + LEFT_ALONE
            take_question(pk, task)
            raise


class Background:
    """A thread of this process in place of worker and beat. It runs one job at a time, none twice within its pause.

    Every `sweep_seconds` it sweeps: the sweep finds what a failed job has left undone.
    """

    def __init__(self, sweep_seconds: float | None = None) -> None:
        self.turns: dict[JobRequest, float] = {}  # in the order of the queue, each with the earliest time to run it
        self.computed: dict[JobRequest, float] = {}
        self.changed = Condition()
        self.thread: Thread | None = None
        self.ended = False
        self.sweep_seconds = settings.SWEEP_SECONDS if sweep_seconds is None else sweep_seconds
        self.sweep_at = monotonic() + self.sweep_seconds

    def start(self) -> None:
        with self.changed:
            if self.thread is None:
                self.thread = Thread(target=self.work, name="standings", daemon=True)
                self.thread.start()

    def stop(self) -> None:
        """End the thread after the job that it is running."""
        with self.changed:
            self.ended = True
            self.changed.notify()
        if self.thread is not None:
            self.thread.join()

    def ask_for_standings(self, pk: int, task: str = COMPUTE) -> None:
        asked, pause = JobRequest(task, pk), PAUSES[task]
        with self.changed:
            self.turns.setdefault(asked, self.computed.get(asked, -pause) + pause)
            self.changed.notify()
        self.start()

    def work(self) -> None:
        while not self.ended:
            asked = self.next_turn()
            if asked is not None:
                self.run(asked.task, asked.pk)
            elif not self.ended:
                for task in SWEEPS:
                    self.run(task)

    def run(self, task: str, *pk: int) -> None:
        try:
            current_app.tasks[task](*pk)
        except Exception:  # the next one runs all the same, and the sweep finds what this one has left undone
            logger.exception("%s could not be computed.", " of ".join(map(str, (task, *pk))))
        finally:
            connections.close_all()

    def next_turn(self) -> JobRequest | None:
        """Wait for the next job and return it, or return None when it is time to sweep or to end."""
        with self.changed:
            while not self.ended:
                now = monotonic()
                if self.sweep_at <= now:
                    self.sweep_at = now + self.sweep_seconds
                    return None
                due = next((asked for asked, when in self.turns.items() if when <= now), None)
                if due is not None:
                    del self.turns[due]
                    self.computed[due] = now
                    return due
                self.changed.wait(min([self.sweep_at, *self.turns.values()]) - now)
            return None


class InPlace:
    """A worker inside the request, which computes before it answers: for commands, and for tests."""

    def ask_for_standings(self, pk: int, task: str = COMPUTE) -> None:
        current_app.tasks[task].delay(pk)


broker = Broker()
without_worker: InPlace | Background = InPlace()


def compute_in_background() -> None:
    """Let a thread of this server process compute and sweep if there is no worker.

    So nobody who enters a result waits for standings.
    """
    global without_worker
    without_worker = Background()
    if current_app.conf.task_always_eager:
        without_worker.start()


def queue_standings(session_id: int) -> None:
    transaction.on_commit(lambda: ask_for_standings(session_id), robust=True)


def queue_tournament(tournament_id: int) -> None:
    transaction.on_commit(lambda: ask_for_standings(tournament_id, TOURNAMENT), robust=True)


def queue_careers(session_id: int) -> None:
    """Queue the careers of a session's players, because what readers may see of the session has changed."""
    transaction.on_commit(lambda: ask_for_standings(session_id, CAREERS), robust=True)


def ask_for_standings(pk: int, task: str = COMPUTE) -> None:
    (without_worker if current_app.conf.task_always_eager else broker).ask_for_standings(pk, task)


def take_question(pk: int, task: str = COMPUTE) -> None:
    """Mark a computation as taken from the queue. Changes that are committed from now on queue it again."""
    with suppress(RedisError):
        cache.delete(question(pk, task))


def begin_pause(pk: int, task: str = COMPUTE) -> None:
    """Begin the pause after a computation. A computation that is requested during the pause is queued for its end."""
    with suppress(RedisError):
        cache.set(beginning_key(pk, task), time(), FORGOTTEN)


def rest_of_pause(pk: int, task: str = COMPUTE) -> float:
    """Return the seconds until the pause is over, or 0 if the clock has been set back since it began."""
    age: float = time() - cache.get(beginning_key(pk, task), 0.0)
    return PAUSES[task] - age if 0 <= age < PAUSES[task] else 0.0


def question(pk: int, task: str) -> str:
    return f"{task}-asked-{pk}"


def beginning_key(pk: int, task: str) -> str:
    return f"{task}-begun-{pk}"


def queue_search(plans: tuple[int, ...]) -> None:
    """Start a search for plans in a worker or, on a laptop without workers, in a thread of this process."""
    task = current_app.tasks[SEARCH]
    if current_app.conf.task_always_eager:
        Thread(target=task, args=plans, name="search", daemon=True).start()
    else:
        task.delay(*plans)


def forget_every_day() -> None:
    """On a laptop, which has no beat, start a thread that deletes expired data now and then once a day."""
    if current_app.conf.task_always_eager:
        Thread(target=forget_again_and_again, name="forget", daemon=True).start()


def forget_again_and_again() -> None:
    while True:
        try:
            current_app.tasks[FORGET]()
        except Exception:  # it is tried again tomorrow
            logger.exception("What has been kept for long enough could not be forgotten.")
        finally:
            connections.close_all()
        sleep(A_DAY)
