"""The files that a page offers for download. No cache stores them."""

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from archives.privacy.export import write_export
from archives.privacy.whom import Whom
from clubs.guard import answer_too_often, has_tries, note_failed
from outgoing.sheets.files import SheetFile

EXPORTS_A_MINUTE = 5  # the limit for one account or one personal link


def download(content: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "no-store"
    return response


def send_file(file: SheetFile) -> HttpResponse:
    """Answer with a file of tables, made for this request. No cache stores it."""
    return download(file.content, file.content_type, file.name)


def hand_out(request: HttpRequest, whom: Whom, *, told: str, whose: str) -> HttpResponseBase:
    """Answer with an archive of all data stored about somebody.

    `told` is a sentence for the archive. It names the person whose data the archive has, and who made it. `whose` names
    the account or the link that requests it. If it requests too many exports in a minute, refuse.
    """
    if not has_tries("export", request, most=EXPORTS_A_MINUTE, whose=whose):
        return answer_too_often(request)
    note_failed("export", request, whose=whose)
    now = timezone.localtime()
    archive = write_export(whom, told=told, now=now)
    name = f"topage-{now:%Y-%m-%d}.zip"
    response = FileResponse(archive, as_attachment=True, filename=name, content_type="application/zip")
    add_never_cache_headers(response)
    return response
