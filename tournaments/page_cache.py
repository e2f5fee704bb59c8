"""The cache of finished pages, compressed. While one request builds a page, the others wait for it.

Pages stay in the cache for a few minutes: in Redis or, without Redis, in the memory of the process. If a page is
missing, or if the cache is down, the page is built again. This module does not know the content of a page. The caller
makes sure that the key names everything that the page depends on, and that the page contains nothing about its reader.
"""

import gzip
import logging
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any, NamedTuple

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError

from clubs.guard import has_tries, note_failed

logger = logging.getLogger(__name__)

KEPT = 300  # seconds that a page stays in the cache: a crawler that reads every page cannot fill the memory
MOST_BYTES = 500_000  # the most bytes of a compressed page; a larger one is not cached
BUILDING = 10  # seconds that requests wait for the one that builds the page; then they build the page themselves
PAUSE = 0.03  # seconds between two looks into the cache while waiting
# For one IP address, at most MOST_BUILT pages that are not in the cache are built in BUILT_WITHIN seconds. Otherwise a
# script could keep the processor busy and fill the cache, because every search text makes another page. A hall of 600
# players shares one IP address, and needs fewer pages than that.
MOST_BUILT, BUILT_WITHIN = 120, 10
DOWN = 5  # seconds without any request to a cache that did not answer

down_until = 0.0


class KeptPage(NamedTuple):
    """A page's body, compressed by gzip, and its headers."""

    body: bytes
    headers: dict[str, str]

    @property
    def plain(self) -> bytes:
        return gzip.decompress(self.body)


class TooManyBuilt(Exception):
    """An error: an IP address has asked for too many pages that were not in the cache."""


def compress(answer: HttpResponse) -> KeptPage:
    """Return a response as a compressed page for the cache."""
    return KeptPage(gzip.compress(answer.content, 6, mtime=0), dict(answer.items()))


def find_kept(key: str) -> KeptPage | None:
    """Return the page that the cache has under this key, or None."""
    page: KeptPage | None = ask_page_cache("get", key)
    return page


def find_page(key: str, build: Callable[[], KeptPage]) -> KeptPage:
    """Return the page that the cache has under this key. If it is missing, one request builds it; others wait."""
    last = monotonic() + BUILDING
    while (kept_page := ask_page_cache("get", key)) is None:
        first = ask_page_cache("add", building_key(key), True, BUILDING)
        if first is not False or monotonic() > last:
            return build_page(key, build, locked=first is True)
        sleep(PAUSE)
    page: KeptPage = kept_page
    return page


def find_counted_page(request: HttpRequest, key: str, build: Callable[[], KeptPage]) -> KeptPage:
    """Return the page that the cache has under this key, or build it if it is missing.

    Building counts for the IP address of the reader: see `count_build`.
    """
    page = find_kept(key)
    if page is None:
        count_build(request)
        page = find_page(key, build)
    return page


def count_build(request: HttpRequest) -> None:
    """Count a page that is built for the reader's IP address.

    Raise `TooManyBuilt` if the address has had MOST_BUILT pages built in the last BUILT_WITHIN seconds.
    """
    if not has_tries("build", request, most=MOST_BUILT, seconds=BUILT_WITHIN):
        raise TooManyBuilt
    note_failed("build", request, seconds=BUILT_WITHIN)


def build_page(key: str, build: Callable[[], KeptPage], *, locked: bool) -> KeptPage:
    """Build a page, put it into the cache, and return it. If another request has just built it, return that one."""
    try:
        # Another builder may have finished between the look-up and the lock.
        page: KeptPage | None = ask_page_cache("get", key)
        if page is None:
            page = build()
            if len(page.body) <= MOST_BYTES:
                ask_page_cache("set", key, page, KEPT)
        return page
    finally:
        if locked:
            ask_page_cache("delete", building_key(key))


def building_key(key: str) -> str:
    return f"{key}-building"


def ask_page_cache(question: str, *about: Any) -> Any:
    """Call the method `question` of the cache ("get", "add", "set" or "delete"), and return its result.

    Return None if the cache is down.
    """
    global down_until  # shared by all threads of this process
    if monotonic() < down_until:
        return None
    try:
        return getattr(caches["pages"], question)(*about)
    except RedisError:
        down_until = monotonic() + DOWN
        logger.warning("the cache is down: public pages are built for each reader")
        return None


def send(request: HttpRequest, page: KeptPage) -> HttpResponse:
    """Return the page as a response, compressed if the reader's browser accepts that."""
    if accepts_gzip(request.headers.get("Accept-Encoding", "")):
        return HttpResponse(page.body, headers={**page.headers, "Content-Encoding": "gzip"})
    return HttpResponse(page.plain, headers=page.headers)


def accepts_gzip(accepted: str) -> bool:
    """Return True if the value of an Accept-Encoding header accepts gzip. A quality of 0 ("gzip;q=0") refuses it."""
    for each in accepted.split(","):
        name, _, quality = each.partition(";")
        if name.strip().lower() == "gzip":
            return not quality.replace(" ", "") or quality.replace(" ", "").strip("q=0.") != ""
    return False
