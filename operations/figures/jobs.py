"""The counts of jobs. Workers may run on other machines. So the counts are in Redis, which all of them use."""

from contextlib import suppress
from typing import Any, cast

from django.conf import settings
from django.core.cache import cache
from redis.exceptions import RedisError

KEY = "figures-jobs"
DONE, FAILED, UNDONE, PAUSED = "done", "failed", "undone", "paused"


def count_job(name: str, outcome: str, seconds: float) -> None:
    """Count a job of a worker.

    Do nothing if METRICS_TOKEN is not set, if there is no Redis, or if Redis does not answer.
    """
    if not settings.METRICS_TOKEN or not settings.REDIS_URL:
        return
    with suppress(RedisError):
        asked = job_client().pipeline(transaction=False)
        asked.hincrby(KEY, f"{name} {outcome}", 1)
        asked.hincrbyfloat(KEY, f"{name} seconds", seconds)
        asked.execute()


def read_job_counts() -> dict[tuple[str, str], float]:
    """Return the counts by name and outcome. The outcome `seconds` has the time of all jobs of that name."""
    told = job_client().hgetall(KEY)
    return {tuple(key.decode().split(" ")): float(value) for key, value in told.items()}


def job_client() -> Any:
    """Return the Redis client of the cache, which takes its connections from a pool."""
    return cast(Any, cache)._cache.get_client()
