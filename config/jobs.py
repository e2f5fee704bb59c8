"""The base of all jobs of a worker: how long a job waits for the database, and how often it is tried again."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from typing import Any

from celery import Task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from redis.exceptions import RedisError

from config.patience import Patience, patience
from operations.queues import DONE, FAILED, PAUSED, UNDONE, count_job
from operations.stack import give_room

TRIES = 3  # the number of unfinished tries after which the job is paused
SHORTEST, LONGEST = 30, 3600  # seconds of a pause
A_DAY = 86_400  # seconds for which unfinished tries are remembered

logger = logging.getLogger(__name__)


class Job(Task):  # type: ignore[misc]
    """A task of a worker.

    If code calls the task directly, in a request or in a thread on a laptop, it is never paused. `job_patience` says
    how long it waits for the database.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with job_patience():
            if self.request.called_directly or self.request.is_eager:
                return self.run(*args, **kwargs)
            return give_room(self.run_within_limits)(*args, **kwargs)

    def run_within_limits(self, *args: Any, **kwargs: Any) -> Any:
        """Run the job unless it is paused. If it ends early, log the reason in one line."""
        key = "-".join(map(str, (self.name, *args)))
        tries = Tries(key)
        if tries.are_over:
            logger.warning("%s came to no end again and again: it is left alone for now.", key)
            count_job(self.name, PAUSED, 0)
            return None
        tries.begin(limit=self.time_limit or 0)
        began, outcome = monotonic(), UNDONE
        try:
            done = self.run(*args, **kwargs)
            outcome = DONE
        except SoftTimeLimitExceeded:
            tries.leave_alone()
            seconds = self.soft_time_limit or 0
            logger.error("%s was ended after %g s: what it left undone is asked for again.", key, seconds)
            return None
        except MemoryError:  # otherwise Celery ends the whole worker
            tries.leave_alone()
            logger.error("%s ran out of memory: what it left undone is asked for again.", key)
            return None
        except (OperationalError, InterfaceError) as error:
            tries.forget()
            reason = str(error).partition("\n")[0]
            logger.error("%s was not done: %s. What it left undone is asked for again.", key, reason)
            return None
        except Exception:
            outcome = FAILED
            tries.forget()
            raise
        finally:
            count_job(self.name, outcome, monotonic() - began)
        tries.forget()
        return done


class Tries:
    """The tries of a job since it last succeeded or failed with an error. Without the cache, nothing is counted."""

    def __init__(self, job: str) -> None:
        self.begun, self.over = f"{job}-tries", f"{job}-left-alone"
        self.count = 0

    @property
    def are_over(self) -> bool:
        """True while the job is paused."""
        with suppress(RedisError):
            return bool(cache.get(self.over))
        return False

    def begin(self, *, limit: float) -> None:
        """Count a try before it begins: a try that kills its worker cannot be counted afterwards.

        `limit`: the number of seconds after which the try is over in any case.
        """
        with suppress(RedisError):
            self.count = cache.get(self.begun, 0) + 1
            cache.set(self.begun, self.count, A_DAY)
            self.leave_alone(limit)

    def leave_alone(self, limit: float = 0) -> None:
        """Pause the job if it had too many tries. `limit`: seconds that are added to the pause."""
        if self.count >= TRIES:
            with suppress(RedisError):
                cache.set(self.over, True, limit + min(LONGEST, SHORTEST * 2 ** (self.count - TRIES)))

    def forget(self) -> None:
        """Forget all tries, because the job came to an end, by success or by an error."""
        with suppress(RedisError):
            cache.delete_many([self.begun, self.over])


@contextmanager
def job_patience() -> Iterator[None]:
    """Let the code inside wait for the database for at most JOB_DATABASE_SECONDS.

    In a request, the code may wait only for the time that the request has left.
    """
    if patience.get() is not None:
        yield
        return
    token = patience.set(Patience(settings.JOB_DATABASE_SECONDS))
    try:
        yield
    finally:
        patience.reset(token)
