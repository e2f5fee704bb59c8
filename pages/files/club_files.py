"""The page of a club's file, for the director who asked: its progress, its download, or the preview of an import.

The preview of an archive asks about its players who may be players of the club's list.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from archives.archive.people import BY_LICENCE, BY_NAME, DOUBT, ERASED, NOBODY
from archives.errors import ArchiveError, SealedFileError
from clubs.models import Club
from clubs.uploads.child import UploadRefused
from evenings.plays.desk_state import hidden_etuis
from outgoing.filing import (
    DONE,
    DOUBTFUL,
    IMPORT,
    LOST,
    MAKE,
    PAPERS,
    PREVIEW,
    RECEIVE,
    RECEIVED,
    AskedWork,
    ask_again,
    find_club_file,
    refuse_while_playing,
    want_results_again,
)
from pages.doors import FORM, READING, author, club_page, refuse
from pages.downloads import download
from pages.files.archives import UploadForm
from pages.parts.results_form import ResultsForm
from tournaments.errors import ActionRefused
from tournaments.models import ClubFile
from tournaments.permissions import Can, require_found
from tournaments.words.messages import say

NEW = "new"


def list_archive_doubts(doubts: Iterable[Mapping[str, Any]], answers: Mapping[str, int | None]) -> list[dict[str, Any]]:
    """Return the doubts for the template, each with the answer that was already given."""
    return [{**each, "chosen": choose_answer(each, answers)} for each in doubts]


def choose_answer(doubt: Mapping[str, Any], answers: Mapping[str, int | None]) -> str:
    """Return the value of the answer that was given about a doubtful player, or ""."""
    if str(doubt["row"]) not in answers:
        return ""
    chosen = answers[str(doubt["row"])]
    return NEW if chosen is None else str(chosen)


def read_archive_answers(posted: Mapping[str, str]) -> dict[str, int | None]:
    """Return the answers of the form by the row in the archive.

    A field has a name like `row-7`, and the value `new` or a number. Raise `Http404` for a field that the page does not
    have.
    """
    answers: dict[str, int | None] = {}
    for name, value in posted.items():
        if not name.startswith("row-"):
            continue
        row = name.removeprefix("row-")
        if not (row.isascii() and row.isdigit() and (value == NEW or (value.isascii() and value.isdigit()))):
            raise Http404
        answers[row] = None if value == NEW else int(value[:15])
    return answers


MOST_SHOWN = 100  # the most names of each list on the page
ARCHIVES = {MAKE, PREVIEW, IMPORT, DONE}
RESULTS = {RECEIVE, DOUBTFUL, RECEIVED}


@club_page(Can.DIRECT, FORM, back="archives")
def club_file(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    """Show the progress of the file; the page refreshes itself. A POST with answers imports the uploaded archive."""
    row = require_found(find_club_file(club=club, by=author(request), token=token))
    if request.method == "POST":
        if row.work in {PREVIEW, DOUBTFUL} and row.made_at is not None:
            answers = read_archive_answers(request.POST)
            is_preview = row.work == PREVIEW
            work = AskedWork(IMPORT, {"answers": answers}) if is_preview else want_results_again(row, answers)
            ask_again(row, work=work, now=timezone.now())
        return redirect("club_file", club.slug, token)
    context = {"club": club, "row": row, "state": tell_state(row), "refusal": say_refusal(row)}
    if row.work == PREVIEW and row.made_at:
        context |= show_preview(row.outcome, row.details.get("answers", {}))
    if row.work == DOUBTFUL and row.made_at:
        context["doubts"] = list_archive_doubts(row.outcome["doubts"], row.details.get("answers", {}))
    is_results = row.work in RESULTS
    form = ResultsForm(initial={"club": row.details["club"]}) if is_results else UploadForm()
    heading = _("Clubs on other sites") if is_results else _("Archive") if row.work in ARCHIVES else _("File")
    heading = _("Everything for tonight") if row.work == PAPERS else heading
    context |= {"heading": heading, "is_results": is_results, "form": form}
    template = "club/files/_state.html" if request.htmx else "club/files/file.html"  # type: ignore[attr-defined]
    return render(request, template, context)


@club_page(Can.DIRECT, READING)
def club_file_content(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    row = require_found(find_club_file(club=club, by=author(request), token=token))
    if row.made_at is None or not row.name:
        return redirect("club_file", club.slug, token)
    try:
        refuse_to_player(row)
    except (ActionRefused, ArchiveError) as refusal:
        return refuse(request, refusal, reverse("club_file", args=[club.slug, token]))
    return download(bytes(row.content or b""), row.content_type, row.name)


def refuse_to_player(row: ClubFile) -> None:
    """Raise a refusal if the file has cards or results of étuis that its director has still to play.

    The director had none to play when the job made the file, and has declared since then to play.
    """
    if row.work == MAKE and row.tournament is not None:
        refuse_while_playing(row.tournament, row.account)
    has_cards = row.work == PAPERS and row.outcome.get("has_cards", True)
    if has_cards and row.session is not None and hidden_etuis(row.session, row.account):
        raise ActionRefused("papers_show_cards")


def tell_state(row: ClubFile) -> str:
    """Return the state that the page shows. It is `waiting`, `failed`, `ready`, or the outcome of an upload."""
    if row.failed_at or (row.made_at is None and timezone.now() - row.asked_at > LOST):
        return "failed"
    if row.made_at is None:
        return "waiting"
    if row.work == PAPERS and not row.name:
        return "unchanged"
    states = {PREVIEW: "preview", DONE: "imported", DOUBTFUL: "doubtful", RECEIVED: "received"}
    return states.get(row.work, "ready")


def say_refusal(row: ClubFile) -> str:
    """Return the sentence of the job's refusal, or ""."""
    if not row.refusal:
        return ""
    code, params = row.refusal
    kinds = (ArchiveError, SealedFileError, UploadRefused)
    return say(next((kind for kind in kinds if code in kind.messages), ActionRefused)(code, **params))


def show_preview(outcome: Mapping[str, Any], answers: Mapping[str, int | None]) -> dict[str, Any]:
    """Return the template context for the preview of an import. `answers` are those that were already given."""
    people = outcome["players"]
    groups = {how: [each for each in people if each["how"] == how] for how in (BY_LICENCE, BY_NAME, NOBODY, ERASED)}
    doubts = list_archive_doubts((each for each in people if each["how"] == DOUBT), answers)
    return {
        "told": outcome,
        "same": groups[BY_LICENCE] + groups[BY_NAME],
        "new": groups[NOBODY],
        "erased": groups[ERASED],
        "doubts": doubts,
        "strangers": [each["name"] for each in outcome["authors"] if not each["has_account"]],
        "most": MOST_SHOWN,
    }
