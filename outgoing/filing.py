"""The files of a club that a job makes for a director, or reads: one at a time for each account, kept for a day.

The functions in `FileMakers` do the work of a job.
"""

import datetime as dt
import secrets
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from archives.archive.restoring import Answers, TournamentImport
from archives.archive.writing import export_snapshot
from archives.elsewhere.results import DoubtfulResults, ReceivedArchive, receive_results
from archives.errors import ArchiveError
from clubs.models import Club, Player, User
from clubs.roles import directs
from clubs.uploads.child import IN_JOB
from evenings.plays.desk_state import hidden_etuis
from outgoing.sheets.director_tables import (
    MEMBERS,
    REGISTRATIONS,
    RULINGS,
    make_members,
    make_registrations,
    make_rulings,
)
from outgoing.sheets.files import SheetFile, SheetTable, write_file
from tournaments.errors import ActionRefused
from tournaments.job_health import hold_claim
from tournaments.models import Applicant, ClubFile, EtuiRuling, Penalty, Ruling, Session, Simultaneous, Tournament
from tournaments.queue import queue_club_file
from wording import Refusal

LOST = dt.timedelta(minutes=30)  # after this time, a file that no job has made is given up
WAITING = dt.timedelta(minutes=1)  # after this time, the sweep queues the job again


class MadeFile(NamedTuple):
    """The result of a job: the content of a file, or None, and the facts that the page shows about it."""

    content: bytes | None = None
    content_type: str = ""
    name: str = ""
    outcome: Mapping[str, Any] = {}
    work: str = ""  # the next task of the row, "" if it does not change
    refusal: Refusal | None = None  # the reason that is shown beside the outcome


FileMakers = Mapping[str, Callable[[ClubFile, dt.datetime], MadeFile]]


class AskedWork(NamedTuple):
    """The task of a job: its name among the `FileMakers`, its details, and the tournament or session of the file."""

    name: str
    details: Mapping[str, Any] = {}
    tournament: Tournament | None = None
    session: Session | None = None


def ask_for_club_file(
    *, club: Club, work: AskedWork, by: User, now: dt.datetime, content: bytes | None = None
) -> ClubFile:
    """Return the row of a file, and queue its job. `content` is a file that the job reads.

    Raise `ActionRefused` while another file is being made for this account.
    """
    ClubFile.objects.filter(account=by, made_at=None, failed_at=None, asked_at__lt=now - LOST).delete()
    row = ClubFile(club=club, account=by, tournament=work.tournament, session=work.session, asked_at=now)
    row.work, row.details, row.content, row.token = work.name, dict(work.details), content, secrets.token_urlsafe(32)
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            queue_club_file(row.pk)
    except IntegrityError as error:
        raise ActionRefused("file_being_made") from error
    return row


def ask_again(row: ClubFile, *, work: AskedWork, now: dt.datetime) -> None:
    """Queue another task for a row whose job is over. A second call queues nothing more.

    Raise `ActionRefused` while another file is being made for this account.
    """
    over = ClubFile.objects.filter(pk=row.pk, work=row.work).exclude(made_at=None)
    try:
        with transaction.atomic():
            new_task = {"work": work.name, "details": dict(work.details), "refusal": []}
            if over.update(**new_task, asked_at=now, begun_at=None, made_at=None):
                queue_club_file(row.pk)
    except IntegrityError as error:
        raise ActionRefused("file_being_made") from error


def make_club_file(pk: int, makers: FileMakers, *, now: dt.datetime) -> None:
    """Make the file of a row, unless another job is making it. A second call makes nothing more."""
    with hold_claim(f"club-file-{pk}") as is_mine:
        if is_mine:
            fill_club_file(pk, makers, now=now)


def fill_club_file(pk: int, makers: FileMakers, *, now: dt.datetime) -> None:
    """Make the file of a row that waits for it, if the account still directs the club."""
    waiting = ClubFile.objects.filter(pk=pk, made_at=None, failed_at=None)
    if not waiting.update(begun_at=now):
        return
    row = waiting.select_related("club", "account", "tournament", "session__tournament__club").first()
    if row is None or not directs(row.account, row.club):
        waiting.update(failed_at=now, content=None)
        return
    try:
        made = makers[row.work](row, now)
    except Refusal as refusal:
        waiting.update(failed_at=now, refusal=write_refusal(refusal), content=None)
    except Exception:
        waiting.update(failed_at=now, content=None)
        raise
    else:
        waiting.update(
            content=made.content,
            content_type=made.content_type,
            name=made.name,
            outcome=dict(made.outcome),
            work=made.work or row.work,
            refusal=write_refusal(made.refusal) if made.refusal else [],
            made_at=now,
        )


def note_progress(row: ClubFile, done: int, steps: int) -> None:
    """Store how many of a job's steps are over, for the page."""
    ClubFile.objects.filter(pk=row.pk).update(outcome={"done": done, "steps": steps})


def write_refusal(refusal: Refusal) -> list[Any]:
    """Return a refusal as plain data: its code and its params."""
    return [refusal.code, dict(refusal.params)]


def find_club_file(*, club: Club, by: User, token: str) -> ClubFile | None:
    """Return the file of this token without its content, if the account asked for it in this club, else None."""
    rows = ClubFile.objects.filter(club=club, account=by, token=token).defer("content")
    return rows.select_related("tournament__club", "session__tournament__club").first()


def find_waiting_club_files(now: dt.datetime) -> list[int]:
    """Return the files whose job may be lost. Of one that is under way, a second job does nothing."""
    waiting = ClubFile.objects.filter(made_at=None, failed_at=None, asked_at__lt=now - WAITING)
    return list(waiting.order_by("pk").values_list("pk", flat=True))


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
        archive = read_archive(row, content, read_answers(row.details))
        was_known = archive.known is not None
        tournament = archive.carry_out(by=row.account, now=now)
    except ArchiveError as refusal:
        outcome = describe_archive(read_archive(row, content, {}))
        return MadeFile(content, ZIP, "", outcome, PREVIEW, refusal)
    imported = {"tournament": tournament.name, "slug": tournament.slug, "known": was_known}
    return MadeFile(None, "", "", imported, DONE)


def read_answers(details: dict[str, Any]) -> Answers:
    """Return the answers about doubtful players, by their row in the archive: a player, or None for somebody new."""
    return {int(number): player for number, player in details.get("answers", {}).items()}


ARCHIVE_MAKERS: FileMakers = {MAKE: make_archive, PREVIEW: preview_archive, IMPORT: import_archive}


RECEIVE, DOUBTFUL, RECEIVED = "results_receive", "results_doubtful", "results_received"


def want_results(simultaneous: Simultaneous, club: str) -> AskedWork:
    """Return the task to let an uploaded archive count as the results of this club on another site."""
    return AskedWork(RECEIVE, {"simultaneous": simultaneous.pk, "slug": simultaneous.slug, "club": club})


def want_results_again(row: ClubFile, answers: dict[str, int | None]) -> AskedWork:
    """Return the task to receive the same archive with the director's answers about doubtful players."""
    return AskedWork(RECEIVE, {**row.details, "answers": answers})


def receive_uploaded_results(row: ClubFile, now: dt.datetime) -> MadeFile:
    """Let the uploaded archive count, with the director's answers about players with namesakes.

    If there are questions about players, the file is kept, and all questions are asked again after each refusal.
    """
    content = bytes(row.content or b"")
    archive = ReceivedArchive(row.details["club"], content, read_answers(row.details))
    try:
        receive_results(simultaneous_id=row.details["simultaneous"], archive=archive, by=row.account, now=now)
    except ArchiveError as refusal:
        doubts: list[dict[str, Any]] = row.outcome.get("doubts", [])
        if isinstance(refusal, DoubtfulResults):
            asked_rows = {each["row"] for each in doubts}
            doubts = doubts + [each.described for each in refusal.doubts if each.row not in asked_rows]
        if not doubts:
            raise
        return MadeFile(content, ZIP, "", {"doubts": doubts}, DOUBTFUL, refusal)
    return MadeFile(work=RECEIVED)


RESULT_MAKERS: FileMakers = {RECEIVE: receive_uploaded_results}


TABLE, PAPERS = "table_made", "papers_made"


def want_table(code: str, kind: str, language: str, *, session: Session | None = None, away: bool = False) -> AskedWork:
    """Return a request for a table as a file of this kind. With `away`, it asks for the players who left the list."""
    details = {"table": code, "kind": kind, "language": language, "away": away}
    return AskedWork(TABLE, details, session.tournament if session else None, session)


def count_table_rows(club: Club, work: AskedWork) -> int:
    """Return roughly how many rows the table will have."""
    if work.session is None:
        return len(find_members(club, away=work.details["away"]))
    if work.details["table"] == REGISTRATIONS:
        return Applicant.objects.filter(session=work.session).count()
    of_session = EtuiRuling.objects.filter(session=work.session), Penalty.objects.filter(session=work.session)
    return Ruling.objects.filter(play__session=work.session).count() + sum(rows.count() for rows in of_session)


def find_members(club: Club, *, away: bool) -> list[Player]:
    """Return the players of the club's list, or those who were removed from it."""
    return [each for each in club.players.real() if away == (each.put_away_at is not None)]


def write_table(club: Club, session: Session | None, by: User, details: Mapping[str, Any]) -> SheetFile:
    """Return the file of a table, as this director may see it, in the language and the time zone that are active."""
    table = make_table(club, session, by, details)
    place = (club.slug,) if session is None else (session.tournament.slug, session.number)
    return write_file([table], details["kind"], *place, table.code)


def make_table(club: Club, session: Session | None, by: User, details: Mapping[str, Any]) -> SheetTable:
    if session is None:
        assert details["table"] == MEMBERS
        return make_members(find_members(club, away=details["away"]))
    if details["table"] == REGISTRATIONS:
        return make_registrations(session)
    assert details["table"] == RULINGS
    return make_rulings(session, hidden_etuis(session, by))


def make_table_file(row: ClubFile, _now: dt.datetime) -> MadeFile:
    with translation.override(row.details["language"]), timezone.override(row.club.zone):
        file = write_table(row.club, row.session, row.account, row.details)
    return MadeFile(file.content, file.content_type, file.name)


TABLE_MAKERS: FileMakers = {TABLE: make_table_file}
