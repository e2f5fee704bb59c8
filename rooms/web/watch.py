"""The answer to a browser that waits at a table for four: whether anything is new there, from the cache alone.

No session is read for it, because each waiting browser asks each second. The answer says nothing else of the table.
"""

import re
from collections.abc import Callable
from time import time

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from rooms.classic.watching import is_unchanged

PATH = re.compile(r"(?:/api/v1)?/rooms/tables/([0-9]{1,9})/state")


class WatchMiddleware:
    """The answers to waiting browsers: 204 if nothing is new since the stamp `seen`, otherwise 200."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        matched = PATH.fullmatch(request.path_info) if settings.ROOMS and request.method == "GET" else None
        if matched is None:
            return self.get_response(request)
        if is_unchanged(int(matched[1]), request.GET.get("seen", ""), time()):
            response = HttpResponse(status=204)
        else:
            response = HttpResponse('{"changed": true}', content_type="application/json")
        response["Cache-Control"] = "no-store"
        return response
