"""Finished pages, compressed, kept for whoever asks next: one reader builds a page, the others wait for his.

Kept in Redis, or in the process where there is none; short, since who reads a page reads it in the hour that it is new.
Whatever is lost is built again, and without any cache every page still comes. Nothing here knows what a page says: its
key tells all that it depends on, and whoever keeps it sees to it that it says nothing of its reader.
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

KEPT = 300  # seconds: what nobody reads goes, and a crawler of every page fills no memory
MOST_BYTES = 500_000  # compressed
BUILDING = 10  # seconds in which a builder who has died is still waited for
PAUSE = 0.03
# Pages of which there are without end, as of a text that is searched for, in so many seconds for one address: a hall of
# 600 has one, and reads on; a script fills neither the processor nor what is kept.
MOST_BUILT, BUILT_WITHIN = 120, 10
DOWN = 5  # seconds for which nobody asks a cache again that did not answer

down_until = 0.0


class KeptPage(NamedTuple):
    """A page's body, compressed by gzip, and the headers that are its own."""

    body: bytes
    headers: dict[str, str]

    @property
    def plain(self) -> bytes:
        return gzip.decompress(self.body)


class TooManyBuilt(Exception):
    """One address has asked for too many pages that nobody has asked for before."""


def compress(answer: HttpResponse) -> KeptPage:
    return KeptPage(gzip.compress(answer.content, 6, mtime=0), dict(answer.items()))


def find_kept(key: str) -> KeptPage | None:
    """The page kept under that key, if there is one."""
    found: KeptPage | None = ask("get", key)
    return found


def find_page(key: str, build: Callable[[], KeptPage]) -> KeptPage:
    """The page kept under that key; built where there is none, by one reader at a time."""
    last = monotonic() + BUILDING
    while (found := ask("get", key)) is None:
        first = ask("add", building(key), True, BUILDING)
        if first is not False or monotonic() > last:
            return build_page(key, build, locked=first is True)
        sleep(PAUSE)
    page: KeptPage = found
    return page


def find_counted_page(request: HttpRequest, key: str, build: Callable[[], KeptPage]) -> KeptPage:
    """Return the page kept under that key; built and counted for the reader's address where there is none."""
    found = find_kept(key)
    if found is None:
        count_build(request)
        found = find_page(key, build)
    return found


def count_build(request: HttpRequest) -> None:
    """Count a page that is built for the reader's address. Raise `TooManyBuilt` where it has had so many."""
    if not has_tries("build", request, most=MOST_BUILT, seconds=BUILT_WITHIN):
        raise TooManyBuilt
    note_failed("build", request, seconds=BUILT_WITHIN)


def build_page(key: str, build: Callable[[], KeptPage], *, locked: bool) -> KeptPage:
    try:
        # Who built it before may have ended between the two questions.
        page: KeptPage | None = ask("get", key)
        if page is None:
            page = build()
            if len(page.body) <= MOST_BYTES:
                ask("set", key, page, KEPT)
        return page
    finally:
        if locked:
            ask("delete", building(key))


def building(key: str) -> str:
    return f"{key}-building"


def ask(question: str, *about: Any) -> Any:
    """What the cache answers; None where it is down."""
    global down_until  # of this process, for all its threads
    if monotonic() < down_until:
        return None
    try:
        return getattr(caches["pages"], question)(*about)
    except RedisError:
        down_until = monotonic() + DOWN
        logger.warning("the cache is down: public pages are built for each reader")
        return None


def send(request: HttpRequest, page: KeptPage) -> HttpResponse:
    """The page as the reader can take it."""
    if accepts_gzip(request.headers.get("Accept-Encoding", "")):
        return HttpResponse(page.body, headers={**page.headers, "Content-Encoding": "gzip"})
    return HttpResponse(page.plain, headers=page.headers)


def accepts_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding names gzip, and not with a quality of 0."""
    for each in accepted.split(","):
        name, _, quality = each.partition(";")
        if name.strip().lower() == "gzip":
            return not quality.replace(" ", "") or quality.replace(" ", "").strip("q=0.") != ""
    return False
