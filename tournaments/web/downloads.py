"""Files that a page hands out: to be kept by who asked, and by no cache."""

from django.http import HttpResponse


def download(content: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response
