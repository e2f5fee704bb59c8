"""The command `manage.py restore`: it writes the rows of a backup into an empty site."""

from argparse import ArgumentParser
from getpass import getpass
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError

from operations.backup.contents import BackupError
from operations.backup.encryption import read_private_key
from operations.backup.reading import restore_backup


class Command(BaseCommand):
    help = "Write the rows of a backup into this site, which must be empty. All or nothing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a file of `manage.py backup`")
        parser.add_argument("--identity", metavar="KEYFILE", type=Path, help="the private key of an encrypted backup")

    def handle(self, *args: Any, file: Path, identity: Path | None, **options: Any) -> None:
        try:
            key = read_private_key(identity, ask_passphrase) if identity else None
            rows = restore_backup(file, key)
        except (BackupError, DatabaseError, OSError) as error:
            raise CommandError(f"Nothing is restored: {error}") from error
        self.stdout.write(f"{file}: {sum(rows.values())} rows of {len(rows)} tables are restored.")


def ask_passphrase() -> str:
    return getpass("The passphrase of the private key: ")
