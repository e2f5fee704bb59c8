"""The jobs for archives: making one of a tournament, previewing the import of an uploaded one, and importing it."""

import datetime as dt
from typing import Any

from archives.archive.errors import ArchiveError
from archives.archive.restoring import Answers, TournamentImport
from archives.archive.snapshot import export_snapshot
from clubs.models import User
from clubs.uploads.child import IN_JOB
from evenings.plays.desk_state import hidden_etuis
from outgoing.filing.rows import AskedWork, FileMakers, MadeFile
from tournaments.models import ClubFile, Session, Tournament

MAKE, PREVIEW, IMPORT, DONE = "archive_made", "archive_preview", "archive_import", "archive_imported"
ZIP = "application/zip"


def want_archive(tournament: Tournament, by: User, *, cards: bool) -> AskedWork:
    """Return the task to make an archive (with hidden cards if `cards`).

    Raise `ArchiveError` if `by` has étuis left to play.
    """
    refuse_while_playing(tournament, by)
    return AskedWork(MAKE, {"cards": cards}, tournament)


def refuse_while_playing(tournament: Tournament, by: User) -> None:
    """Raise `ArchiveError` if the director still has étuis to play in the tournament.

    Its archive contains the results of these étuis.
    """
    running = tournament.sessions.filter(status=Session.Status.RUNNING).order_by("number")
    for session in running.select_related("tournament__club"):
        if hidden_etuis(session, by):
            raise ArchiveError("archive_playing", number=session.number)


def make_archive(row: ClubFile, now: dt.datetime) -> MadeFile:
    assert row.tournament is not None
    refuse_while_playing(row.tournament, row.account)
    cards_for = row.account if row.details["cards"] else None
    packed = export_snapshot(tournament=row.tournament, now=now, cards_for=cards_for, by=row.account)
    return MadeFile(packed, ZIP, f"{row.club.slug}-{row.tournament.slug}.zip")


def preview_archive(row: ClubFile, _now: dt.datetime) -> MadeFile:
    """Return the preview of importing the uploaded archive. The file is kept until it is imported."""
    content = bytes(row.content or b"")
    return MadeFile(content, ZIP, "", describe_archive(read_archive(row, content, {})))


def describe_archive(found: TournamentImport) -> dict[str, Any]:
    """Return what an import would do, as plain data.

    `known_as` is the address of the tournament if the club already has it.
    """
    return found.describe()


def read_archive(row: ClubFile, content: bytes, answers: Answers) -> TournamentImport:
    return TournamentImport.read_uploaded(content, row.club, answers, most=IN_JOB)


def import_archive(row: ClubFile, now: dt.datetime) -> MadeFile:
    """Import the uploaded archive with the director's answers.

    If the import is refused, the preview is shown again, with the reason.
    """
    content = bytes(row.content or b"")
    try:
        found = read_archive(row, content, read_answers(row.details))
        known = found.known is not None
        tournament = found.carry_out(by=row.account, now=now)
    except ArchiveError as refusal:
        outcome = describe_archive(read_archive(row, content, {}))
        return MadeFile(content, ZIP, "", outcome, PREVIEW, refusal)
    told = {"tournament": tournament.name, "slug": tournament.slug, "known": known}
    return MadeFile(None, "", "", told, DONE)


def read_answers(details: dict[str, Any]) -> Answers:
    """Return the answers about doubtful players, by their row in the archive: a player, or None for somebody new."""
    return {int(number): player for number, player in details.get("answers", {}).items()}


ARCHIVE_MAKERS: FileMakers = {MAKE: make_archive, PREVIEW: preview_archive, IMPORT: import_archive}
