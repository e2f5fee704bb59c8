"""The middleware that compresses static files for which there is no compressed copy, as on a laptop.

On a server, `collectstatic` has written compressed copies, and WhiteNoise sends them. A laptop serves the files from
their source folders: each is compressed at the first request, and cached in the process.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from tournaments.page_cache import KeptPage, compress, send

SMALL = ("text/", "image/svg+xml", "application/json")  # the types of files that become smaller
LEAST_BYTES = 500  # a smaller file fits into one packet anyway


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """A middleware for static files that compresses them for clients that accept it."""

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
        told = tuple((name, value) for name, value in headers if name != "Content-Length")
        sent = send(request, compress_file(path, told))
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
