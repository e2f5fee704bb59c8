"""The page that lists the papers of an evening, and the job that makes one PDF of them, or of those that changed.

A print is the PDF that the job has made: the site keeps a digest of each piece in it for a day. Later, one press prints
the pieces that differ from the newest print of their paper (`outgoing.paper.pdf`).
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import get_language

from clubs.models import User
from deals.copies import read_etuis
from deals.exports import pdf
from deals.exports.documents import SetHeading
from deals.exports.pdf import Sheets, join_documents
from deals.models import DealLook, Etui
from deals.sets import record_look
from evenings.changes.preview import find_touched
from evenings.plays.desk_state import hidden_etuis
from outgoing.filing import PAPERS, AskedWork, FileMakers, MadeFile, ask_for_club_file, note_progress
from outgoing.paper.pdf import digest_pieces, keep_changed, make_heading
from outgoing.paper.words import occasion
from pages.acting import signed
from pages.desk.papers.documents import ETUI_DOCUMENTS, WITH_CARDS, Document, list_documents, list_tonight
from pages.desk.prints import find_hall_link, make_sheets
from pages.doors import FORM, Phase, author, session_page, session_url
from rankings.publication.etuis import read_etui_plays
from rankings.publication.etuis import sheets as make_printed_etuis
from scoring.formats import find_format
from tournaments.addresses import UnsentRequest, is_only_here, origin_of
from tournaments.models import ClubFile, Session
from tournaments.permissions import Can

ETUI_PAPERS = [each.code for each in ETUI_DOCUMENTS]
CHANGED = "changed"  # the value of the button that asks for the changed papers only


@session_page(Can.DIRECT, phase=Phase.BEGUN)
def prints(request: HttpRequest, session: Session) -> HttpResponse:
    form, prints = find_format(session.tournament.format), find_prints(session)
    published = session.published is not None  # type: ignore[attr-defined]  # the door has read it with the session
    context = {
        "session": session,
        "tonight": list_tonight(form),
        "of_etuis": list_etui_documents(session, author(request), timezone.now()),
        "documents": list_documents(form, published=published),
        "published": published,
        "printed_at": prints[-1].made_at if prints else None,
        "touched": len(find_touched(session)),
        "host": urlsplit(origin_of(request)).netloc,
        "unreachable": is_only_here(request),
        "hall": find_hall_link(request, session),
        "may_renew_hall": session.closed_at is None,
    }
    return render(request, "desk/prints.html", context)


@session_page(Can.DIRECT, FORM, phase=Phase.BEGUN, back="prints")
def prints_tonight(request: HttpRequest, session: Session) -> HttpResponse:
    """Ask a job for one PDF of the papers that the boxes choose, or of those that changed. Redirect to its page.

    Without a box, the PDF has all papers of the plan.
    """
    if request.method != "POST":
        return redirect(session_url("prints", session))
    codes = [each.code for each in list_tonight(find_format(session.tournament.format))]
    details = {
        "papers": [code for code in request.POST.getlist("paper") if code in (*codes, *ETUI_PAPERS)] or codes,
        "changed": request.POST.get("only") == CHANGED,
        "language": (get_language() or "fr")[:2],
        "origin": origin_of(request),
    }
    work = AskedWork(PAPERS, details, session.tournament, session)
    row = ask_for_club_file(club=session.tournament.club, work=work, **signed(request))
    return redirect("club_file", session.tournament.club.slug, row.token)


def find_prints(session: Session) -> list[ClubFile]:
    """Return the prints of a session that the site still knows, the oldest first."""
    made = ClubFile.objects.filter(session=session, work=PAPERS).exclude(made_at=None)
    return list(made.only("made_at", "outcome").order_by("made_at"))


def list_etui_documents(session: Session, user: User, now: dt.datetime) -> list[Document]:
    """Return the papers of the étuis that this director may have.

    A director who has still to play an étui gets no cards. Nobody gets them before they are dealt.
    """
    if session.deal_set is None or session.deal_set.free:
        return []
    etuis = [each for each in read_etuis(session.deal_set, now) if each.number >= session.first_etui]
    has_cards = any(each.cards for each in etuis) and not hidden_etuis(session, user)
    return [each for each in ETUI_DOCUMENTS if has_cards or each.code not in WITH_CARDS]


def find_etuis(session: Session, now: dt.datetime) -> list[Etui]:
    """Return the étuis of the plan. Without a plan, return all from the session's first étui on."""
    assert session.deal_set is not None
    etuis = [each for each in read_etuis(session.deal_set, now) if each.number >= session.first_etui]
    planned = read_etui_plays(session)
    return [each for each in etuis if not planned or each.number in planned]


def make_etui_sheets(session: Session, code: str, language: str, now: dt.datetime) -> Sheets:
    """Return a paper of the étuis. The caller logs the look before it prints cards."""
    assert session.deal_set is not None
    own = make_heading(session)
    heading = SetHeading(occasion(own), session.tournament.name, session.deal_set.players)
    etuis = make_printed_etuis(
        find_etuis(session, now),
        with_cards=code in WITH_CARDS,
        plan=read_etui_plays(session) if code == "fiches" else None,
        bids=not own.imposed,
    )
    make = {
        "building": pdf.building_list,
        "diagrams": pdf.diagrams,
        "etui_labels": pdf.labels,
        "fiches": pdf.fiches,
    }[code]
    return make(heading, etuis, language=language)


def choose_papers(session: Session, row: ClubFile, now: dt.datetime) -> dict[str, Mapping[str, Any]]:
    """Return the papers that a row asks for, by code, in the order of use: the language of each, and what was printed.

    Papers that the director may not have are left out, and papers of cards if no étui of the plan has cards.
    """
    wanted: dict[str, Mapping[str, Any]] = {
        code: {"language": row.details["language"], "pieces": []} for code in row.details["papers"]
    }
    if row.details["changed"]:
        wanted = {code: printed for each in find_prints(session) for code, printed in each.outcome["printed"].items()}
    offered = list_tonight(find_format(session.tournament.format))
    offered += list_etui_documents(session, row.account, now)
    codes = [each.code for each in offered if each.code in wanted]
    if any(code in WITH_CARDS for code in codes) and not any(each.cards for each in find_etuis(session, now)):
        codes = [code for code in codes if code not in WITH_CARDS]
    return {code: wanted[code] for code in codes}


def make_papers(row: ClubFile, now: dt.datetime) -> MadeFile:
    """Return the PDF of the papers, and what is printed of each. Without a changed piece, there is no file."""
    session = row.session
    assert session is not None
    chosen = choose_papers(session, row, now)
    documents, printed = [], {}
    for done, (code, before) in enumerate(chosen.items(), start=1):
        with translation.override(before["language"]), timezone.override(row.club.zone):
            if code in ETUI_PAPERS:
                sheets = make_etui_sheets(session, code, before["language"], now)
            else:
                sheets = make_sheets(UnsentRequest(row.details["origin"]), session, code, before["language"])
        printed[code] = {"language": before["language"], "pieces": digest_pieces(sheets)}
        if changed := keep_changed(sheets, before["pieces"]):
            if code in WITH_CARDS:
                record_card_print(session, row.account, code, now)
            documents.append(changed.typeset())
        note_progress(row, done, len(chosen) + 1)
    name = f"{session.tournament.slug}-{session.number}.pdf"
    content = join_documents(documents) if documents else None
    outcome = {"printed": printed, "has_cards": not printed.keys().isdisjoint(WITH_CARDS)}
    return MadeFile(content, "application/pdf", name if content else "", outcome)


def record_card_print(session: Session, user: User, code: str, now: dt.datetime) -> None:
    """Log that a director gets the cards of the session's étuis on paper."""
    assert session.deal_set is not None
    numbers = [each.number for each in find_etuis(session, now)]
    record_look(
        deal_set=session.deal_set,
        user=user,
        first=min(numbers),
        last=max(numbers),
        now=now,
        kind=DealLook.LookKind.PRINTED,
        document=code,
    )


PAPER_MAKERS: FileMakers = {PAPERS: make_papers}
