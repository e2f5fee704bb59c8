"""Lets the pages of other sites read what the API tells everybody: `Access-Control-Allow-Origin: *`.

On GET and HEAD of addresses that ask for no account, whatever comes of them: an answer, a 304, an error. A browser
sends no cookie and no token with such a question, and gives no answer to one that was sent with any. No other address
says anything of the kind, and no preflight is answered.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, ResolverMatch, resolve
from rest_framework.permissions import AllowAny

# What scripts may read of an answer beside its body.
READABLE = "ETag, Last-Modified, Link, Retry-After"
READING = ("GET", "HEAD")


class OpenMiddleware:
    """Outside everything else, so that what fails before a view is reached is told to other sites too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path_info.startswith("/api/") and request.method in READING and is_open(request):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = READABLE
        return response


def is_open(request: HttpRequest) -> bool:
    """Return whether whoever likes may read at this address."""
    match = request.resolver_match or find_match(request.path_info)
    view = getattr(match and match.func, "cls", None)  # of a view of the API
    if view is None or not hasattr(view, "get"):
        return False
    return "GET" in getattr(view, "open_to_all", ()) or tuple(view.permission_classes) == (AllowAny,)


def find_match(path: str) -> ResolverMatch | None:
    """Return where a path leads to; None where nothing has asked that before, and it leads nowhere."""
    try:
        return resolve(path)
    except Resolver404:
        return None
