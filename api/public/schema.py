"""The view of the API's schema. It is made once for each language and format, and cached until the process ends."""

from functools import lru_cache
from threading import Lock
from typing import Any, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
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
from rest_framework.request import Request

from api.kept import let_keep
from tournaments.page_cache import KeptPage, compress, send
from tournaments.words.stamps import make_stamp, site_version

RENDERERS = [OpenApiYamlRenderer, OpenApiYamlRenderer2, OpenApiJsonRenderer, OpenApiJsonRenderer2]
LANGUAGES = [code for code, _name in settings.LANGUAGES]


class SchemaView(SpectacularAPIView):
    renderer_classes = RENDERERS

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Return the cached schema, or 304. The parameter `lang` chooses another language than the reader's."""
        asked, media_type = request.query_params.get("lang"), str(request.accepted_renderer.media_type)
        language = asked if asked in LANGUAGES else translation.get_language() or settings.LANGUAGE_CODE
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
