"""The rows of a club's files: asking a job for a file, making it, and finding it again while it is kept.

The functions in `FileMakers` do the work of a job. This module knows neither archives nor tables.
"""

import datetime as dt
import secrets
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.db import IntegrityError, transaction

from clubs.models import Club, User
from clubs.roles import directs
from tournaments.claims import hold_claim
from tournaments.errors import ActionRefused
from tournaments.models import ClubFile, Session, Tournament
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
            told = {"work": work.name, "details": dict(work.details), "refusal": []}
            if over.update(**told, asked_at=now, begun_at=None, made_at=None):
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
