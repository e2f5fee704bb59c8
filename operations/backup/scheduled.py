"""The scheduled backup: a new file is written, old ones are deleted; and the state of a folder of backups.

A backup by hand takes the same lock, and counts as the last good backup too. Of old ones, some of the last days, weeks
and months stay, or the newest ones.

A laptop also copies the tournament that is being played, each time a position is called. The copy is an archive of that
tournament alone, so it costs a fraction of a backup. `manage.py archive import` brings it into any site. The next
backup contains all these rows, and so deletes the archive.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import re
import shlex
import subprocess
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from archives.archive.writing import copy_tournament
from archives.errors import ArchiveError
from clubs.file_locks import FileLocked, take_lock
from operations.backup.contents import BackupError
from operations.backup.encryption import encrypt_chunks
from operations.backup.writing import WrittenBackup, write_backup
from tournaments.models import Tournament

STATE_FILE = "state.json"


class NotedBackup(NamedTuple):
    """A backup that was written, or verified, at the moment `at`.

    `path` and `size` (bytes) are those of the file at that moment. `digest` is the SHA-256 in its last line.
    """

    path: Path
    size: int
    digest: str
    at: dt.datetime


class BackupFailure(NamedTuple):
    """A failure at the moment `at`. `reason` is a sentence for the person who runs the site."""

    reason: str
    at: dt.datetime


class BackupState(NamedTuple):
    """The state of a folder of backups. A part is None if there was no such event.

    `good`: the last good backup. `verified`: the last verified one. `failure`: the failure of a later backup than the
    good one. `command_failure`: the failure of the command BACKUP_COMMAND after the good one.
    """

    good: NotedBackup | None = None
    verified: NotedBackup | None = None
    failure: BackupFailure | None = None
    command_failure: BackupFailure | None = None


def read_state(folder: Path) -> BackupState:
    """Return the state of a folder of backups. It is empty if the folder or its file is missing or damaged."""
    try:
        data = json.loads((folder / STATE_FILE).read_text(encoding="utf-8"))
        good, verified = (read_noted(data.get(name)) for name in ("good", "verified"))
        failure, command = (read_failure(data.get(name)) for name in ("failure", "command_failure"))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return BackupState()
    return BackupState(good, verified, failure, command)


def read_noted(told: dict[str, Any] | None) -> NotedBackup | None:
    if told is None:
        return None
    moment = dt.datetime.fromisoformat(told["at"])
    return NotedBackup(Path(told["path"]), int(told["size"]), str(told["digest"]), moment)


def read_failure(told: dict[str, Any] | None) -> BackupFailure | None:
    return None if told is None else BackupFailure(str(told["reason"]), dt.datetime.fromisoformat(told["at"]))


def note_good(folder: Path, noted: NotedBackup) -> None:
    """Record a good backup. Failures before it are forgotten."""
    write_state(folder, read_state(folder)._replace(good=noted, failure=None, command_failure=None))


def note_verified(folder: Path, noted: NotedBackup) -> None:
    write_state(folder, read_state(folder)._replace(verified=noted))


def note_failure(folder: Path, failure: BackupFailure) -> None:
    """Record that a backup failed. Do nothing if the folder cannot be written, which may be the reason."""
    with suppress(OSError):
        write_state(folder, read_state(folder)._replace(failure=failure))


def note_command_failure(folder: Path, failure: BackupFailure) -> None:
    with suppress(OSError):
        write_state(folder, read_state(folder)._replace(command_failure=failure))


def write_state(folder: Path, state: BackupState) -> None:
    """Write the state of a folder. Another process reads either the old file or the new one, never a part of it."""
    data = {name: None if part is None else part._asdict() for name, part in state._asdict().items()}
    beside = folder / f".{STATE_FILE}.{os.getpid()}.part"
    try:
        with beside.open("w", encoding="utf-8") as file:
            beside.chmod(0o600)
            json.dump(data, file, default=write_plainly, indent=1)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(folder / STATE_FILE)
    finally:
        beside.unlink(missing_ok=True)


def write_plainly(value: Path | dt.datetime) -> str:
    return value.isoformat() if isinstance(value, dt.datetime) else str(value)


DAYS, WEEKS, MONTHS = 7, 4, 12
NEWEST = 10  # the number of backups that are kept on a laptop


def choose_by_calendar(moments: Collection[dt.datetime], *, now: dt.datetime) -> set[dt.datetime]:
    """Return the moments of the backups that are kept.

    They are the newest backup of each of the last 7 days, the last 4 weeks and the last 12 months. The present day,
    week and month are included. The newest backup of all is always kept. Days begin at midnight in the time zone of
    `now`.
    """
    today = now.date()
    days = {today - dt.timedelta(days=back) for back in range(DAYS)}
    weeks = {(today - dt.timedelta(weeks=back)).isocalendar()[:2] for back in range(WEEKS)}
    months = {divmod(today.year * 12 + today.month - 1 - back, 12) for back in range(MONTHS)}
    newest: dict[tuple[str, object], dt.datetime] = {}
    for moment in sorted(moments):
        day = moment.astimezone(now.tzinfo).date()
        month = (day.year, day.month - 1)
        for kind, value, last in (("day", day, days), ("week", day.isocalendar()[:2], weeks), ("month", month, months)):
            if value in last:
                newest[kind, value] = moment
    return {*newest.values(), *choose_newest(moments, 1)}


def choose_newest(moments: Collection[dt.datetime], count: int = NEWEST) -> set[dt.datetime]:
    return set(sorted(moments)[-count:])


NAME = re.compile(r"topage-(\d{8}T\d{6}Z)\.gz(\.age)?")
MOMENT = "%Y%m%dT%H%M%SZ"
LOCK_FILE = ".lock"
RUNNING = "running-"  # the names of copies of tournaments that are being played begin with this
COMMAND_SECONDS = 1200
LETTERS = 300  # the most letters of a failed command's message


def make_scheduled_backup(folder: Path, *, now: dt.datetime) -> tuple[Path, WrittenBackup]:
    """Write a backup into the folder, delete old ones, and run the operator's command. Return path and figures.

    Raise BackupError if another backup is being made, or if the command fails. Raise OSError or DatabaseError if a file
    cannot be written or the database cannot be read. The last good backup is kept, and the failure is recorded in the
    state.
    """
    try:
        with sole_backup(folder):
            for left in folder.glob(".*.part"):  # these files were left by a process that was killed
                left.unlink()
            copies = [*folder.glob(f"{RUNNING}*")]
            path = folder / (
                now.astimezone(dt.UTC).strftime(f"topage-{MOMENT}.gz") + ".age" * bool(settings.BACKUP_KEY)
            )
            written = write_backup(path, settings.BACKUP_KEY)
            note_good(folder, NotedBackup(path, written.size, written.digest, now))
            delete_old(folder, now=now)
            for copied in copies:  # the backup contains the rows of these copies
                copied.unlink()
    except BackupBusy:
        raise
    except (BackupError, DatabaseError, OSError) as error:
        note_failure(folder, BackupFailure(str(error), now))
        raise
    run_operators_command(folder, path, now=now)
    return path, written


def run_operators_command(folder: Path, path: Path, *, now: dt.datetime) -> None:
    """Run BACKUP_COMMAND, if there is one. Raise OperatorCommandError if it fails, and record that in the state."""
    if settings.BACKUP_COMMAND:
        try:
            run_command(settings.BACKUP_COMMAND, path)
        except OperatorCommandError as error:
            note_command_failure(folder, BackupFailure(str(error), now))
            raise


def make_backup_by_hand(path: Path, key: str, *, now: dt.datetime) -> WrittenBackup:
    """Write a backup to a file that somebody has named. Return its figures.

    If the site also makes scheduled backups, this backup counts as one of them. Only one is made at a time, and the
    state names the newest. If their folder cannot be written, the file is written nevertheless. Raise the same errors
    as `make_scheduled_backup`.
    """
    folder: Path | None = settings.BACKUP_DIR
    if folder is None:
        return write_backup(path, key)
    with ExitStack() as held:
        with suppress(OSError):
            held.enter_context(sole_backup(folder))
        written = write_backup(path, key)
        with suppress(OSError):
            note_good(folder, NotedBackup(path.resolve(), written.size, written.digest, now))
    return written


class OperatorCommandError(BackupError):
    """The error that BACKUP_COMMAND failed, although the backup itself is good."""


class BackupBusy(BackupError):
    """The error that another backup is being made at the same time."""


@contextmanager
def sole_backup(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder of backups. Raise BackupBusy if another process holds it.

    The folder is created if it is missing.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        lock = take_lock(folder / LOCK_FILE, mode=0o644)
    except FileLocked:
        raise BackupBusy(
            f"Another backup is being made, and {folder} is locked. Try again when it has ended."
        ) from None
    try:
        yield
    finally:
        os.close(lock)


def find_backups(folder: Path) -> dict[dt.datetime, Path]:
    """Return the scheduled backups in a folder by their moments. Other files are not listed."""
    matches = {path: match for path in folder.iterdir() if (match := NAME.fullmatch(path.name))}
    return {dt.datetime.strptime(f"{match[1]}+0000", f"{MOMENT}%z"): path for path, match in matches.items()}


def delete_old(folder: Path, *, now: dt.datetime) -> None:
    backups = find_backups(folder)
    stay = choose_by_calendar(backups, now=timezone.localtime(now)) if settings.SERVER else choose_newest(backups)
    for moment, path in backups.items():
        if moment not in stay:
            path.unlink()


def run_command(command: str, path: Path) -> None:
    """Run the operator's command, with the path of the backup as its last argument.

    Raise OperatorCommandError if it fails.
    """
    failed = "The backup {} is made, but BACKUP_COMMAND failed: {}"
    try:
        ended = subprocess.run(
            [*shlex.split(command), str(path)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise OperatorCommandError(failed.format(path, error)) from None
    if ended.returncode:
        said = ended.stderr.decode(errors="replace").strip()[-LETTERS:]
        raise OperatorCommandError(failed.format(path, f"it ended with {ended.returncode}. {said}"))


def copy_running_tournament(folder: Path, pk: int, *, now: dt.datetime) -> Path | None:
    """Write the archive of a tournament into the folder of backups, in place of the one before. Return its path.

    Then run BACKUP_COMMAND, if it is set. For a practice evening, do nothing and return None. Raise BackupError if
    another backup is being made, if the tournament was deleted, or if the command fails. Raise OSError if the file
    cannot be written; then the earlier copy stays.
    """
    tournament = Tournament.objects.select_related("club").filter(pk=pk).first()
    if tournament is None:
        raise BackupError(f"There is no tournament no. {pk} any more.")
    if tournament.club.is_practice:
        return None
    with sole_backup(folder):
        name = f"{RUNNING}{tournament.club.slug}-{tournament.slug}.zip"
        path = folder / (name + ".age" * bool(settings.BACKUP_KEY))
        try:
            with reading_beside_writers():
                packed = copy_tournament(tournament=tournament, now=now)
        except ArchiveError as refusal:
            raise BackupError(str(refusal)) from None
        write_beside(path, packed, settings.BACKUP_KEY)
    run_operators_command(folder, path, now=now)
    return path


@contextmanager
def reading_beside_writers() -> Iterator[None]:
    """Let the code inside read one snapshot, while others write.

    On SQLite, the usual transactions of the site would block every writer.
    """
    connection.ensure_connection()
    usual = getattr(connection, "transaction_mode", None)
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            yield
    finally:
        connection.transaction_mode = usual  # type: ignore[attr-defined]


def write_beside(path: Path, content: bytes, key: str) -> None:
    """Write a file that only its owner can read. It gets its name only when it is complete."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as file:
            beside.chmod(0o600)
            if key:
                encrypt_chunks([content], file, key)
            else:
                file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
