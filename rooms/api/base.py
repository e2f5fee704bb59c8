"""The parts that all views of rooms in the API share. On a site without rooms, their addresses do not exist."""

from typing import Any

from django.conf import settings
from django.http import Http404
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.models import User
from rooms.models import Visitor
from rooms.visitors import ensure_visitor, mark_program
from tournaments.api.base import Throttle, View


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


def is_asked_by_program(request: Request) -> bool:
    """Return whether a program asks: it sends a token, and not the cookie of a log-in."""
    return bool(request.META.get("HTTP_AUTHORIZATION"))


def ensure_api_visitor(request: Request, name: str = "") -> Visitor:
    """Return the visitor of the account that asks, and make it if there is none. A program's visitor is marked.

    Raise `VisitorRefused` if the account is no player of a club and gives no name.
    """
    assert isinstance(request.user, User)
    told = name or request.user.get_full_name()
    visitor = ensure_visitor(account=request.user, name=told, now=timezone.now())
    if is_asked_by_program(request):
        mark_program(visitor)
    return visitor
