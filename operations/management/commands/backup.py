"""The command `manage.py backup`: it writes all rows of the site to one file, or makes the scheduled backup."""

import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from operations.backup.contents import BackupError
from operations.backup.scheduled import (
    OperatorCommandError,
    copy_running_tournament,
    make_backup_by_hand,
    make_scheduled_backup,
)

NICE = 10  # a lower priority: the site comes first


class Command(BaseCommand):
    help = (
        "Write all rows of the site to FILE: clubs, players, evenings, results, publications, accounts. Not in it:"
        " SECRET_KEY, the other settings, log-ins. The site may be in use meanwhile. Without FILE, make a backup in"
        " BACKUP_DIR as the schedule does: old ones are deleted, BACKUP_COMMAND is run."
    )
    requires_system_checks: list[str] = []  # the checks would read the whole site into memory

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, nargs="?", help="replaced once the new backup is whole")
        parser.add_argument(
            "--tournament",
            metavar="ID",
            type=int,
            help="copy this tournament alone into BACKUP_DIR, as a laptop does each time a position is called",
        )
        parser.add_argument("--key", default=settings.BACKUP_KEY, help="with FILE: the public key (BACKUP_KEY)")

    def handle(self, *args: Any, file: Path | None, key: str, tournament: int | None, **options: Any) -> None:
        if file is None and hasattr(os, "nice"):  # Windows has no niceness
            os.nice(NICE)
        try:
            if tournament is not None:
                if settings.BACKUP_DIR is None:
                    raise BackupError("Set BACKUP_DIR first.")
                path = copy_running_tournament(settings.BACKUP_DIR, tournament, now=timezone.now())
                if path:
                    self.stdout.write(f"{path}: {path.stat().st_size / 1e6:.1f} MB.")
                return
            if file is None:
                if settings.BACKUP_DIR is None:
                    raise BackupError("Name a FILE, or set BACKUP_DIR for scheduled backups.")
                key = settings.BACKUP_KEY
                file, written = make_scheduled_backup(settings.BACKUP_DIR, now=timezone.now())
            else:
                written = make_backup_by_hand(file, key, now=timezone.now())
        except OperatorCommandError as error:  # the backup itself is good
            raise CommandError(str(error)) from error
        except (BackupError, DatabaseError, OSError) as error:
            raise CommandError(f"No backup is written: {error}") from error
        rows, megabytes = sum(written.rows.values()), written.size / 1e6
        how = ", encrypted" if key else ""
        self.stdout.write(f"{file}: {rows} rows of {len(written.rows)} tables, {megabytes:.1f} MB{how}.")
