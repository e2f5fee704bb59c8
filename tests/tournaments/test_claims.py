"""The claims of jobs: one job at a time, for as long as it works, and not much longer than its worker lives."""

from threading import Event
from time import sleep

import pytest
from django.core.cache import cache
from redis.exceptions import RedisError

from tests.services.waiting import wait_until
from tournaments import job_health
from tournaments.job_health import claim_key, hold_claim

KEY = claim_key("work")


@pytest.fixture
def is_brief(monkeypatch):
    """Let claims live for a second without their worker, and be renewed every twentieth of it."""
    monkeypatch.setattr(job_health, "LIFE", 1)
    monkeypatch.setattr(job_health, "RENEWED_EVERY", 0.05)


@pytest.fixture(autouse=True)
def no_claim():
    cache.delete(KEY)


def test_claim_ends_half_a_minute_after_its_worker():
    assert job_health.LIFE == 30
    assert 2 * job_health.RENEWED_EVERY < job_health.LIFE, "a renewal may fail once"


def test_second_job_gets_no_claim_until_the_first_one_ends():
    with hold_claim("work") as first:
        with hold_claim("work") as second, hold_claim("other") as other:
            assert (first, second, other) == (True, False, True)
        with hold_claim("work") as third:
            assert third is False, "a job that got nothing must end no claim"
    with hold_claim("work") as fourth:
        assert fourth is True


def test_job_that_fails_gives_its_claim_back():
    with pytest.raises(ZeroDivisionError), hold_claim("work"):
        _ = 1 / 0
    assert cache.get(KEY) is None


def test_claim_is_renewed_while_its_job_works(is_brief):
    with hold_claim("work"):
        client, key = cache._cache.get_client(), cache.make_key(KEY)
        client.pexpire(key, 300)
        wait_until(lambda: client.pttl(key) > 300, 5, "the claim to be renewed")


def test_claim_whose_worker_is_gone_ends_by_itself(is_brief, monkeypatch):
    monkeypatch.setattr(job_health, "keep_claim", lambda *_given: None)  # as if its process had been killed
    with hold_claim("work"):
        wait_until(lambda: cache.get(KEY) is None, 5, "the claim to end")
        cache.set(KEY, "another job", 60)
    assert cache.get(KEY) == "another job", "a job that has lost its claim must not end the new one"


def test_claim_that_the_cache_has_lost_is_taken_again(is_brief):
    with hold_claim("work"):
        cache.delete(KEY)
        wait_until(lambda: cache.get(KEY) is not None, 5, "the claim to be taken again")


def test_claim_is_not_taken_again_by_a_renewal_that_ends_after_its_job(monkeypatch):
    renewed = Event()

    def renew_late(store, key, token, over):
        over.wait()
        sleep(0.02)
        store.add(key, token, job_health.LIFE)
        renewed.set()

    monkeypatch.setattr(job_health, "keep_claim", renew_late)
    with hold_claim("work"):
        cache.delete(KEY)
    assert renewed.wait(5)
    assert cache.get(KEY) is None


def test_job_without_a_cache_does_nothing(monkeypatch):
    class Away:
        def add(self, *_given):
            raise RedisError

    monkeypatch.setattr(job_health, "caches", {"default": Away()})
    with hold_claim("work") as held:
        assert held is False
