"""The middleware that compresses static files if no compressed copy lies beside them, as on a laptop.

A server has such copies: `collectstatic` wrote them, and WhiteNoise sends them. A laptop serves the files from their
source folders. Each file is compressed when it is first requested, and cached in the process.
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

SMALL = ("text/", "image/svg+xml", "application/json")  # types of files that become smaller
LEAST_BYTES = 500  # fewer bytes fit in one packet anyway


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """A middleware for static files that compresses them for clients that accept it."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        """Return WhiteNoise's answer, or the same file compressed."""
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
    """Return whether the answer is a text of some length. A part of a file and "not modified" have no such length."""
    return answer.get("Content-Type", "").startswith(SMALL) and int(answer.get("Content-Length", "0")) >= LEAST_BYTES


@lru_cache(maxsize=300)
def compress_file(path: str, headers: tuple[tuple[str, str], ...]) -> KeptPage:
    """Return the compressed file. It is cached by path and headers, and the ETag in them changes with the file."""
    return compress(HttpResponse(Path(path).read_bytes(), headers=dict(headers)))
