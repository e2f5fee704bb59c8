"""The counters of tries. Each counts in a window of time, and tells whether another try is allowed.

They are kept in the cache; on a laptop, the cache is in the process. If the cache fails, nothing is counted and every
try is allowed. A window has a number computed from the clock. If the clock is set back, another window counts, so
nobody has to wait longer.

The codes are the number of a table, a personal code, the arbiter's code, and the password of a club's registration.
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

from clubs.guard.devices import Asked, counted_address, read_device

logger = logging.getLogger(__name__)
WINDOW, MINUTE, DAY = 10, 60, 86_400  # seconds
LONGER = 60  # a counter stays in the cache for this number of seconds after its window, so that it never ends too early


class Count(NamedTuple):
    """A counter: the kind of tries, who makes them, and the most tries allowed in a number of seconds."""

    what: str
    whose: str
    most: int
    seconds: int = WINDOW

    def key(self, now: float) -> str:
        """Return the key of the counter in the cache. Typed text is in it only as a digest."""
        whose = sha256(self.whose.encode(errors="replace")).hexdigest()[:32]
        return f"tries:{self.what}:{self.seconds}:{int(now // self.seconds)}:{whose}"

    def seconds_left(self) -> int:
        """Return the number of seconds until the window ends."""
        return max(1, math.ceil(self.seconds - clock() % self.seconds))


def clock() -> float:
    """Return the present time in seconds, from which the numbers of windows are computed."""
    return timezone.now().timestamp()


def find_full(counts: Sequence[Count]) -> Count | None:
    """Return the full counter with the longest window, or None if another try is allowed."""
    now = clock()
    keys = {count.key(now): count for count in counts}
    try:
        counters = cache.get_many(keys)
    except RedisError:
        logger.warning("the cache is down: tries of %s are not counted", counts[0].what)
        return None
    full = [count for key, count in keys.items() if counters.get(key, 0) >= count.most]
    return max(full, key=lambda count: count.seconds, default=None)


def note_tries(counts: Iterable[Count]) -> None:
    """Add one try to each of the counters."""
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
    except ValueError:  # the counter ended between the two calls
        cache.set(key, 1, seconds)


def has_tries(what: str, request: Asked, *, most: int, whose: str = "", seconds: int = MINUTE) -> bool:
    """Return whether another try of `what` is allowed for this address: fewer than `most` in this window.

    `note_failed` counts tries. If `whose` is given, the tries of this name are counted, not those of the address.
    """
    return find_full([count_of(what, request, most=most, whose=whose, seconds=seconds)]) is None


def note_failed(what: str, request: Asked, *, whose: str = "", seconds: int = MINUTE) -> None:
    """Count one try of `what` for this address or, if given, for the name `whose`."""
    note_tries([count_of(what, request, whose=whose, seconds=seconds)])


def count_of(what: str, request: Asked, *, most: int = 0, whose: str = "", seconds: int = MINUTE) -> Count:
    return Count(what, whose or counted_address(request) or "", most, seconds)


def answer_too_often(request: HttpRequest) -> HttpResponse:
    return render(request, "429.html", status=429)


# The most wrong codes in ten seconds. The limit for an address is higher than for a device, because a whole hall shares
# an address.
MOST_CODES_OF_ADDRESS, MOST_CODES_OF_DEVICE, MOST_CODES_OF_DEVICE_A_DAY = 10, 5, 100
# The most wrong passwords at a registration: from a device or address in ten seconds, and from everybody in a day.
MOST_PASSWORDS_AT_REGISTRATION, MOST_PASSWORDS_OF_SESSION_A_DAY = 5, 240
MOST_WRONG_TOKENS = 10  # the most wrong tokens of programs from an address in ten seconds
MOST_CODES_FOR_ARBITER = 5  # the most wrong tries from a device for one code of the arbiter


def counts_of_codes(request: Asked) -> list[Count]:
    """Return the counters of wrong codes, for the numbers of tables and for personal codes together.

    They belong to the device if it has used a right code before, otherwise to the address.
    """
    device = read_device(request)
    if device.came_known and device.has_opened_code:
        whose = f"device {device.number}"
        return [Count("code", whose, MOST_CODES_OF_DEVICE), Count("code", whose, MOST_CODES_OF_DEVICE_A_DAY, DAY)]
    return [Count("code", f"address {counted_address(request)}", MOST_CODES_OF_ADDRESS)]


def counts_of_arbiter(request: Asked, code: int) -> list[Count]:
    """Return the counter of wrong tries for one code of the arbiter.

    It belongs to the device or, if the device is new, to the address.
    """
    device = read_device(request)
    whose = f"device {device.number}" if device.came_known else f"address {counted_address(request)}"
    return [Count("arbiter", f"{code} {whose}", MOST_CODES_FOR_ARBITER, DAY)]


def counts_of_registration(request: Asked, session: int) -> list[Count]:
    """Return the counters of wrong passwords at a registration: one for the sender, one for the session.

    The sender is the device if it has used a right code before, otherwise the address.
    """
    device = read_device(request)
    is_known_device = device.came_known and device.has_opened_code
    whose = f"device {device.number}" if is_known_device else f"address {counted_address(request)}"
    return [Count("registration", f"{session} {whose}", MOST_PASSWORDS_AT_REGISTRATION), count_of_session(session)]


def count_of_session(session: int) -> Count:
    """Return the counter of wrong passwords that were typed at the session's registration in one day.

    When it is full, a director has to admit people.
    """
    return Count("registration", f"session {session}", MOST_PASSWORDS_OF_SESSION_A_DAY, DAY)


def count_of_tokens(request: Asked) -> Count:
    """Return the counter of wrong tokens from this address.

    When it is full, wrong tokens get another answer. Right ones still work: no broken program shuts others out.
    """
    return Count("token", f"address {counted_address(request)}", MOST_WRONG_TOKENS)
