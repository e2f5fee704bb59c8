"""The command `manage.py restore`: it writes the rows of a backup into an empty site, or only checks the backup."""

from argparse import ArgumentParser
from getpass import getpass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from operations.backup.contents import BackupError
from operations.backup.encryption import read_private_key
from operations.backup.reading import restore_backup
from operations.backup.state import NotedBackup, note_verified
from operations.backup.verifying import VerifiedBackup, verify_backup

VERIFIED = (
    "{file}: verified. {rows} rows of {tables} tables are restored as the file has them. {standings} sessions have the"
    " standings that their results give{waiting}. {publications} publications have their digest."
)


class Command(BaseCommand):
    help = "Write the rows of a backup into this site, which must be empty. All or nothing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a file of `manage.py backup`")
        parser.add_argument("--identity", metavar="KEYFILE", type=Path, help="the private key of an encrypted backup")
        parser.add_argument(
            "--verify",
            action="store_true",
            help="leave the site alone: restore into a scratch database, compare every row, compute all standings",
        )
        parser.add_argument(
            "--scratch",
            metavar="URL",
            default="",
            help="with --verify: an empty database; SQLite in a temporary folder",
        )

    def handle(self, *args: Any, file: Path, identity: Path | None, verify: bool, **options: Any) -> None:
        try:
            key = read_private_key(identity, ask_passphrase) if identity else None
            if verify:
                self.tell_verified(file, verify_backup(file, key, options["scratch"]))
                return
            rows = restore_backup(file, key).rows
        except (BackupError, DatabaseError, OSError) as error:
            raise CommandError(f"{'Not verified' if verify else 'Nothing is restored'}: {error}") from error
        self.stdout.write(f"{file}: {sum(rows.values())} rows of {len(rows)} tables are restored.")

    def tell_verified(self, file: Path, verified: VerifiedBackup) -> None:
        """Print what was checked. If the site makes backups by itself, record it in their folder."""
        folder: Path | None = settings.BACKUP_DIR
        if folder is not None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            note_verified(folder, NotedBackup(file.resolve(), file.stat().st_size, verified.digest, timezone.now()))
        waiting = f" ({verified.waiting} wait for a computation)" if verified.waiting else ""
        self.stdout.write(VERIFIED.format(file=file, **verified._asdict() | {"waiting": waiting}))


def ask_passphrase() -> str:
    return getpass("The passphrase of the private key: ")
