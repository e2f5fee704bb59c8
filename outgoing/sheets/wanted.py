"""The large files that a job makes: asking for a file, making it, and handing it out while readers may see its content.

If a name is hidden or a part is switched off, the file is no longer handed out. The next reader who asks gets a new
file.
"""

import datetime as dt
import secrets
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from outgoing.sheets.files import SheetFile, SheetTable, write_file
from outgoing.sheets.ranking_tables import ETUIS, FEUILLES, NEEDS, PLAYS, RANKING, TEAMS, make_session_table
from rankings.publication.publishing import SESSIONS
from rankings.publication.report import read_in_public, read_seen_report
from tournaments.errors import ActionRefused
from tournaments.job_health import hold_claim
from tournaments.models import Publication, Session, WantedFile
from tournaments.published import PublicPlace, Shows, Stamp
from tournaments.queue import queue_file
from tournaments.reports.session import decode_report
from tournaments.words.stamps import make_stamp

LARGE = 2_000  # a file with at least this number of rows is made by a job
EVERYTHING = "everything"
LOST = dt.timedelta(minutes=10)  # a file that no job has made after this time is given up
WAITING = dt.timedelta(minutes=1)  # after this time the sweep queues the job again


def choose_tables(shows: Shows, table: str, data: Mapping[str, Any] | None = None) -> list[str]:
    """Return the codes of the tables of a file, without those that readers may not see.

    With the stored report in `data`, the table of teams is left out if the report has none.
    """
    lacks = set() if data is None or data.get("teams") else {TEAMS}
    offered = [code for code, part in NEEDS.items() if getattr(shows, part)]
    return [code for code in offered if table in (EVERYTHING, code) and code not in lacks]


def count_rows(data: Mapping[str, Any], codes: list[str]) -> int:
    """Return the number of rows that these tables of a stored report have together."""
    report = decode_report(data)
    plays = [play for etui in report.etuis for play in etui.plays]
    seats = sum(len(play.seats) for play in plays)
    members = sum(len(team.members) for team in report.teams)
    sizes = {RANKING: len(report.players), TEAMS: members, ETUIS: len(report.etuis), PLAYS: len(plays)}
    sizes[FEUILLES] = seats
    return sum(sizes[code] for code in codes)


def make_shown_table(data: dict[str, Any], stamp: Stamp, code: str) -> SheetTable:
    """Return a table as its page shows it. A feuille de route has its plays even if the étuis are not shown."""
    report = read_in_public(decode_report(data) if code == FEUILLES else read_seen_report(data, stamp))
    return make_session_table(code, report, ranked=stamp.shows.ranking)


def tell_readers(stamp: Stamp) -> str:
    """Return a digest of everything that the files of a publication depend on."""
    return make_stamp(stamp.digest, stamp.version, *stamp.shows, stamp.names, stamp.opened)


def find_open_stamp(session: Session, version: int) -> Stamp | None:
    """Return the stamp of a version that readers may see now, or None."""
    stamp = SESSIONS.look_up(PublicPlace.of(session, version))
    return None if stamp is None or stamp.withdrawn else stamp


def ask_for_file(
    *, session: Session, stamp: Stamp, asked: tuple[str, str, str], asker: str, now: dt.datetime
) -> WantedFile:
    """Return the row of a file, and queue its job if nobody has asked for it yet.

    `asked` has the table, the kind and the language. Raise `ActionRefused` if another file is being made for this
    asker.
    """
    table, kind, language = asked
    reader_stamp = tell_readers(stamp)
    key = make_stamp("file", stamp.publication, reader_stamp, *asked)
    WantedFile.objects.filter(made_at=None, asked_at__lt=now - LOST).delete()
    WantedFile.objects.filter(key=key).exclude(failed_at=None).delete()
    wanted = WantedFile.objects.filter(key=key).defer("content").first()
    if wanted is not None:
        return wanted
    row = WantedFile(session=session, version=stamp.version, table=table, kind=kind, language=language, key=key)
    row.told, row.token, row.asker, row.asked_at = reader_stamp, secrets.token_urlsafe(32), asker, now
    row.steps = len(choose_tables(stamp.shows, table, {})) + 1
    try:
        with transaction.atomic():
            row.save(force_insert=True)
            queue_file(row.pk)
    except IntegrityError as error:
        wanted = WantedFile.objects.filter(key=key).defer("content").first()
        if wanted is None:
            raise ActionRefused("file_being_made") from error
        return wanted
    return row


def make_wanted_file(pk: int, *, now: dt.datetime) -> None:
    """Make the file of a row, unless another job is making it. A second call makes nothing more."""
    with hold_claim(f"file-{pk}") as is_mine:
        if is_mine:
            fill_wanted_file(pk, now=now)


def fill_wanted_file(pk: int, *, now: dt.datetime) -> None:
    """Make the file of a row that waits for it.

    A file that may no longer be read is marked as failed.
    """
    row = WantedFile.objects.filter(pk=pk, made_at=None, failed_at=None).first()
    if row is None:
        return
    waiting = WantedFile.objects.filter(pk=pk, made_at=None)
    try:
        file = build_file(row)
    except Exception:
        waiting.update(failed_at=now)
        raise
    if file is None:
        waiting.update(failed_at=now)
    else:
        waiting.update(content=file.content, name=file.name, done=row.steps, made_at=now)


def build_file(row: WantedFile) -> SheetFile | None:
    """Return the file. Store after each step how many steps are done.

    Return None if the publication was withdrawn, or has changed since somebody asked for the file.
    """
    session = Session.objects.select_related("tournament__club").get(pk=row.session_id)
    stamp = find_open_stamp(session, row.version)
    if stamp is None or tell_readers(stamp) != row.told:
        return None
    data = Publication.objects.values_list("data", flat=True).get(pk=stamp.publication)
    codes = choose_tables(stamp.shows, row.table, data)
    if not codes:
        return None
    tables = []
    with translation.override(row.language), timezone.override(session.tournament.club.zone):
        for done, code in enumerate(codes, start=1):
            tables.append(make_shown_table(data, stamp, code))
            WantedFile.objects.filter(pk=row.pk).update(done=done)
        place = session.tournament.slug, session.number, f"v{row.version}"
        return write_file(tables, row.kind, *place, "" if row.table == EVERYTHING else row.table)


def is_still_shown(row: WantedFile) -> bool:
    """Return whether readers see now the data from which the file was made."""
    stamp = find_open_stamp(row.session, row.version)
    return stamp is not None and tell_readers(stamp) == row.told


def find_waiting_files(now: dt.datetime) -> list[int]:
    """Return the files whose job was lost."""
    waiting = WantedFile.objects.filter(made_at=None, failed_at=None, asked_at__lt=now - WAITING)
    return list(waiting.order_by("pk").values_list("pk", flat=True))
