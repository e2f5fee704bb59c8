"""A middleware that answers readers of published pages early, before the rest of the request is processed.

When a page is sent to a reader who is not logged in, this middleware remembers the page's stamp and headers by its
address. For the next reader, it reads the present stamp with one query, and sends the page from the cache. If the
address is not remembered or the stamp has changed, Django processes the request in full, and the new page is
remembered. This middleware does not decide who may read a page. The remembered pages were public, and the query for the
stamp checks that they still are.
"""

import datetime as dt
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.urls import ResolverMatch
from django.utils import timezone
from django.utils.translation import get_language_from_request

from pages.everybody import is_known
from pages.public.published import FOUND_BY, KEPT_AS, AnyStamp, KeptAs, tell_stamp
from tournaments.addresses import origin_of
from tournaments.page_cache import accepts_gzip, find_kept

MOST_ADDRESSES = 2_000
MOST_LETTERS = 300  # the most letters of an address
READING = {200, 304}


class RequestedPage(NamedTuple):
    """The key of a request: its site, address, query string and language. `small` is true if it accepts compression."""

    origin: str
    path: str
    asked: str
    language: str
    small: bool


class RememberedPage(NamedTuple):
    """A page, its view, the function that finds its present stamp, and its headers by HTTP status."""

    page: KeptAs
    match: ResolverMatch
    find: Callable[[dt.datetime], AnyStamp | None]
    headers: dict[int, dict[str, str]]


class ShortcutMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.remembered: OrderedDict[RequestedPage, RememberedPage] = OrderedDict()
        self.paths: set[str] = set()
        self.lock = Lock()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "GET" or is_known(request):
            return self.get_response(request)
        if request.path_info in self.paths:
            way = way_of(request)
            found = self.remembered.get(way)
            answer = found and answer_from(request, way, found)
            if found and answer:
                request.resolver_match = found.match
                return answer
        response = self.get_response(request)
        if (page := request.META.get(KEPT_AS)) and response.status_code in READING and not response.cookies:
            self.remember(request, page, response)
        return response

    def remember(self, request: HttpRequest, page: KeptAs, response: HttpResponse) -> None:
        way, match = way_of(request), request.resolver_match
        if match is None or len(way.origin) + len(way.path) + len(way.asked) > MOST_LETTERS:
            return
        find = request.META[FOUND_BY]
        with self.lock:
            before = self.remembered.pop(way, None)
            headers = before.headers if before and before.page == page else {}
            self.remembered[way] = RememberedPage(
                page, match, find, headers | {response.status_code: dict(response.items())}
            )
            if len(self.remembered) > MOST_ADDRESSES:
                self.remembered.popitem(last=False)
                self.paths = {each.path for each in self.remembered}
            self.paths.add(way.path)


def way_of(request: HttpRequest) -> RequestedPage:
    small = accepts_gzip(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    asked = request.META["QUERY_STRING"]
    return RequestedPage(origin_of(request), request.path_info, asked, get_language_from_request(request), small)


def answer_from(request: HttpRequest, way: RequestedPage, found: RememberedPage) -> HttpResponse | None:
    """Return the response for a remembered page.

    Return None if the page is stale, is no longer cached, or was never sent with this status. The query comes last: a
    page that is not answered here is asked for again by its view.
    """
    status = 304 if request.META.get("HTTP_IF_NONE_MATCH") == found.page.etag else 200
    headers = found.headers.get(status)
    if headers is None or (status == 200 and "HTTP_IF_NONE_MATCH" in request.META):
        return None
    kept = find_kept(found.page.key) if status == 200 else None
    if status == 200 and kept is None:
        return None
    stamp = found.find(timezone.now())
    if (
        stamp is None
        or stamp.over
        or stamp.withdrawn
        or stamp.held_back
        or tell_stamp(stamp, way.language) != found.page.told
    ):
        return None
    if kept is None:
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(kept.body if way.small else kept.plain, headers=headers)
