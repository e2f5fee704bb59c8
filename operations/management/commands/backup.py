"""The command `manage.py backup`: it writes all rows of the site to one file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from operations.backup.contents import BackupError
from operations.backup.writing import write_backup


class Command(BaseCommand):
    help = (
        "Write all rows of the site to FILE: clubs, players, evenings, results, publications, accounts. Not in it:"
        " SECRET_KEY, the other settings, log-ins. The site may be in use meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="replaced once the new backup is whole")
        parser.add_argument("--key", default=settings.BACKUP_KEY, help="the public key to encrypt to; BACKUP_KEY else")

    def handle(self, *args: Any, file: Path, key: str, **options: Any) -> None:
        try:
            written = write_backup(file, key)
        except (BackupError, DatabaseError, OSError) as error:
            raise CommandError(f"No backup is written: {error}") from error
        rows, megabytes = sum(written.rows.values()), written.size / 1e6
        how = ", encrypted" if key else ""
        self.stdout.write(f"{file}: {rows} rows of {len(written.rows)} tables, {megabytes:.1f} MB{how}.")
