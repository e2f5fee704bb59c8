"""The Redis cache of the site. It uses one Redis client for all commands."""

from functools import cached_property
from typing import Any

from django.core.cache.backends import redis


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
