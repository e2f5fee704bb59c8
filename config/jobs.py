"""What every job of a worker has, whatever it does: patience with the database, and a limit to its tries.

A message that is acknowledged late comes back where its worker was lost, and the sweep asks again for what a job has
left undone. So a job that comes to no end, or ends its worker each time, would be tried for ever, and nothing else
beside it. After three such tries it is left alone: for half a minute, then longer each time, for an hour at most.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from celery import Task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.cache import cache
from django.db import InterfaceError, OperationalError
from redis.exceptions import RedisError

from config.patience import Patience, patience

TRIES = 3  # after so many without an end a job is left alone
SHORTEST, LONGEST = 30, 3600  # seconds for which it is left alone
A_DAY = 86_400  # seconds in which tries without an end are remembered

logger = logging.getLogger(__name__)


class Job(Task):  # type: ignore[misc]
    """A task of a worker; called within a request or by a laptop's thread it has the patience alone."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with job_patience():
            if self.request.called_directly or self.request.is_eager:
                return self.run(*args, **kwargs)
            return self.run_within_limits(*args, **kwargs)

    def run_within_limits(self, *args: Any, **kwargs: Any) -> Any:
        """Run the job unless it is left alone; say in one line what has ended it early."""
        told = "-".join(map(str, (self.name, *args)))
        tries = Tries(told)
        if tries.are_over:
            logger.warning("%s came to no end again and again: it is left alone for now.", told)
            return None
        tries.begin(limit=self.time_limit or 0)
        try:
            done = self.run(*args, **kwargs)
        except SoftTimeLimitExceeded:
            tries.leave_alone()
            seconds = self.soft_time_limit or 0
            logger.error("%s was ended after %g s: what it left undone is asked for again.", told, seconds)
            return None
        except MemoryError:  # Celery would end the whole worker
            tries.leave_alone()
            logger.error("%s ran out of memory: what it left undone is asked for again.", told)
            return None
        except (OperationalError, InterfaceError) as error:
            tries.forget()
            reason = str(error).partition("\n")[0]
            logger.error("%s was not done: %s. What it left undone is asked for again.", told, reason)
            return None
        except Exception:
            tries.forget()
            raise
        tries.forget()
        return done


class Tries:
    """How often a job was begun since it last came to an end. Where the cache is down nothing is counted."""

    def __init__(self, job: str) -> None:
        self.begun, self.over = f"{job}-tries", f"{job}-left-alone"
        self.count = 0

    @property
    def are_over(self) -> bool:
        """Whether the job is left alone at this moment."""
        with suppress(RedisError):
            return bool(cache.get(self.over))
        return False

    def begin(self, *, limit: float) -> None:
        """Count a try before it is made, for who ends its worker says nothing afterwards. `limit`: seconds after which
        the try is over in any case."""
        with suppress(RedisError):
            self.count = cache.get(self.begun, 0) + 1
            cache.set(self.begun, self.count, A_DAY)
            self.leave_alone(limit)

    def leave_alone(self, limit: float = 0) -> None:
        """Leave the job alone for a while if this was one try too many."""
        if self.count >= TRIES:
            with suppress(RedisError):
                cache.set(self.over, True, limit + min(LONGEST, SHORTEST * 2 ** (self.count - TRIES)))

    def forget(self) -> None:
        """The job came to an end, by itself or by an error."""
        with suppress(RedisError):
            cache.delete_many([self.begun, self.over])


@contextmanager
def job_patience() -> Iterator[None]:
    """Surround a job: it waits JOB_DATABASE_SECONDS for a silent database; within a request, what is left to that."""
    if patience.get() is not None:
        yield
        return
    token = patience.set(Patience(settings.JOB_DATABASE_SECONDS))
    try:
        yield
    finally:
        patience.reset(token)
