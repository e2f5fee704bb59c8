"""The decorators of all pages of rooms. On a site without rooms, their addresses do not exist.

No page of rooms is kept in a cache, because each shows what its reader plays. A refused step leads back to a page, with
a message that says why.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers

from clubs.models import User
from pages.doors import ACTION, FORM, READING
from rooms.models import Room
from rooms.results.lobby import get_room_for_reader
from rooms.visitors.finding import LINKS_COOKIE, LINKS_LIFE, find_visitor, join_links, list_links
from tournaments.words.messages import say
from wording import Refusal

View = Callable[..., HttpResponseBase]
__all__ = ["ACTION", "FORM", "READING", "room_page", "rooms_page"]


def rooms_page(
    methods: tuple[str, ...] = READING, *, back: str = "rooms", of_room: bool = False
) -> Callable[[View], View]:
    """Return a decorator for a page of the site's rooms or, if `of_room`, for `view(request, room, **rest)` of one.

    After a refused step, and after a GET of an action, readers are sent to the page `back`.
    """

    def decorate(view: View) -> View:
        def with_room(request: HttpRequest, *, pk: int, **rest: Any) -> HttpResponseBase:
            return view(request, get_room_of_request(request, pk), **rest)

        @wraps(view)
        def page(request: HttpRequest, **address: Any) -> HttpResponseBase:
            where = (back, address["pk"]) if of_room else (back,)
            response = answer_room_request(request, methods, with_room if of_room else view, address, where)
            add_never_cache_headers(response)
            return response

        return page

    return decorate


room_page = partial(rooms_page, back="room", of_room=True)


def get_room_of_request(request: HttpRequest, pk: int) -> Room:
    """Return a room that the reader of a page may read by its number. Raise Http404 otherwise."""
    administers = isinstance(request.user, User) and request.user.is_superuser
    links = list_links(request, request.GET.get("link", ""), request.POST.get("link", ""))
    return get_room_for_reader(pk, partial(find_visitor, request), links, administers=administers)


def keep_link(request: HttpRequest, response: HttpResponse, link: str) -> None:
    """Let the device keep the link of a room of one's own, so that its pages open when it is closed."""
    links = join_links(list_links(request, link))
    response.set_cookie(LINKS_COOKIE, links, LINKS_LIFE, secure=settings.HTTPS, httponly=True, samesite="Lax")


def answer_room_request(
    request: HttpRequest, methods: tuple[str, ...], view: View, address: dict[str, Any], back: tuple[Any, ...]
) -> HttpResponseBase:
    """Return the answer of a view. Raise Http404 on a site without rooms."""
    if not settings.ROOMS:
        raise Http404
    if request.method in READING and methods == ACTION:
        return redirect(*back)
    if request.method not in methods:
        return HttpResponseNotAllowed(methods)
    try:
        return view(request, **address)
    except Refusal as refusal:
        if request.method in READING:
            raise
        return refuse_step(request, refusal, back)


def refuse_step(request: HttpRequest, refusal: Refusal, back: tuple[Any, ...]) -> HttpResponse:
    """Redirect to a page, with a message that says why a step was refused."""
    messages.error(request, say(refusal))
    return redirect(*back)
