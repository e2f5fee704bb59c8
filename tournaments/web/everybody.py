"""Pages that are the same for everybody who is not logged in, and are no publication's: told apart by what they say,
which is read first and in few questions; only who has not got it has it built.

What is told must be all that the page shows and that may change: values with a telling `repr`. Such a page is built for
nobody in particular: it holds no token and no secret, and may be sent compressed beside what a reader typed.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.core.validators import slug_re
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

from clubs.models import Club
from tournaments.addresses import origin_of
from tournaments.permissions import Can, get_club_for
from tournaments.publication.kept import KeptPage, compress, find_page, send
from tournaments.web.numbers import MOST_PAGES, read_number
from tournaments.web.public.published import VARIES, as_anybody, is_personal
from tournaments.words.stamps import make_stamp

Build = Callable[[HttpRequest], HttpResponse]
NOTHING: Mapping[str, str] = {}


def answer_everybody(
    request: HttpRequest, told: Any, build: Build, asked: Mapping[str, str] = NOTHING, *, kept: bool = True
) -> HttpResponse:
    """`asked`: the parameters of the address that make another page of it, as they are shown again. `kept` is false
    for pages of which there are without end."""
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
    etag = f'W/"{stamp}"'
    response = get_conditional_response(request, etag=etag)  # type: ignore[assignment]
    if response is None:

        def build_for_all() -> KeptPage:
            return compress(build(as_anybody(address, asked, origin)))

        response = send(request, find_page(stamp, build_for_all) if kept else build_for_all())
    response["ETag"] = etag
    patch_vary_headers(response, VARIES)
    patch_cache_control(response, no_cache=True)
    return response


def answer_file(request: HttpRequest, told: Any, write: Callable[[], bytes], headers: dict[str, str]) -> HttpResponse:
    """A file that programs ask for again and again."""
    stamp = make_stamp("file", origin_of(request), told)
    etag = f'"{stamp}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = HttpResponse(write(), headers=headers)
    response["ETag"] = etag
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def number_of(request: HttpRequest) -> int:
    """The page that the address asks for; the first for what is none."""
    return min(max(read_number(request.GET, "page", none=1), 1), MOST_PAGES)


def open_club(request: HttpRequest, slug: str) -> Club:
    """By its slug, or by whatever a parameter of an address gives for one: not every text can be asked for."""
    if not slug_re.fullmatch(slug):
        raise Http404
    return get_club_for(request.user, Can.READ, slug=slug)


def show(template: str, context: dict[str, Any]) -> Build:
    return lambda request: render(request, template, context)


def told_of(rows: Iterable[Model]) -> list[Any]:
    """What rows hold: the page says something else where one of them does."""
    return [sorted((name, value) for name, value in vars(row).items() if name[0] != "_") for row in rows]
