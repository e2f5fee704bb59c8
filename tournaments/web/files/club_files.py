"""The page of a club's file, for the director who asked: its progress, its download, or the preview of an import."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from clubs.models import Club
from clubs.uploads.child import UploadRefused
from tournaments.archive.errors import ArchiveError
from tournaments.archive.people import BY_LICENCE, BY_NAME, DOUBT, ERASED, NOBODY
from tournaments.errors import ActionRefused
from tournaments.filing.archives import DONE, IMPORT, MAKE, PREVIEW
from tournaments.filing.rows import LOST, AskedWork, ask_again, find_club_file
from tournaments.models import ClubFile
from tournaments.permissions import Can, require_found
from tournaments.web.doors import FORM, READING, author, club_page
from tournaments.web.downloads import download
from tournaments.web.files.archives import UploadForm
from tournaments.web.parts.archive_doubts import list_archive_doubts, read_archive_answers
from tournaments.words.messages import say

MOST_SHOWN = 100  # the most names of each list on the page
ARCHIVES = {MAKE, PREVIEW, IMPORT, DONE}


@club_page(Can.DIRECT, FORM, back="archives")
def club_file(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    """Show the progress of the file; the page refreshes itself. A POST with answers imports the archive."""
    row = require_found(find_club_file(club=club, by=author(request), token=token))
    if request.method == "POST":
        if row.work == PREVIEW and row.made_at is not None:
            work = AskedWork(IMPORT, {"answers": read_archive_answers(request.POST)})
            ask_again(row, work=work, now=timezone.now())
        return redirect("club_file", club.slug, token)
    context = {"club": club, "row": row, "state": tell_state(row), "refusal": say_refusal(row)}
    if row.work == PREVIEW and row.made_at:
        context |= show_preview(row.outcome, row.details.get("answers", {}))
    template = "club/files/_state.html" if request.htmx else "club/files/file.html"  # type: ignore[attr-defined]
    return render(request, template, context | {"is_archive": row.work in ARCHIVES, "form": UploadForm()})


@club_page(Can.DIRECT, READING)
def club_file_content(request: HttpRequest, club: Club, token: str) -> HttpResponse:
    row = require_found(find_club_file(club=club, by=author(request), token=token))
    if row.made_at is None or not row.name:
        return redirect("club_file", club.slug, token)
    return download(bytes(row.content or b""), row.content_type, row.name)


def tell_state(row: ClubFile) -> str:
    """Return the state that the page shows: `waiting`, `failed`, `preview`, `imported` or `ready`."""
    if row.failed_at or (row.made_at is None and timezone.now() - row.asked_at > LOST):
        return "failed"
    if row.made_at is None:
        return "waiting"
    return {PREVIEW: "preview", DONE: "imported"}.get(row.work, "ready")


def say_refusal(row: ClubFile) -> str:
    """Return the sentence of the job's refusal, or ""."""
    if not row.refusal:
        return ""
    code, params = row.refusal
    kind = ArchiveError if code in {**ArchiveError.messages, **UploadRefused.messages} else ActionRefused
    return say(kind(code, **params))


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
