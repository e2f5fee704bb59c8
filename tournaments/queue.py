"""Asks for jobs. The tasks are named, not imported: who writes stands below tasks.

Standings are asked for once the change that calls for them is committed. A broker that is down costs the request
nothing, and one that says nothing costs it once; the sweep finds the session later.
"""

from threading import Thread
from time import monotonic

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

COMPUTE = "tournaments.tasks.compute_standings"
SEARCH = "tournaments.tasks.search_plans"
LEFT_ALONE = 5.0  # seconds


class Broker:
    """Whether it was silent a moment ago: a table sends many results at once, and waits for them all."""

    def __init__(self) -> None:
        self.left_alone_until = 0.0

    def ask_for_standings(self, session_id: int) -> None:
        began = monotonic()
        if began < self.left_alone_until:
            return
        try:
            current_app.tasks[COMPUTE].delay(session_id)
        except OperationalError:
            if monotonic() - began > 0.5:
                self.left_alone_until = monotonic() + LEFT_ALONE
            raise


broker = Broker()


def queue_standings(session_id: int) -> None:
    transaction.on_commit(lambda: broker.ask_for_standings(session_id), robust=True)


def queue_search(question: tuple[int, ...]) -> None:
    """A search for plans, by a worker; on a laptop, which has none, by a thread of the process."""
    task = current_app.tasks[SEARCH]
    if current_app.conf.task_always_eager:
        Thread(target=task, args=question, name="search", daemon=True).start()
    else:
        task.delay(*question)
