"""The queues of which a desk says that they wait: by their oldest jobs in Redis, kept for seconds."""

import pytest
from django.core.cache import cache

from jobs.tasks import compute_standings, mail_feuilles
from tests.services.waiting import wait_until
from tournaments import job_health, queue
from tournaments.job_health import ASK_AGAIN, LATE, SILENT, JobHealth

pytestmark = pytest.mark.nightly("race")


class Clock:
    """The two clocks of the queue, set forward."""

    def __init__(self, monkeypatch):
        self.ahead = 0.0
        for module, name in ((queue, "time"), (job_health, "monotonic")):
            real = getattr(module, name)
            monkeypatch.setattr(module, name, lambda real=real: real() + self.ahead)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def test_rankings_wait_once_no_worker_takes_their_job(start_worker, redis_server, clock):
    health = JobHealth()
    assert health.find_waiting() == ()
    compute_standings.apply_async((1,))
    wait_until(lambda: redis_server.client.llen("standings") == 1, what="the job to be queued")
    clock.ahead = ASK_AGAIN + 1
    assert health.find_waiting() == ()
    clock.ahead = LATE["standings"] + ASK_AGAIN
    assert health.find_waiting() == ("standings",)
    redis_server.client.delete("standings")  # as a worker does that takes it
    assert health.find_waiting() == ("standings",), "the last answer is kept for some seconds"
    clock.ahead += ASK_AGAIN
    assert health.find_waiting() == ()


def test_rankings_wait_while_redis_is_away(redis_server, clock):
    health = JobHealth()
    assert health.find_waiting() == ()
    redis_server.stop()
    clock.ahead = ASK_AGAIN
    assert health.find_waiting() == ("standings",)
    redis_server.start()
    clock.ahead = 2 * ASK_AGAIN
    assert health.find_waiting() == ()


def test_rankings_never_wait_on_a_laptop(redis_server, settings):
    settings.REDIS_URL = ""
    redis_server.stop()
    assert JobHealth().find_waiting() == ()


def test_rankings_never_wait_where_jobs_run_in_the_process(monkeypatch):
    monkeypatch.setattr(queue.cache._cache, "get_client", None)  # not called
    assert JobHealth().find_waiting() == ()


def test_mails_wait_while_the_mail_server_is_left_alone(redis_server, settings, clock):
    settings.MAIL = True
    health = JobHealth()
    assert health.find_waiting() == ()
    cache.set(SILENT, True, 60)
    clock.ahead = ASK_AGAIN
    assert health.find_waiting() == ("mails",)


def test_queue_that_no_worker_takes_is_named(redis_server, start_worker, clock):
    mail_feuilles.apply_async((1,), queue="mails")
    wait_until(lambda: redis_server.client.llen("mails") == 1, what="the job to be queued")
    clock.ahead = LATE["mails"] - 10
    assert JobHealth().find_waiting() == ()
    clock.ahead = LATE["mails"] + 10
    assert JobHealth().find_waiting() == ("mails",)
    redis_server.client.delete("mails")
