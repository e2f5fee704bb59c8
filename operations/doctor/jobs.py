"""The doctor's examination of jobs (the subjects `queues`, `workers` and `beat`).

On a laptop, the process of the site does all jobs itself.
"""

from collections.abc import Iterator

from django.conf import settings
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from operations.doctor.findings import SiteFinding, say_seconds, tell_error, tell_good, tell_warning
from operations.queues import find_workers, late_after, make_redis_client, read_queues, say_how_to_start
from tournaments.queue import age_of_tick

IN_PROCESS = "The process of the site does it."
UNKNOWN = tell_error("Redis does not tell.", "Nobody knows whether jobs run.", "See the finding about Redis.")
MOST_WAITING = 1000


def examine_queues() -> Iterator[SiteFinding]:
    """Yield, for each queue, how many jobs wait. Jobs that wait for too long are a warning."""
    if not settings.REDIS_URL:
        yield tell_good(IN_PROCESS)
        return
    try:
        with make_redis_client() as client:
            queues = read_queues(client)
    except RedisError:
        yield UNKNOWN
        return
    for each in queues:
        what = f"{each.name}: {each.waiting} jobs wait, the oldest for {say_seconds(each.oldest)}."
        remedy = f"Start a worker for the queue {each.name}, or a second one."
        if each.oldest > late_after() or each.waiting > MOST_WAITING:
            yield tell_warning(what, settings.JOB_QUEUES[each.name].waits, remedy)
        else:
            yield tell_good(what if each.waiting else f"{each.name}: no job waits.")


def examine_workers() -> Iterator[SiteFinding]:
    """Yield, for each queue, whether a worker takes its jobs."""
    if not settings.REDIS_URL:
        yield tell_good(IN_PROCESS)
        return
    try:
        taken = find_workers()
    except (RedisError, OperationalError, OSError):
        yield UNKNOWN
        return
    for name, workers in taken.items():
        if workers:
            yield tell_good(f"{name}: {len(workers)} workers.")
        else:
            queue = settings.JOB_QUEUES[name]
            make = tell_error if queue.is_needed else tell_warning
            yield make(f"No worker takes the queue {name}.", queue.waits, say_how_to_start(name))


def examine_beat() -> Iterator[SiteFinding]:
    """Yield whether Celery's beat is alive. Beat sends a job every few seconds, and that job stores the time."""
    if not settings.REDIS_URL:
        yield tell_good(IN_PROCESS)
        return
    try:
        age = age_of_tick()
    except RedisError:
        yield UNKNOWN
        return
    what = "No tick is known." if age is None else f"Its last tick was {say_seconds(age)} ago."
    if age is not None and age <= late_after():
        yield tell_good(what)
        return
    why = "Lost jobs are not found again, rankings do not become official, old data is not deleted."
    remedy = f"Start one beat, `{settings.COMMAND} beat`, and a worker for the queue rest. Then wait a minute."
    yield tell_error(what, why, remedy)
