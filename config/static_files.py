"""Sends static files compressed where no compressed copy lies beside them, as on a laptop.

A server has such copies: `collectstatic` wrote them, and WhiteNoise sends them. A laptop serves the files from where
they are; each is compressed when it is first asked for, and kept in the process.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from tournaments.publication.kept import KeptPage, compress, send

SMALL = ("text/", "image/svg+xml", "application/json")  # kinds of files that become smaller
LEAST_BYTES = 500  # less fits in one packet anyway


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Static files, compressed for whoever takes them so."""

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
    """Return whether the file is text of some length. A part of a file and "not modified" have no such length."""
    return answer.get("Content-Type", "").startswith(SMALL) and int(answer.get("Content-Length", "0")) >= LEAST_BYTES


@lru_cache(maxsize=300)
def compress_file(path: str, headers: tuple[tuple[str, str], ...]) -> KeptPage:
    """Return the file compressed; its headers tell by their ETag one state of it from another."""
    return compress(HttpResponse(Path(path).read_bytes(), headers=dict(headers)))
