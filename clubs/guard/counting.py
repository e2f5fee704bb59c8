"""Counters of tries, each for a window of time: how many there were, and whether another one may follow.

They are kept in the cache, which is the process on a laptop. Where the cache is down nothing is counted, and the doors
stay open rather than fail. A window is a number of the clock's: a clock that falls back finds another window, so that
nobody waits for the time that it has lost.
"""

import logging
import math
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from redis import RedisError

from clubs.guard.addresses import Asked, counted_address

logger = logging.getLogger(__name__)
WINDOW, MINUTE, DAY = 10, 60, 86_400  # seconds
LONGER = 60  # seconds for which a counter outlives its window, so that none is lost within it


class Count(NamedTuple):
    """A counter: what is tried, whose tries they are, and how many may be made within so many seconds."""

    what: str
    whose: str
    most: int
    seconds: int = WINDOW

    def key(self, now: float) -> str:
        """Return the counter's name in the cache; what somebody typed is in it as a digest alone."""
        whose = sha256(self.whose.encode(errors="replace")).hexdigest()[:32]
        return f"tries:{self.what}:{self.seconds}:{int(now // self.seconds)}:{whose}"

    def seconds_left(self) -> int:
        """Return after how many seconds the window is over."""
        return max(1, math.ceil(self.seconds - clock() % self.seconds))


def clock() -> float:
    """Return the seconds by which windows are numbered."""
    return timezone.now().timestamp()


def find_full(counts: Sequence[Count]) -> Count | None:
    """Return the counter that is full and stays so the longest; None where another try may be made."""
    now = clock()
    keys = {count.key(now): count for count in counts}
    try:
        found = cache.get_many(keys)
    except RedisError:
        logger.warning("the cache is down: tries of %s are not counted", counts[0].what)
        return None
    full = [count for key, count in keys.items() if found.get(key, 0) >= count.most]
    return max(full, key=lambda count: count.seconds, default=None)


def note_tries(counts: Iterable[Count]) -> None:
    """Count one more try in each of the counters."""
    now = clock()
    try:
        for count in counts:
            add_one(count.key(now), count.seconds + LONGER)
    except RedisError:
        logger.warning("the cache is down: a try was not counted")


def add_one(key: str, seconds: int) -> None:
    cache.add(key, 0, seconds)
    try:
        cache.incr(key)
    except ValueError:  # it went in between
        cache.set(key, 1, seconds)


def has_tries(what: str, request: Asked, *, most: int, whose: str = "", seconds: int = MINUTE) -> bool:
    """Return whether this address, or `whose` it is wherever the request comes from, has done `what` less often than
    that in this window (`note_failed`)."""
    return find_full([count_of(what, request, most=most, whose=whose, seconds=seconds)]) is None


def note_failed(what: str, request: Asked, *, whose: str = "", seconds: int = MINUTE) -> None:
    """Count that this address, or `whose` it is, has done `what` once more."""
    note_tries([count_of(what, request, whose=whose, seconds=seconds)])


def count_of(what: str, request: Asked, *, most: int = 0, whose: str = "", seconds: int = MINUTE) -> Count:
    return Count(what, whose or counted_address(request) or "", most, seconds)


def answer_too_often(request: HttpRequest) -> HttpResponse:
    return render(request, "429.html", status=429)
