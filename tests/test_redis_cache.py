"""The cache in Redis: it uses one client for all its commands."""

import redis
from django.core.cache import caches


def test_cache_makes_one_client_for_all_its_commands(monkeypatch):
    made = []
    cache = caches.create_connection("default")
    monkeypatch.setattr(cache._cache, "_client", lambda **given: made.append(redis.Redis(**given)) or made[-1])
    cache.set("a", 1)
    assert [cache.get("a"), cache.get("b"), cache.add("a", 5), cache.incr("a")] == [1, None, False, 2]
    assert cache.get_many(["a", "b"]) == {"a": 2}
    assert len(made) == 1
