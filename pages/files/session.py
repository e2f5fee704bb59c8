"""The files of a session for its directors: standings, rulings, registrations, and the homologation sheet."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from evenings.plays.desk_state import hidden_etuis
from outgoing.filing import want_table
from outgoing.sheets.director_tables import REGISTRATIONS, RULINGS, take_homologation
from outgoing.sheets.files import SheetTable, write_file
from outgoing.sheets.ranking_tables import RANKING, make_session_table
from pages.acting import signed
from pages.doors import ACTION, FORM, Phase, session_page, session_url
from pages.downloads import send_file
from pages.files.members import give_table, read_kind, read_language
from rankings.publication import building
from rankings.publication.report import read_for_directors
from tournaments.models import Session
from tournaments.permissions import Can, require_found


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
