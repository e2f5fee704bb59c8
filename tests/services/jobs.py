"""The jobs for the tests of the worker itself. Every worker of the tests loads them beside the site's own tasks."""

import os
import signal
import time
from pathlib import Path

from celery import shared_task
from django.contrib.auth import get_user_model
from django.db import connection, transaction


@shared_task
def add_user(username: str, seconds: float = 0) -> None:
    """Write a user into the database, `seconds` after the job began."""
    time.sleep(seconds)
    get_user_model().objects.create(username=username)


@shared_task(acks_late=True, soft_time_limit=1, time_limit=600)
def never_end(log: str) -> None:
    """Write a line into the file `log`, and go on until the job is ended."""
    write_line(log)
    while True:
        time.sleep(0.05)


@shared_task(acks_late=True, soft_time_limit=1, time_limit=3)
def never_end_whoever_asks(log: str) -> None:
    """Write a line into the file `log`, and go on through the soft limit."""
    write_line(log)
    while True:
        try:
            time.sleep(0.05)
        except Exception:  # handlers that catch everything do so too
            continue


@shared_task(acks_late=True, soft_time_limit=1, time_limit=600)
def never_end_in_the_database(log: str) -> None:
    """Write a line into the file `log`, and wait in a transaction until the job is ended."""
    write_line(log)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE clubs_club IN ACCESS EXCLUSIVE MODE")
        cursor.execute("SELECT pg_sleep(600)")


@shared_task(acks_late=True, soft_time_limit=60, time_limit=75)
def run_out_of_memory(log: str) -> None:
    """Write a line into the file `log`, and fail like a computation that runs out of memory."""
    write_line(log)
    raise MemoryError


@shared_task(acks_late=True, soft_time_limit=60, time_limit=75)
def end_the_worker(log: str) -> None:
    """Write a line into the file `log`, and kill the worker's process, as a lack of memory does."""
    write_line(log)
    os.kill(os.getpid(), signal.SIGKILL)


def write_line(log: str) -> None:
    with Path(log).open("a") as lines:
        lines.write("begun\n")
