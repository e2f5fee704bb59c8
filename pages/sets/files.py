"""The printed documents and exported files of a deal set. A document with cards is logged before it is made.

Printing shows no cards on the screen, so a director who plays can print without seeing them. A large set is printed in
several files, one request for each, so that no request takes more than a few seconds.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import get_language, gettext, override

from deals.copies import read_etuis
from deals.domain.exchange import write_csv, write_json, write_text
from deals.exports import pdf
from deals.exports.documents import PrintedEtui, SetHeading
from deals.models import DealLook, DealSet
from deals.sets import record_look
from pages.doors import ACTION, READING, author
from pages.downloads import download
from pages.sets.forms import PrintForm
from pages.sets.set_page import SetPage, context_of, deal_set_page, set_url
from rankings.publication.etuis import make_etui_set, read_etui_plays, records, sheets
from rankings.publication.publishing import read_open
from rankings.publication.report import read_in_public
from scoring.formats import find_format
from tournaments.models import Session

A_PART = 36
ONE_FILE = 144  # the most étuis in one file; making it takes about three seconds
DONE = "printed_parts"
CHOSEN = ("document", "only", "language", "colour", "session", "first", "last")
FORMATS = {"txt": "text/plain", "csv": "text/csv", "json": "application/json"}


class FilePart(NamedTuple):
    """The first and last étui of one file, and the time at which this browser got the file, or None."""

    first: int
    last: int
    done: dt.datetime | None


def form_of(page: SetPage, data: Any = None) -> PrintForm:
    sessions = page.deal_set.sessions.select_related("tournament").order_by("date", "number")
    language = (get_language() or "fr")[:2]
    latest = sessions.last()
    return PrintForm(
        page.numbers, page.deal_set.players, sessions, data, language=language, session=latest and latest.pk
    )


@deal_set_page(READING)
def print_documents(request: HttpRequest, deal_set: DealSet) -> HttpResponse:
    """Show the form to choose a document.

    If the address names a document, show its files, and which of them this browser has got already.
    """
    page = SetPage(deal_set)
    asked = "document" in request.GET
    form = form_of(page, request.GET if asked else None)
    parts = parts_of(page, form, request.session.get(DONE, {})) if asked and form.is_valid() else []
    context = context_of(page, form=form, parts=parts, part_done=sum(bool(part.done) for part in parts))
    context["chosen"] = [(name, request.GET.get(name, "")) for name in CHOSEN if name not in ("first", "last")]
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "sets/_parts.html", context)
    return render(request, "sets/print.html", context)


def parts_of(page: SetPage, form: PrintForm, done: dict[str, str]) -> list[FilePart]:
    data = form.cleaned_data
    numbers = [number for number in page.numbers if data["first"] <= number <= data["last"]]
    chunks = (numbers[i : i + A_PART] for i in range(0, len(numbers), A_PART))
    return [
        FilePart(chunk[0], chunk[-1], parse_datetime(done.get(mark(page.deal_set, data, chunk[0], chunk[-1]), "")))
        for chunk in chunks
    ]


def mark(deal_set: DealSet, data: dict[str, Any], first: int, last: int) -> str:
    """Return the key under which the session of the browser stores that a file was made."""
    return f"{deal_set.pk} {log_name(data)} {data['language']} {first}-{last}"


@deal_set_page(ACTION)
def pdf_file(request: HttpRequest, deal_set: DealSet) -> HttpResponse:
    """Return the PDF of the chosen étuis.

    Redirect to the list of files if the étuis are too many for one file, or if the user wants several files.
    """
    page = SetPage(deal_set)
    form = form_of(page, request.POST)
    if not form.is_valid():
        return render(request, "sets/print.html", context_of(page, form=form, parts=[]))
    data = form.cleaned_data
    count = sum(data["first"] <= number <= data["last"] for number in page.numbers)
    if "parts" in request.POST or count > ONE_FILE:
        chosen = QueryDict(mutable=True)
        chosen.update({name: request.POST.get(name, "") for name in CHOSEN})
        return redirect(f"{set_url('deal_set_print', deal_set)}?{chosen.urlencode()}#parts")
    with override(data["language"]):
        etuis = etuis_to_print(deal_set, data)
    if not etuis:
        form.add_error("document", gettext("None of these étuis has cards to print."))
        return render(request, "sets/print.html", context_of(page, form=form, parts=[]))
    if data["document"] in PrintForm.CARDS:
        record_look(
            deal_set=deal_set,
            user=author(request),
            first=data["first"],
            last=data["last"],
            now=timezone.now(),
            kind=DealLook.LookKind.PRINTED,
            document=log_name(data),
        )
    done = mark(deal_set, data, data["first"], data["last"])
    request.session[DONE] = {**request.session.get(DONE, {}), done: timezone.now().isoformat()}
    return download(
        make_file(deal_set, data, etuis),
        "application/pdf",
        f"{slugify(deal_set.name) or 'etuis'}-{log_name(data).replace(' ', '-')}-{data['first']}-{data['last']}.pdf",
    )


def log_name(data: dict[str, Any]) -> str:
    """Return the document's name in the log, for example "building" or "diagrams N"."""
    only = data["only"] if data["document"] in ("diagrams", "blank") else ""
    return f"{data['document']} {only}".strip()


def etuis_to_print(deal_set: DealSet, data: dict[str, Any]) -> list[PrintedEtui]:
    """Return the étuis to print. If the document shows cards, leave out the étuis that have no cards."""
    document, session, ends = data["document"], data["session"], (data["first"], data["last"])
    if document == PrintForm.RECORDS:
        shown = read_open(session)
        published = records(read_in_public(shown)) if shown else []
        return [etui for etui in published if etui.number is not None and ends[0] <= etui.number <= ends[1]]
    bids = table_bids(deal_set, session)
    etuis = [each for each in read_etuis(deal_set, timezone.now()) if ends[0] <= each.number <= ends[1]]
    if document in PrintForm.CARDS:
        return sheets([each for each in etuis if each.cards], with_cards=True, bids=bids)
    plan = read_etui_plays(session) if session and document == "fiches" else None
    return sheets(etuis, with_cards=False, plan=plan, bids=bids)


def table_bids(deal_set: DealSet, session: Session | None) -> bool:
    """Return whether the étuis are played in a free auction.

    If no session is chosen, return True only if all sessions that play the set have a free auction.
    """
    formats = {session.tournament.format} if session else deal_set.sessions.values_list("tournament__format", flat=True)
    found = [find_format(name) for name in formats]
    return bool(found) and not any(each.is_imposed for each in found)


def make_file(deal_set: DealSet, data: dict[str, Any], etuis: Sequence[PrintedEtui]) -> bytes:
    language, only = data["language"], data["only"] or None
    with override(language):
        colour = str(dict(PrintForm.base_fields["colour"].choices)[data["colour"]]) if data["colour"] else ""  # type: ignore[attr-defined]
    session = data["session"]
    with override(language):
        name, tournament = names_of(deal_set, session)
    heading = SetHeading(
        name=name,
        tournament=tournament,
        players=deal_set.players,
        colour=colour,
        ink=PrintForm.INKS.get(data["colour"], ""),
    )
    documents: dict[str, Callable[[], pdf.Sheets]] = {
        "diagrams": lambda: pdf.diagrams(heading, etuis, language=language, only=only, tinted=only is None),
        "blank": lambda: pdf.diagrams(heading, etuis, language=language, only=only, tinted=only is None),
        "building": lambda: pdf.building_list(heading, etuis, language=language),
        "labels": lambda: pdf.labels(heading, etuis, language=language),
        "fiches": lambda: pdf.fiches(heading, etuis, language=language),
        "records": lambda: pdf.hand_records(heading, etuis, language=language),
    }
    return documents[data["document"]]().typeset()


def names_of(deal_set: DealSet, session: Session | None) -> tuple[str, str]:
    """Return (name of the set, name of the tournament) for printed sheets, in the active language.

    With a session, the name of the set ends with the session's date, and does not repeat the tournament's name. If
    nothing else is left of it, the set is called like the session, for example "session 2".
    """
    if session is None:
        return deal_set.name, ""
    tournament = session.tournament.name
    own = deal_set.name.removeprefix(tournament).strip(" ·") if deal_set.name.startswith(tournament) else deal_set.name
    if own in ("", str(session.number)):
        own = gettext("session %(number)s") % {"number": session.number}
    return f"{own} · {date_format(session.date, 'DATE_FORMAT')}", tournament


@deal_set_page(ACTION)
def export(request: HttpRequest, deal_set: DealSet, fmt: str) -> HttpResponse:
    """Download the whole set as a file. Only a JSON file can hold the secret seed, and only if `seed` is sent."""
    if fmt not in FORMATS:
        raise Http404
    with_seed = fmt == "json" and "seed" in request.POST
    etuis = read_etuis(deal_set, timezone.now())
    if with_seed or any(etui.cards for etui in etuis):
        record_look(
            deal_set=deal_set,
            user=author(request),
            first=etuis[0].number,
            last=etuis[-1].number,
            now=timezone.now(),
            kind=DealLook.LookKind.EXPORTED,
            document=f"{fmt}+seed" if with_seed else fmt,
        )
    write = {"txt": write_text, "csv": write_csv, "json": write_json}[fmt]
    text = write(make_etui_set(deal_set, etuis, with_seed=with_seed))
    return download(text.encode(), f"{FORMATS[fmt]}; charset=utf-8", f"{slugify(deal_set.name) or 'etuis'}.{fmt}")
