"""The small middlewares of the site: headers of pages, compressed static files, a site without an account.

And what makes pages smaller that are not compressed: their templates are read without the space before each line.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template import Origin
from django.template.loader import render_to_string
from django.template.loaders.filesystem import Loader as FileLoader
from django.urls import reverse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from clubs.accounts import founding
from config.patience import wants_json
from tournaments.page_cache import KeptPage, compress, send

# The site copies to the clipboard, makes sounds and opens the dialogue for sharing, so these features are not here.
UNUSED = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
)
INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
HEADER, VALUE = "Permissions-Policy", ", ".join(f"{feature}=()" for feature in UNUSED)


class PermissionsPolicyMiddleware:
    """The middleware that tells browsers which of their features no page of the site uses, nor a page in a frame."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response[HEADER] = VALUE
        return response


class PrivacyMiddleware:
    """The middleware that marks every page of a logged-in user as private. No shared cache may then keep it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        # If the view never asked who reads the page, the page is the same for everybody. This check takes no query.
        if request.session.accessed and SESSION_KEY in request.session:
            patch_cache_control(response, private=True)
        return response


class PageLoader(FileLoader):
    """A loader of the site's templates that drops the indentation of pages, a fifth of a large one.

    Pages of an account are not compressed, because they hold secrets beside typed texts. Each line keeps its number.
    Texts in which every space counts, such as mails, are no pages.
    """

    def get_contents(self, origin: Origin) -> str:
        contents: str = super().get_contents(origin)
        return INDENTATION.sub("", contents) if str(origin.template_name).endswith(".html") else contents


SMALL = ("text/", "image/svg+xml", "application/json")  # the types of files that become smaller
LEAST_BYTES = 500  # a smaller file fits into one packet anyway


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """A middleware for static files that compresses them for clients that accept it.

    On a server, `collectstatic` has written compressed copies, and WhiteNoise sends them. A laptop serves the files
    from their source folders: each is compressed at the first request, and cached in the process.
    """

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        """Return the answer of WhiteNoise or, if the client accepts it, the same file compressed."""
        answer: HttpResponseBase = WhiteNoiseMiddleware.serve(static_file, request)
        if not isinstance(static_file, StaticFile) or not becomes_small(answer):
            return answer
        patch_vary_headers(answer, ["Accept-Encoding"])
        (_pattern, path, headers), *smaller = static_file.alternatives
        if smaller or request.method != "GET" or answer.status_code != 200:
            return answer
        answer.close()
        kept_headers = tuple((name, value) for name, value in headers if name != "Content-Length")
        sent = send(request, compress_file(path, kept_headers))
        patch_vary_headers(sent, ["Accept-Encoding"])
        sent["Content-Length"] = str(len(sent.content))
        return sent


def becomes_small(answer: HttpResponseBase) -> bool:
    """Return whether compressing this answer makes sense: it has a text of at least LEAST_BYTES.

    Compressing makes no sense for a part of a file, or for the answer "not modified".
    """
    return answer.get("Content-Type", "").startswith(SMALL) and int(answer.get("Content-Length", "0")) >= LEAST_BYTES


@lru_cache(maxsize=300)
def compress_file(path: str, headers: tuple[tuple[str, str], ...]) -> KeptPage:
    """Return the compressed file. It is cached by path and headers; the header ETag changes with the file."""
    return compress(HttpResponse(Path(path).read_bytes(), headers=dict(headers)))


API, TABLES = "/api/", "/t/"


class FirstRunMiddleware:
    """The middleware for a site without an account. Every page leads to the page that creates one.

    Programs, and devices at the tables, get the answer 503: try again later. As soon as there is an account, the
    process remembers this and no longer asks the database.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begin = reverse("first_run")
        if founding.over.is_set() or request.path in (begin, reverse("choose_language")) or founding.is_over():
            return self.get_response(request)
        if request.method in ("GET", "HEAD") and not request.path.startswith((API, TABLES)):
            return redirect(begin)
        return tell_to_wait(request)


def tell_to_wait(request: HttpRequest) -> HttpResponse:
    answer: HttpResponse
    if wants_json(request):
        message = _("This site has no club yet: open its home page in a browser to make one.")
        error = {"code": "site_not_set_up", "field": "", "message": message, "params": {}}
        answer = JsonResponse({"error": error}, status=503)
    else:
        answer = HttpResponse(render_to_string("account/not_set_up.html"), status=503)
    answer["Retry-After"], answer["Cache-Control"] = "60", "no-store"
    return answer
