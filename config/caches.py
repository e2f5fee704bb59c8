"""The caches: their settings, and the two kinds of our own. On a server they are in Redis, on a laptop in memory.

What must not be lost is in the cache `default`: counters of wrong passwords and codes, locks, the state of jobs. What
can be made again has caches of its own, and so removes nothing from there. `pages` has finished pages, `computed` has
other values for all processes, and `process` has values of one process, which need no query to Redis.
"""

import time
from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.core.cache.backends import redis
from django.core.cache.backends.locmem import LocMemCache

# One address that types wrong passwords for a whole day makes 173 000 counters.
MOST_LASTING, MOST_COMPUTED, MOST_PAGES = 200_000, 10_000, 300


def configure_caches(redis_url: str, pages_redis_url: str) -> dict[str, Any]:
    """Return the setting CACHES. Without `redis_url` the caches are in the memory of the process.

    `pages_redis_url` is the address of the Redis of what can be made again.
    """
    caches = in_redis(redis_url, pages_redis_url) if redis_url else in_memory()
    return caches | {"process": memory_cache("process", MOST_COMPUTED)}


def in_redis(redis_url: str, pages_redis_url: str) -> dict[str, Any]:
    lasting, second = redis_cache(redis_url), redis_cache(pages_redis_url)
    return {
        "default": lasting,
        "pages": second | {"KEY_PREFIX": "page"},
        "computed": second | {"KEY_PREFIX": "computed"},
    }


def in_memory() -> dict[str, Any]:
    lasting = memory_cache("", MOST_LASTING) | {"BACKEND": "config.caches.FirstExpired"}
    return {
        "default": lasting,
        "pages": memory_cache("pages", MOST_PAGES),
        "computed": memory_cache("computed", MOST_COMPUTED),
    }


def memory_cache(name: str, most: int) -> dict[str, Any]:
    backend = "django.core.cache.backends.locmem.LocMemCache"
    return {"BACKEND": backend, "LOCATION": name, "OPTIONS": {"MAX_ENTRIES": most}}


def redis_cache(url: str) -> dict[str, Any]:
    return {
        "BACKEND": "config.caches.RedisCache",
        "LOCATION": url.replace("redis+socket://", "unix://").split("?")[0],
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }


class FirstExpired(LocMemCache):
    """A cache in memory that removes its expired keys when it is full.

    Django's own cache removes those that nobody has used for the longest time, whether they are expired or not. So
    counters of one minute would remove counters of a day. If no key is expired, this cache does the same.
    """

    _expire_info: dict[str, float | None]
    _delete: Callable[[str], bool]

    def _cull(self) -> None:
        now = time.time()
        expired = [key for key, end in self._expire_info.items() if end is not None and end <= now]
        for key in expired:
            self._delete(key)
        if not expired:
            super()._cull()  # type: ignore[misc]


class OneClient(redis.RedisCacheClient):
    """The part of the cache that sends commands to a server. It uses the same client for all of them.

    Django makes a new client for each command, and making one takes as long as the command itself.
    """

    @cached_property
    def client(self) -> Any:
        """The Redis client. Threads can share it, because it only has a pool of connections."""
        return super().get_client(write=True)

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        """Return the shared client, for reading and for writing."""
        return self.client


class RedisCache(redis.RedisCache):
    """The Redis cache of Django, except that all commands use one client."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = OneClient
