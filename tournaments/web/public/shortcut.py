"""Answers readers of published pages before anything is done for them that such a page does not need.

A page that was given to somebody who is not logged in is remembered by its address, with the headers that the site has
put on it: whoever asks for it next costs the question what it is at, and what is kept. Whatever is not remembered, or
is at something else since, goes its whole way, and is remembered then. Nothing here decides who may read: what is
remembered was everybody’s, and the question asks again whether it is there.
"""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.translation import get_language_from_request

from tournaments.addresses import origin_of
from tournaments.publication.kept import accepts_gzip, find_kept
from tournaments.published import Place, find_published
from tournaments.web.public.published import KEPT_AS, KeptAs, is_known, tell

MOST_ADDRESSES = 2_000
MOST_LETTERS = 300  # of an address
READING = {200, 304}


class Way(NamedTuple):
    """How an address with its parameters is read: at which site, in a language, compressed or not."""

    origin: str
    path: str
    asked: str
    language: str
    small: bool


class Remembered(NamedTuple):
    """A page, where its publication is, and the headers of an answer by its status."""

    page: KeptAs
    where: Place
    headers: dict[int, dict[str, str]]


class ShortcutMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.remembered: OrderedDict[Way, Remembered] = OrderedDict()
        self.paths: set[str] = set()
        self.lock = Lock()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "GET" or is_known(request):
            return self.get_response(request)
        if request.path_info in self.paths:
            way = way_of(request)
            found = self.remembered.get(way)
            answer = found and answer_from(request, way, found)
            if answer:
                return answer
        response = self.get_response(request)
        if (page := request.META.get(KEPT_AS)) and response.status_code in READING and not response.cookies:
            self.remember(request, page, response)
        return response

    def remember(self, request: HttpRequest, page: KeptAs, response: HttpResponse) -> None:
        way, match = way_of(request), request.resolver_match
        if match is None or len(way.origin) + len(way.path) + len(way.asked) > MOST_LETTERS:
            return
        told = match.kwargs
        where = Place(told["club"], told["tournament"], told["number"], told.get("version"))
        with self.lock:
            before = self.remembered.pop(way, None)
            headers = before.headers if before and before.page == page else {}
            self.remembered[way] = Remembered(page, where, headers | {response.status_code: dict(response.items())})
            if len(self.remembered) > MOST_ADDRESSES:
                self.remembered.popitem(last=False)
                self.paths = {each.path for each in self.remembered}
            self.paths.add(way.path)


def way_of(request: HttpRequest) -> Way:
    small = accepts_gzip(request.META.get("HTTP_ACCEPT_ENCODING", ""))
    asked = request.META["QUERY_STRING"]
    return Way(origin_of(request), request.path_info, asked, get_language_from_request(request), small)


def answer_from(request: HttpRequest, way: Way, found: Remembered) -> HttpResponse | None:
    """Of what is remembered; None where it is out of date, is not kept any more, or never was given in this way."""
    stamp = find_published(found.where, timezone.now())
    if stamp is None or stamp.over or stamp.withdrawn or tell(stamp, way.language) != found.page.told:
        return None
    status = 304 if request.META.get("HTTP_IF_NONE_MATCH") == found.page.etag else 200
    headers = found.headers.get(status)
    if headers is None or (status == 200 and "HTTP_IF_NONE_MATCH" in request.META):
        return None
    if status == 304:
        return HttpResponseNotModified(headers=headers)
    kept = find_kept(found.page.key)
    if kept is None:
        return None
    return HttpResponse(kept.body if way.small else kept.plain, headers=headers)
