"""The page of a table's screen, on a phone or tablet. It is the same for every table; a script fetches its content."""

import re

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.guard import client_address, find_full, know_code, note_tries
from clubs.guard.counting import counts_of_codes
from evenings.glance import get_table_for_token
from evenings.tables.devices import open_by_number
from tournaments.codes import read_code, say_misread
from tournaments.permissions import find_code_by_number, is_table_number

MAKES = re.compile(r"iPhone|iPad|Android|Windows|Macintosh|Linux")


@require_safe
def screen(request: HttpRequest, token: str) -> HttpResponse:
    try:
        get_table_for_token(token, timezone.now())
    except Http404:
        response = render(request, "table/unknown.html", status=404)
    else:
        response = render(request, "table/screen.html")
    response["Cache-Control"] = "no-store"
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def number(request: HttpRequest) -> HttpResponse:
    """Show a form for the number on a table card. A POST opens that table's screen, and logs this for the director."""
    if request.method != "POST":
        return render(request, "table/number.html")
    typed = request.POST.get("number", "")[:40]
    read = read_code(typed)
    if not is_table_number(read):  # not counted as a guess: no table can have such a number
        return render(request, "table/number.html", {"error": say_misread(read), "typed": typed}, status=404)
    counts = counts_of_codes(request)
    if find_full(counts):
        error = _("Too many wrong numbers were typed here: wait ten seconds, or scan the code on the card.")
        return render(request, "table/number.html", {"error": error, "typed": typed}, status=429)
    found = find_code_by_number(read, timezone.now())
    if found is None:
        note_tries(counts)
        error = _("This number does not open a table, or no longer does: look at the table card again.")
        return render(request, "table/number.html", {"error": error, "typed": typed}, status=404)
    made_by = MAKES.search(request.headers.get("User-Agent", ""))
    address = client_address(request) or ""
    open_by_number(found, now=timezone.now(), device=made_by[0] if made_by else "", address=address)
    know_code(request)
    return redirect("table_screen", found.token)


@require_safe
@never_cache
def worker(request: HttpRequest) -> HttpResponse:
    """Return the script of the service worker. By its address, a browser uses it only for the screens of tables."""
    return render(request, "table/sw.js", content_type="text/javascript")
