"""The answer to a desk that asks whether rankings wait: it comes from the oldest job in Redis, kept for seconds."""

import pytest

from tests.services.waiting import wait_until
from tournaments import queue
from tournaments.queue import ASK_AGAIN, LATE, JobHealth
from tournaments.tasks import compute_standings


class Clock:
    """The two clocks of the queue, set forward."""

    def __init__(self, monkeypatch):
        self.ahead = 0.0
        for name in ("time", "monotonic"):
            real = getattr(queue, name)
            monkeypatch.setattr(queue, name, lambda real=real: real() + self.ahead)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_rankings_wait_once_no_worker_takes_their_job(start_worker, redis_server, clock):
    health = JobHealth()
    assert not health.rankings_wait()
    compute_standings.apply_async((1,))
    wait_until(lambda: redis_server.client.llen("standings") == 1, what="the job to be queued")
    clock.ahead = ASK_AGAIN + 1
    assert not health.rankings_wait()
    clock.ahead = LATE + ASK_AGAIN
    assert health.rankings_wait()
    redis_server.client.delete("standings")  # as a worker does that takes it
    assert health.rankings_wait(), "the last answer is kept for some seconds"
    clock.ahead += ASK_AGAIN
    assert not health.rankings_wait()


def test_rankings_wait_while_redis_is_away(redis_server, clock):
    health = JobHealth()
    assert not health.rankings_wait()
    redis_server.stop()
    clock.ahead = ASK_AGAIN
    assert health.rankings_wait()
    redis_server.start()
    clock.ahead = 2 * ASK_AGAIN
    assert not health.rankings_wait()


def test_rankings_never_wait_on_a_laptop(redis_server, settings):
    settings.REDIS_URL = ""
    redis_server.stop()
    assert not JobHealth().rankings_wait()


def test_rankings_never_wait_where_jobs_run_in_the_process(monkeypatch):
    monkeypatch.setattr(queue.cache._cache, "get_client", None)  # not called
    assert not JobHealth().rankings_wait()
