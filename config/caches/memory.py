"""The cache in the memory of a laptop's process, for what must not be lost: counters of wrong passwords, and locks."""

import time
from collections.abc import Callable

from django.core.cache.backends.locmem import LocMemCache


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
