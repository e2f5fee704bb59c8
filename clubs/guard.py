"""Who may try a password: by name and address together, and more slowly from an address that tries many names."""

import datetime as dt
import logging
from contextlib import suppress
from ipaddress import ip_address
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.core.cache import cache
from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from redis import RedisError
from rest_framework.request import Request

logger = logging.getLogger(__name__)
Asked = HttpRequest | Request
MOST_NAMES, WITHIN = 10, dt.timedelta(minutes=15)
TRIES_A_MINUTE = 20  # of numbers that people type; a whole hall has one address
PAUSE = dt.timedelta(seconds=10)


def client_address(request: Asked) -> str | None:
    """The address that asks, as far as the NUM_PROXIES nearest ones are believed; None where there is none."""
    own = request.META.get("REMOTE_ADDR") or None
    told = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if not settings.NUM_PROXIES or not told:
        return own
    hops = told.split(",")
    try:
        return str(ip_address(hops[-min(settings.NUM_PROXIES, len(hops))].strip()))
    except ValueError:
        return own


def has_tries(what: str, request: Asked, *, most: int = TRIES_A_MINUTE, whose: str = "") -> bool:
    """Whether this address has failed at `what` less often than that within this minute (`note_failed`); or `whose` it
    is, wherever he asks from.

    Where the cache is down nothing is counted, and the door stays open rather than fail.
    """
    try:
        return bool(cache.get(tries_key(what, request, whose), 0) < most)
    except RedisError:
        logger.warning("the cache is down: who fails at %s is not counted", what)
        return True


def note_failed(what: str, request: Asked, *, whose: str = "") -> None:
    key = tries_key(what, request, whose)
    with suppress(ValueError, RedisError):  # gone in between, or down
        cache.add(key, 0, 60)
        cache.incr(key)


def tries_key(what: str, request: Asked, whose: str) -> str:
    return f"tries:{what}:{this_minute()}:{whose or client_address(request)}"


def this_minute() -> int:
    return int(timezone.now().timestamp()) // 60


class Guard(AxesDatabaseHandler):  # type: ignore[misc]
    """Locks a name to an address that failed too often. The address itself is only slowed: a whole hall has one."""

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        return super().is_locked(request, credentials) or tries_many_names(request)


def tries_many_names(request: HttpRequest) -> bool:
    """Whether so many names failed from the address of this request that it has to pause, and has not."""
    now = timezone.now()
    failed = AccessAttempt.objects.filter(ip_address=client_address(request), attempt_time__gt=now - WITHIN)
    tried = failed.aggregate(names=Count("username", distinct=True), last=Max("attempt_time"))
    return bool(tried["names"] >= MOST_NAMES and now - tried["last"] < PAUSE)


def answer_too_often(request: HttpRequest) -> HttpResponse:
    return render(request, "429.html", status=429)
