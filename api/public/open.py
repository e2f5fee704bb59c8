"""A middleware that lets scripts on other sites read the public addresses of the API.

It adds the header `Access-Control-Allow-Origin: *` to all responses to GET and HEAD at addresses that need no account,
also to errors. Other addresses never get the header.

Private data stay safe: browsers do not show a script the response to a request with cookies if the header is `*`.
Preflight requests are not answered, so a script cannot send a token; an answer to a request with a token never gets the
header either.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, ResolverMatch, resolve
from rest_framework.permissions import AllowAny

# The headers of a response that scripts of other sites may read.
READABLE = "ETag, Last-Modified, Link, Retry-After"
READING = ("GET", "HEAD")


class OpenMiddleware:
    """The middleware. It must be the outermost one, so that errors of other middlewares get the header too."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        asks_to_read = request.path_info.startswith("/api/") and request.method in READING
        if asks_to_read and "HTTP_AUTHORIZATION" not in request.META and is_open(request):
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = READABLE
        return response


def is_open(request: HttpRequest) -> bool:
    """Return whether everybody may read at the address of this request."""
    match = request.resolver_match or find_match(request.path_info)
    view = getattr(match and match.func, "cls", None)  # only views of the API have it
    if view is None or not hasattr(view, "get"):
        return False
    return "GET" in getattr(view, "open_to_all", ()) or tuple(view.permission_classes) == (AllowAny,)


def find_match(path: str) -> ResolverMatch | None:
    """Return the match of a path, or None for an unknown path.

    Django has no match yet if the request failed before its address was resolved.
    """
    try:
        return resolve(path)
    except Resolver404:
        return None
