"""The Celery application. It reads every CELERY_ setting of config.settings and finds the tasks of each app."""

import os
import sys
from functools import partial
from time import time
from typing import Any

from celery import Celery
from celery.signals import before_task_publish, task_prerun, worker_init
from django.core.management.base import CommandError

import config.broker  # noqa: F401  (mends kombu's transport, of whoever asks for jobs and of workers)
from config.alive import Alive
from config.logs import NONE, request_id
from tournaments.queue import ASKED_AT

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


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
