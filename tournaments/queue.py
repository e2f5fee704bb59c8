"""Asks for jobs. The tasks are named, not imported: services stay below tasks.

Standings are asked for once the change that calls for them is committed. A broker that is down costs the request
nothing; the sweep finds the session later.
"""

from threading import Thread

from celery import current_app
from django.db import transaction

COMPUTE = "tournaments.tasks.compute_standings"
SEARCH = "tournaments.tasks.search_plans"


def queue_standings(session_id: int) -> None:
    transaction.on_commit(lambda: current_app.tasks[COMPUTE].delay(session_id), robust=True)


def queue_search(question: tuple[int, ...]) -> None:
    """A search for plans, by a worker; on a laptop, which has none, by a thread of the process."""
    task = current_app.tasks[SEARCH]
    if current_app.conf.task_always_eager:
        Thread(target=task, args=question, name="search", daemon=True).start()
    else:
        task.delay(*question)
