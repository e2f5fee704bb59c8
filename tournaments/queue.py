"""Asks for standings to be computed, once the change that calls for it is committed.

The task is named, not imported: services stay below tasks. A broker that is down costs the request nothing; the sweep
finds the session later.
"""

from celery import current_app
from django.db import transaction

COMPUTE = "tournaments.tasks.compute_standings"


def queue_standings(session_id: int) -> None:
    transaction.on_commit(lambda: current_app.tasks[COMPUTE].delay(session_id), robust=True)
