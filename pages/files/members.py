"""The file of a club's members, for its directors: those on the list, or with `?away` those removed from it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language

from clubs.models import Club
from outgoing.filing import AskedWork, ask_for_club_file, count_table_rows, want_table, write_table
from outgoing.sheets.director_tables import MEMBERS
from outgoing.sheets.files import CSV, XLSX
from outgoing.sheets.wanted import LARGE
from pages.acting import signed
from pages.doors import FORM, author, club_page
from pages.downloads import send_file
from tournaments.permissions import Can


def read_kind(request: HttpRequest) -> str:
    """Return the kind of file that a director asks for, XLSX by default."""
    kind = (request.POST or request.GET).get("kind", XLSX)
    if kind not in (CSV, XLSX):
        raise Http404
    return kind


def read_language() -> str:
    return get_language() or "fr"


def give_table(request: HttpRequest, club: Club, work: AskedWork) -> HttpResponse:
    """Answer with the file of a table. If it has very many rows, show the page whose button asks a job for it."""
    count = count_table_rows(club, work)
    if count < LARGE:
        return send_file(write_table(club, work.session, author(request), work.details))
    if request.method != "POST":
        context = {"club": club, "session": work.session, "count": count, "kind": work.details["kind"]}
        return render(request, "club/files/large.html", context)
    row = ask_for_club_file(club=club, work=work, **signed(request))
    return redirect("club_file", club.slug, row.token)


@club_page(Can.DIRECT, FORM, back="players")
def members_file(request: HttpRequest, club: Club) -> HttpResponse:
    work = want_table(MEMBERS, read_kind(request), read_language(), away="away" in request.GET)
    return give_table(request, club, work)
