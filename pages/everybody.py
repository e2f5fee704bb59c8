"""The pages that are the same for every reader who is not logged in, and that belong to no publication.

The view first reads the data of the page, in few queries. The ETag is a digest of this data. If the reader's browser
has the page with the same ETag, the answer is a 304, and the page is not built.

The data must include everything on the page that can change, as values with a meaningful `repr`. The page holds no
token and no secret, so it is safe to compress it, even if it repeats text that a reader typed.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.messages import get_messages
from django.core.validators import slug_re
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import ResolverMatch, reverse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from clubs.guard import answer_too_often
from clubs.models import Club
from tournaments.addresses import UnsentRequest, origin_of
from tournaments.numbers import MOST_PAGES, read_number
from tournaments.page_cache import BUILT_WITHIN, KeptPage, TooManyBuilt, compress, find_page, send
from tournaments.permissions import Can, get_club_for
from tournaments.words.stamps import make_stamp

Build = Callable[[HttpRequest], HttpResponse]
NOTHING: Mapping[str, str] = {}
VARIES = ("Accept-Encoding", "Accept-Language", "Cookie")


def answer_everybody(
    request: HttpRequest, told: Any, build: Build, asked: Mapping[str, str] = NOTHING, *, kept: bool = True
) -> HttpResponse:
    """Answer with a page for everybody, or with 304 if the reader has it already.

    `told` is the data of the page. `asked` holds the query parameters that change the page. `kept` is false for pages
    that must not be cached because there can be any number of them, for example one for each text searched.
    """
    if is_personal(request):
        response = build(request)
        patch_cache_control(response, no_cache=True)
        return response
    address, origin = request.resolver_match, origin_of(request)
    assert address is not None
    asked = {name: value for name, value in asked.items() if value}
    stamp = make_stamp(
        "everybody", address.view_name, sorted(address.kwargs.items()), sorted(asked.items()), origin, told
    )

    def build_for_all() -> KeptPage:
        return compress(build(as_anybody(address, asked, origin)))

    return answer_stamped(request, stamp, lambda: find_page(stamp, build_for_all) if kept else build_for_all())


def answer_stamped(request: HttpRequest, stamp: str, find: Callable[[], KeptPage]) -> HttpResponse:
    """Answer with the page that `find` returns, and with this stamp as its ETag, or with 304 if the reader has it.

    The ETag is weak, because it stands for the plain page and for the compressed one.
    """
    etag = f'W/"{stamp}"'
    response = get_conditional_response(request, etag=etag) or send(request, find())
    response["ETag"] = etag
    patch_vary_headers(response, VARIES)
    patch_cache_control(response, no_cache=True)
    return response


def answer_file(request: HttpRequest, told: Any, write: Callable[[], bytes], headers: dict[str, str]) -> HttpResponse:
    """Answer with a file that programs request again and again, or with 304 if the program has it already.

    `told` is the data of the file; `write` makes the file from it.
    """
    stamp = make_stamp("file", origin_of(request), told)
    etag = f'"{stamp}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(write(), headers=headers)
    response["ETag"] = etag
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def read_page_number(request: HttpRequest) -> int:
    """Return the page number in the address, or 1 if the address has no valid one."""
    return min(max(read_number(request.GET, "page", none=1), 1), MOST_PAGES)


def open_club(request: HttpRequest, slug: str) -> Club:
    """Return the club by its slug. The slug may be any text from a parameter of an address.

    Raise Http404 if the text is not a slug, because the database refuses to look for some texts.
    """
    if not slug_re.fullmatch(slug):
        raise Http404
    return get_club_for(request.user, Can.READ, slug=slug)


def show_to_everybody(template: str, context: dict[str, Any]) -> Build:
    return lambda request: render(request, template, context)


def told_of(rows: Iterable[Model]) -> list[Any]:
    """Return the names and values of all fields of the rows, as a part of a page's data."""
    return [sorted((name, value) for name, value in vars(row).items() if name[0] != "_") for row in rows]


def is_personal(request: HttpRequest) -> bool:
    """Return whether this reader gets a separate page, because they are logged in or have an unread message.

    On a developer's site, always return True, so that each page is built again with the present templates.
    """
    if settings.TOOLBAR:
        return True
    return is_known(request) and (request.user.is_authenticated or bool(get_messages(request)))


def is_known(request: HttpRequest) -> bool:
    """Return whether the reader may be logged in or may have a message waiting.

    Only the session cookie and the message cookie can say this.
    """
    return bool(request.COOKIES) and not {settings.SESSION_COOKIE_NAME, "messages"}.isdisjoint(request.COOKIES)


def as_anybody(address: ResolverMatch, asked: Mapping[str, Any], origin: str) -> HttpRequest:
    """Return a request for the page at its canonical address, as from a reader without cookies and without a log-in."""
    request = UnsentRequest(origin)
    request.resolver_match, request.user = address, AnonymousUser()
    request.path = request.path_info = reverse(address.view_name, kwargs=address.kwargs)
    request.META["QUERY_STRING"] = urlencode(asked)
    return with_asked(request, asked)


def with_asked(request: HttpRequest, asked: Mapping[str, str]) -> HttpRequest:
    """Return the request with these query parameters alone, so that views never get one that they do not know."""
    request.GET = QueryDict(urlencode(asked))
    return request


def with_bounded_builds(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view so that it refuses an IP address for which too many pages were built."""

    @wraps(view)
    def ask(request: HttpRequest, *given: Any, **more: Any) -> HttpResponse:
        try:
            return view(request, *given, **more)
        except TooManyBuilt:
            response = answer_too_often(request)
            response["Retry-After"] = str(BUILT_WITHIN)
            return response

    return ask
