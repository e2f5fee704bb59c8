"""The Celery application. It reads every CELERY_ setting of config.settings and finds the tasks of each app."""

import os
import sys
from functools import partial
from time import time
from typing import Any

from celery import Celery
from celery.signals import before_task_publish, worker_init
from django.core.management.base import CommandError

import config.broker  # noqa: F401  (mends kombu's transport, of whoever asks for jobs and of workers)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


app = Celery("topage", task_cls="config.jobs:Job")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A worker may wait for a silent broker. A request that queues a job waits one second at most.
app.connection_for_write = partial(app.connection_for_write, transport_options={"socket_timeout": 1})


@before_task_publish.connect  # type: ignore[untyped-decorator]
def note_moment(headers: dict[str, Any], **_signal: object) -> None:
    """Tell in each job's message when it was sent, so that the age of the oldest job in a queue is known."""
    headers["asked_at"] = time()


@worker_init.connect  # type: ignore[untyped-decorator]
def refuse_unready_database(**_signal: object) -> None:
    """End a worker whose database is not ready. Otherwise each of its jobs would fail."""
    from tournaments.management.database import check_database  # imported here: the apps must be ready first
    from tournaments.management.presence import hold_presence

    try:
        hold_presence()
        check_database()
    except CommandError as error:
        sys.exit(str(error))
