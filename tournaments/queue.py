"""Asks for jobs. The tasks are named, not imported: who writes stands below tasks.

Standings are asked for once the change that calls for them is committed. Of one session they are asked for once until a
job takes the question: it comes after every change that was committed by then, and not before the pause after the last
computation is over. A broker that is down costs the request nothing, and one that says nothing costs it once; the sweep
finds the session later.
"""

import logging
from contextlib import suppress
from threading import Condition, Thread
from time import monotonic, time

from celery import current_app
from django.core.cache import cache
from django.db import connections, transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

COMPUTE = "tournaments.tasks.compute_standings"
SEARCH = "tournaments.tasks.search_plans"
LEFT_ALONE = 5.0  # seconds
PAUSE = 1.0  # seconds between two computations of one session
FORGOTTEN = 30  # seconds, after which a question that no job has taken is asked again

logger = logging.getLogger(__name__)


class Broker:
    """Whether it was silent a moment ago: a table sends many results at once, and waits for them all."""

    def __init__(self) -> None:
        self.left_alone_until = 0.0

    def ask_for_standings(self, session_id: int) -> None:
        began = monotonic()
        if began < self.left_alone_until:
            return
        try:
            if cache.add(question(session_id), True, FORGOTTEN):
                current_app.tasks[COMPUTE].apply_async((session_id,), countdown=rest_of_pause(session_id))
        except (OperationalError, RedisError):
            if monotonic() - began > 0.5:
                self.left_alone_until = monotonic() + LEFT_ALONE
            take_question(session_id)
            raise


class Background:
    """A thread of this process in a worker's place: one session after the other, none twice within `PAUSE`."""

    def __init__(self) -> None:
        self.turns: dict[int, float] = {}  # by session, in the order in which they were asked for: not before when
        self.computed: dict[int, float] = {}
        self.changed = Condition()
        self.thread: Thread | None = None

    def ask_for_standings(self, session_id: int) -> None:
        with self.changed:
            self.turns.setdefault(session_id, self.computed.get(session_id, -PAUSE) + PAUSE)
            if self.thread is None:
                self.thread = Thread(target=self.work, name="standings", daemon=True)
                self.thread.start()
            self.changed.notify()

    def work(self) -> None:
        while True:
            session_id = self.next_turn()
            try:
                current_app.tasks[COMPUTE](session_id)
            except Exception:  # the next one has its turn all the same
                logger.exception("The standings of session %s could not be computed.", session_id)
            finally:
                connections.close_all()

    def next_turn(self) -> int:
        with self.changed:
            while True:
                now = monotonic()
                due = next((session_id for session_id, when in self.turns.items() if when <= now), None)
                if due is not None:
                    del self.turns[due]
                    self.computed[due] = now
                    return due
                self.changed.wait(min(self.turns.values()) - now if self.turns else None)


class InPlace:
    """The request computes before it answers: for commands, and for tests."""

    def ask_for_standings(self, session_id: int) -> None:
        current_app.tasks[COMPUTE].delay(session_id)


broker = Broker()
without_worker: InPlace | Background = InPlace()


def compute_in_background() -> None:
    """For a process that serves: where no worker is, nobody who enters a result waits for standings."""
    global without_worker
    without_worker = Background()


def queue_standings(session_id: int) -> None:
    transaction.on_commit(lambda: ask_for_standings(session_id), robust=True)


def ask_for_standings(session_id: int) -> None:
    (without_worker if current_app.conf.task_always_eager else broker).ask_for_standings(session_id)


def take_question(session_id: int) -> None:
    """What is committed from now on is asked for anew."""
    with suppress(RedisError):
        cache.delete(question(session_id))


def begin_pause(session_id: int) -> None:
    """A computation begins: the next one of the session is asked for in such a way that it need not come back."""
    with suppress(RedisError):
        cache.set(beginning(session_id), time(), FORGOTTEN)


def rest_of_pause(session_id: int) -> float:
    """Seconds; by the clock of whoever computed last, so never more than a pause."""
    began: float = cache.get(beginning(session_id), 0.0)
    return min(PAUSE, max(0.0, began + PAUSE - time()))


def question(session_id: int) -> str:
    return f"standings-asked-{session_id}"


def beginning(session_id: int) -> str:
    return f"standings-begun-{session_id}"


def queue_search(plans: tuple[int, ...]) -> None:
    """A search for plans, by a worker; on a laptop, which has none, by a thread of the process."""
    task = current_app.tasks[SEARCH]
    if current_app.conf.task_always_eager:
        Thread(target=task, args=plans, name="search", daemon=True).start()
    else:
        task.delay(*plans)
