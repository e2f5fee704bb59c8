"""The API for other sites and programs: its schema, and the middleware that opens its public addresses to scripts.

The middleware adds the header `Access-Control-Allow-Origin: *` to all responses to GET and HEAD at addresses that
need no account, also to errors. Other addresses never get the header.

Private data stay safe: browsers do not show a script the response to a request with cookies if the header is `*`.
Preflight requests are not answered, so a script cannot send a token; an answer to a request with a token never gets the
header either.
"""

from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils import translation
from django.utils.cache import patch_vary_headers
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from api.kept import let_keep
from tournaments.page_cache import KeptPage, compress, send
from tournaments.words.stamps import make_stamp, site_version

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


RENDERERS = [OpenApiYamlRenderer, OpenApiYamlRenderer2, OpenApiJsonRenderer, OpenApiJsonRenderer2]
LANGUAGES = [code for code, _name in settings.LANGUAGES]


class SchemaView(SpectacularAPIView):
    renderer_classes = RENDERERS

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the cached schema, or 304. The parameter `lang` chooses another language than the reader's."""
        lang, media_type = request.query_params.get("lang"), str(request.accepted_renderer.media_type)
        language = lang if lang in LANGUAGES else translation.get_language() or settings.LANGUAGE_CODE
        reader, stamp = cast(HttpRequest, request), make_stamp("schema", language, media_type, site_version())
        answer = let_keep(reader, stamp, lambda: send(reader, keep_schema(language, media_type)))
        patch_vary_headers(answer, ["Accept"])
        return answer


def keep_schema(language: str, media_type: str) -> KeptPage:
    """Return the schema from the cache, or make it. Only one thread makes it; the others wait for the cache."""
    with one_at_a_time:  # the other threads then find it in the cache
        return write_schema(language, media_type)


@lru_cache(maxsize=16)
def write_schema(language: str, media_type: str) -> KeptPage:
    """Return the schema as a compressed response, which `lru_cache` keeps."""
    renderer = next(each for each in RENDERERS if each.media_type == media_type)
    with translation.override(language):
        written = renderer().render(make_schema(), media_type, {})
    name = f'inline; filename="{settings.SPECTACULAR_SETTINGS["TITLE"]}.{renderer.format}"'
    return compress(HttpResponse(written, content_type=media_type, headers={"Content-Disposition": name}))


def make_schema() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]


one_at_a_time = Lock()
