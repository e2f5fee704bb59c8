"""Files that a page hands out: to be kept by who asked, and by no cache."""

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from clubs.guard import answer_too_often, has_tries, note_failed
from tournaments.privacy.export import write_export
from tournaments.privacy.whom import Whom

EXPORTS_A_MINUTE = 5  # made for one account or one link


def download(content: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def hand_out(request: HttpRequest, whom: Whom, *, told: str, whose: str) -> HttpResponseBase:
    """All that is kept of somebody. `told`: for whom and by whose word; `whose`: who asks, by which is counted how
    often."""
    if not has_tries("export", request, most=EXPORTS_A_MINUTE, whose=whose):
        return answer_too_often(request)
    note_failed("export", request, whose=whose)
    now = timezone.localtime()
    archive = write_export(whom, told=told, now=now)
    name = f"topage-{now:%Y-%m-%d}.zip"
    response = FileResponse(archive, as_attachment=True, filename=name, content_type="application/zip")
    add_never_cache_headers(response)
    return response
