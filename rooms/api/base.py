"""The parts that all views of rooms in the API share. On a site without rooms, their addresses do not exist."""

from functools import partial
from typing import Any

from django.conf import settings
from django.http import Http404
from django.utils import timezone
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Throttle, View
from clubs.guard import counted_address, find_full, note_tries
from clubs.models import User
from rooms.errors import RoomRefused
from rooms.models import Room, Visitor
from rooms.opening import count_tables
from rooms.results.lobby import get_room_for_reader
from rooms.visitors.finding import find_visitor, list_links
from rooms.visitors.guests import ensure_visitor, mark_program

FOUND = "_room_visitor"  # the attribute of a request that keeps its visitor


# The base class of the views. This is a comment, because the schema would show a docstring.
class RoomView(View):
    throttle_classes = [Throttle]
    throttle_scope = "rooms"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if not settings.ROOMS:
            raise Http404
        super().initial(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        response["Cache-Control"] = "private, no-store"  # a guest has no account, and a hand of their own
        return super().finalize_response(request, response, *args, **kwargs)


def get_api_room(request: Request, pk: int) -> Room:
    """Return a room that whoever asks may read. `?link=` opens a room of one's own. Raise Http404 otherwise."""
    administers = isinstance(request.user, User) and request.user.is_superuser
    links = list_links(request, request.query_params.get("link", ""))
    return get_room_for_reader(pk, partial(find_visitor, request), links, administers=administers)


def find_api_visitor(request: Request) -> Visitor | None:
    """Return the visitor of a request, or None. A request looks it up once, though its throttle and its view ask."""
    if not hasattr(request, FOUND):
        setattr(request, FOUND, find_visitor(request))
    visitor: Visitor | None = getattr(request, FOUND)
    return visitor


def is_asked_by_program(request: Request) -> bool:
    """Return whether a program asks: it sends a token, and not the cookie of a log-in."""
    return bool(request.META.get("HTTP_AUTHORIZATION"))


def ensure_api_visitor(request: Request, name: str = "") -> Visitor:
    """Return the visitor of the account that asks, and make it if there is none. A program's visitor is marked.

    Raise `VisitorRefused` if the account is no player of a club and gives no name.
    """
    assert isinstance(request.user, User)
    wanted_name = name or request.user.get_full_name()
    visitor = ensure_visitor(account=request.user, name=wanted_name, now=timezone.now())
    if is_asked_by_program(request):
        mark_program(visitor)
    return visitor


def note_new_table(request: Request, room_id: int, visitor: Visitor) -> None:
    """Count a table that a visitor opens in a room. Raise Throttled if the network address has opened too many."""
    counts = count_tables(room_id, visitor, counted_address(request))
    if counts and (full := find_full(counts)):
        raise Throttled(wait=full.seconds_left())
    note_tries(counts)


def require_visitor(request: Request) -> Visitor:
    """Return the visitor who asks, and mark the visitor of a program. Raise RoomRefused for anybody else."""
    visitor = find_api_visitor(request)
    if visitor is None:
        raise RoomRefused("not_in_room")
    if is_asked_by_program(request) and not visitor.is_program:
        mark_program(visitor)
    return visitor
