"""A middleware that lets pages of other sites read public addresses of the API: `Access-Control-Allow-Origin: *`.

It adds the header to every response to GET and HEAD at addresses that need no account: an answer, a 304 or an error. A
browser sends no cookie and no token with such a request, and if a request had some, the browser would hide the response
from the page. Other addresses never get the header, and no preflight request is answered.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, ResolverMatch, resolve
from rest_framework.permissions import AllowAny

# The headers of a response that scripts of other sites may read.
READABLE = "ETag, Last-Modified, Link, Retry-After"
READING = ("GET", "HEAD")


class OpenMiddleware:
    """The outermost middleware, so that errors before a view is reached get the header too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.path_info.startswith("/api/") and request.method in READING and is_open(request):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = READABLE
        return response


def is_open(request: HttpRequest) -> bool:
    """Return whether everybody may read at this address."""
    match = request.resolver_match or find_match(request.path_info)
    view = getattr(match and match.func, "cls", None)  # of a view of the API
    if view is None or not hasattr(view, "get"):
        return False
    return "GET" in getattr(view, "open_to_all", ()) or tuple(view.permission_classes) == (AllowAny,)


def find_match(path: str) -> ResolverMatch | None:
    """Return the match of a path.

    It is needed if the request failed before it was resolved. Return None for an unknown path.
    """
    try:
        return resolve(path)
    except Resolver404:
        return None
