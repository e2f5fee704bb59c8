"""The copy of the tournament that is being played: a laptop makes one each time a position is called.

It is an archive of that tournament alone, so it costs a fraction of a backup. `manage.py archive import` brings it into
any site. The next backup contains all these rows, and so deletes the archive.
"""

import datetime as dt
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from archives.archive.writing import copy_tournament
from archives.errors import ArchiveError
from operations.backup.contents import BackupError
from operations.backup.encryption import encrypt_chunks
from operations.backup.scheduled import RUNNING, run_operators_command, sole_backup
from tournaments.models import Tournament


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
