"""The pages of a large file.

A reader asks for it, sees its progress while a job makes it, and downloads it within a day.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from clubs.guard import read_device
from clubs.guard.devices import counted_address
from outgoing.sheets.files import CSV, KINDS, XLSX
from outgoing.sheets.wanted import EVERYTHING, ask_for_file, choose_tables, find_open_stamp, is_still_shown
from pages.downloads import download
from tournaments.errors import ActionRefused
from tournaments.models import WantedFile
from tournaments.permissions import Can, get_session_for, require_found
from tournaments.words.messages import say


# Published pages are the same for every reader and have no token. To ask for a file on behalf of somebody does no harm.
@csrf_exempt
@require_POST
def ask_published_file(request: HttpRequest, club: str, tournament: str, number: int, version: int) -> HttpResponse:
    """Ask for a file, and redirect to its page. If another file is being made for the same reader, show a message."""
    where = {"tournament__club__slug": club, "tournament__slug": tournament, "number": number}
    session = get_session_for(request.user, Can.READ, **where)
    stamp = require_found(find_open_stamp(session, version))
    table, kind = request.POST.get("table", EVERYTHING), request.POST.get("kind", XLSX)
    if kind not in KINDS or not choose_tables(stamp.shows, table) or (kind, table) == (CSV, EVERYTHING):
        raise Http404
    asked = table, kind, (get_language() or "fr")[:2]
    try:
        row = ask_for_file(session=session, stamp=stamp, asked=asked, asker=name_asker(request), now=timezone.now())
    except ActionRefused as refusal:
        return never_keep(render(request, "public/files/refused.html", {"text": say(refusal)}, status=409))
    return redirect("wanted_file", row.token)


def name_asker(request: HttpRequest) -> str:
    """Return a digest of the account, else of the device if the site knows it, else of the network address.

    The readers of a club often share one address.
    """
    device = read_device(request)
    if request.user.is_authenticated:
        who = f"account {request.user.pk}"
    else:
        who = f"device {device.number}" if device.came_known else f"address {counted_address(request)}"
    return salted_hmac("wanted files", who, algorithm="sha256").hexdigest()


def find_wanted(request: HttpRequest, token: str) -> WantedFile:
    """Return the file of this address, if its reader may still have it. Raise `Http404` otherwise."""
    rows = WantedFile.objects.select_related("session__tournament__club").defer("content")
    row = require_found(rows.filter(token=token).first())
    get_session_for(request.user, Can.READ, pk=row.session_id)
    return row


@require_safe
def wanted_file(request: HttpRequest, token: str) -> HttpResponse:
    """Show the progress of the file. The page refreshes itself until the file is ready."""
    row = find_wanted(request, token)
    state = "failed" if row.failed_at else "ready" if row.made_at else "waiting"
    if state != "failed" and not is_still_shown(row):
        state = "stale"
    context = {"row": row, "state": state, "session": row.session, "club": row.session.tournament.club}
    template = "public/files/_state.html" if request.htmx else "public/files/wanted.html"  # type: ignore[attr-defined]
    return never_keep(render(request, template, context))


@require_safe
def wanted_file_content(request: HttpRequest, token: str) -> HttpResponse:
    row = find_wanted(request, token)
    if row.made_at is None or not is_still_shown(row):
        return redirect("wanted_file", token)
    return download(bytes(row.content or b""), KINDS[row.kind], row.name)


def never_keep(response: HttpResponse) -> HttpResponse:
    add_never_cache_headers(response)
    return response
