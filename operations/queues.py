"""The jobs in Redis: how many wait in each queue, how long the oldest one has waited, and the counts of ended jobs."""

from contextlib import suppress
from typing import Any, NamedTuple, cast

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from redis import Redis
from redis.exceptions import RedisError

from tournaments.queue import read_age_of_message


class QueueState(NamedTuple):
    """The state of a queue. `oldest`: for how many seconds the oldest job has waited; 0 if none waits or if unknown."""

    name: str
    waiting: int
    oldest: float


def make_redis_client(seconds: float = 2.0, *, cache: str = "default") -> "Redis":
    """Return a new client for the Redis of a cache. It gives up a command after this number of seconds."""
    url = settings.CACHES[cache]["LOCATION"]
    return Redis.from_url(url, socket_timeout=seconds, socket_connect_timeout=seconds)


def read_queues(client: "Redis") -> list[QueueState]:
    """Return the state of each queue. The oldest job is the last one of a list in Redis."""
    pipeline = client.pipeline(transaction=False)
    for name in settings.CELERY_TASK_QUEUES:
        pipeline.llen(name)
        pipeline.lindex(name, -1)
    replies = pipeline.execute()
    states = zip(settings.CELERY_TASK_QUEUES, replies[::2], replies[1::2], strict=True)
    return [QueueState(name, waiting, read_age_of_message(message)) for name, waiting, message in states]


def find_workers() -> dict[str, list[str]]:
    """Return the names of the workers that take each queue. Raise `RedisError`, `OperationalError` or `OSError`."""
    queues_of_workers = current_app.control.inspect(timeout=2).active_queues() or {}
    return {name: [worker for worker, queues in queues_of_workers.items() if name in {each["name"] for each in queues}]
            for name in settings.CELERY_TASK_QUEUES}  # fmt: skip


def say_how_to_start(queue: str) -> str:
    """Return the sentence that says how to start the worker of a queue."""
    by_hand = f"{settings.COMMAND} worker --queues {queue}"
    return f"Start one: `{by_hand}`, or `systemctl enable --now topage-worker@{queue}`."


def late_after() -> float:
    """Return the age in seconds after which a waiting job, or the last tick of beat, is late."""
    return 1.5 * float(settings.SWEEP_EXPIRES)


KEY = "figures-jobs"
DONE, FAILED, UNDONE, PAUSED = "done", "failed", "undone", "paused"


def count_job(name: str, outcome: str, seconds: float) -> None:
    """Count a job of a worker.

    Do nothing if METRICS_TOKEN is not set, if there is no Redis, or if Redis does not answer.
    """
    if not settings.METRICS_TOKEN or not settings.REDIS_URL:
        return
    with suppress(RedisError):
        pipeline = job_client().pipeline(transaction=False)
        pipeline.hincrby(KEY, f"{name} {outcome}", 1)
        pipeline.hincrbyfloat(KEY, f"{name} seconds", seconds)
        pipeline.execute()


def read_job_counts() -> dict[tuple[str, str], float]:
    """Return the counts by name and outcome. The outcome `seconds` has the time of all jobs of that name."""
    counts = job_client().hgetall(KEY)
    return {tuple(key.decode().split(" ")): float(value) for key, value in counts.items()}


def job_client() -> Any:
    """Return the Redis client of the cache, which takes its connections from a pool."""
    return cast(Any, cache)._cache.get_client()
