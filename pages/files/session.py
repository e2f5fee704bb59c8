"""The files of a session for its directors: standings, rulings, registrations, and the homologation sheet.

The club's members have a file too: those on the list, or with `?away` those removed from it.
"""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.models import Club
from evenings.plays.desk_state import hidden_etuis
from outgoing.filing import AskedWork, ask_for_club_file, count_table_rows, want_table, write_table
from outgoing.sheets.director_tables import MEMBERS, REGISTRATIONS, RULINGS, take_homologation
from outgoing.sheets.files import CSV, XLSX, SheetTable, write_file
from outgoing.sheets.ranking_tables import RANKING, make_session_table
from outgoing.sheets.wanted import LARGE
from pages.acting import signed
from pages.doors import ACTION, FORM, Phase, author, club_page, session_page, session_url
from pages.downloads import send_file
from rankings.publication import building
from rankings.publication.report import read_for_directors
from tournaments.models import Session
from tournaments.permissions import Can, require_found


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


def answer_table(request: HttpRequest, session: Session, table: SheetTable) -> HttpResponse:
    return send_file(write_file([table], read_kind(request), session.tournament.slug, session.number, table.code))


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def standings_file(request: HttpRequest, session: Session) -> HttpResponse:
    """Answer with the ranking so far. A director who has still to play an étui sees none."""
    if hidden_etuis(session, request.user):
        raise Http404
    report = read_for_directors(require_found(building.read_live_ranking(session)))
    return answer_table(request, session, make_session_table(RANKING, report))


@session_page(Can.DIRECT, FORM, phase=Phase.BEGUN)
def rulings_file(request: HttpRequest, session: Session) -> HttpResponse:
    work = want_table(RULINGS, read_kind(request), read_language(), session=session)
    return give_table(request, session.tournament.club, work)


@session_page(Can.DIRECT, FORM, phase=Phase.DRAFT)
def registrations_file(request: HttpRequest, session: Session) -> HttpResponse:
    work = want_table(REGISTRATIONS, read_kind(request), read_language(), session=session)
    return give_table(request, session.tournament.club, work)


@session_page(Can.DIRECT, ACTION, phase=Phase.BEGUN, back="publish")
def homologation(request: HttpRequest, session: Session) -> HttpResponse:
    """Answer with the sheet of the published ranking. Each download is written to the session's log."""
    read_kind(request)  # refused before anything is logged
    table = take_homologation(session=session, **signed(request))
    if table is None:
        messages.error(request, _("Publish the ranking first: the homologation sheet is made from it."))
        return redirect(session_url("publish", session))
    return answer_table(request, session, table)
