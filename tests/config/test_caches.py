"""The caches: what must not be lost has one of its own, and the cache in Redis uses one client for all its commands."""

import pytest
import redis
from django.core.cache import caches

from clubs.guard import Count, find_full, note_tries
from clubs.guard.counting import DAY
from config.caches import FirstExpired
from rooms.classic.watching import note_due
from tests.config.test_settings import SERVER, read


@pytest.fixture
def caches_of_a_laptop(settings, tmp_path):
    settings.CACHES = read(VAR_DIR=str(tmp_path)).CACHES
    for name in settings.CACHES:
        caches[name].clear()
    yield
    for name in settings.CACHES:
        caches[name].clear()


def test_rooms_that_fill_their_cache_on_a_laptop_empty_no_counter(caches_of_a_laptop):
    wrong = Count("log_in", "account 1", 1, DAY)
    note_tries([wrong])
    for number in range(12_000):
        note_due(f"{number:012x}", None)
    assert find_full([wrong]) == wrong


def test_full_memory_removes_expired_keys_before_any_other():
    cache = FirstExpired("few", {"OPTIONS": {"MAX_ENTRIES": 6}})
    cache.clear()
    cache.set("a-day", 1, DAY)
    for number in range(5):
        cache.set(f"a-moment-{number}", 1, 0)
    cache.set("another-day", 1, DAY)
    assert cache.get_many(["a-day", "another-day"]) == {"a-day": 1, "another-day": 1}
    for number in range(5):
        cache.set(f"a-long-day-{number}", 1, DAY)
    assert len(cache._cache) == 5


def test_server_may_have_a_second_redis_for_what_can_be_made_again():
    both = SERVER | {"PAGES_REDIS_URL": "redis://pages:6379/0"}
    found = {name: cache.get("LOCATION") for name, cache in read(**both).CACHES.items()}
    second = "redis://pages:6379/0"
    assert found == {"default": SERVER["REDIS_URL"], "pages": second, "computed": second, "process": "process"}
    assert SERVER["REDIS_URL"] == read(**both).CELERY_BROKER_URL
    assert {cache["LOCATION"] for cache in read(**SERVER).CACHES.values()} == {SERVER["REDIS_URL"], "process"}


def test_cache_makes_one_client_for_all_its_commands(monkeypatch):
    made = []
    cache = caches.create_connection("default")
    monkeypatch.setattr(cache._cache, "_client", lambda **given: made.append(redis.Redis(**given)) or made[-1])
    cache.set("a", 1)
    assert [cache.get("a"), cache.get("b"), cache.add("a", 5), cache.incr("a")] == [1, None, False, 2]
    assert cache.get_many(["a", "b"]) == {"a": 2}
    assert len(made) == 1
