"""The settings of the caches. On a server they are in Redis, on a laptop in the memory of the process.

What must not be lost is in the cache `default`: counters of wrong passwords and codes, locks, the state of jobs. What
can be made again has caches of its own, and so removes nothing from there. `pages` has finished pages, `computed` has
other values for all processes, and `process` has values of one process, which need no query to Redis.
"""

from typing import Any

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
    lasting = memory_cache("", MOST_LASTING) | {"BACKEND": "config.caches.memory.FirstExpired"}
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
        "BACKEND": "config.caches.redis.RedisCache",
        "LOCATION": url.replace("redis+socket://", "unix://").split("?")[0],
        "OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1},
    }
