"""The command `manage.py restore`: it writes a backup into an empty site or over one in use, or verifies it."""

from argparse import ArgumentParser
from functools import partial
from getpass import getpass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from clubs.licences import forget_after_restore
from jobs.management.processes import claim_site
from operations.backup.contents import BackupError
from operations.backup.encryption import read_private_key
from operations.backup.reading import RestoreSteps, restore_backup
from operations.backup.replacing import refuse_other_connections, replace_site, summarise_backup, summarise_site
from operations.backup.scheduled import NotedBackup, note_verified
from operations.backup.verifying import VerifiedBackup, verify_backup
from operations.backup.writing import write_backup

VERIFIED = (
    "{file}: verified. {rows} rows of {tables} tables are restored as the file has them. {standings} sessions have the"
    " standings that their results give{waiting}. {publications} publications have their digest."
)


class Command(BaseCommand):
    help = "Write the rows of a backup into this site, which must be empty (but see --replace). All or nothing."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a file of the command `backup`")
        parser.add_argument("--identity", metavar="KEYFILE", type=Path, help="the private key of an encrypted backup")
        parser.add_argument(
            "--verify",
            action="store_true",
            help="leave the site alone: restore into a scratch database, compare every row, compute all standings",
        )
        parser.add_argument(
            "--replace", action="store_true", help="replace the rows of a site in use, after a backup of what is there"
        )
        parser.add_argument("--yes", action="store_true", help="with --replace: do not ask")
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
            if options["replace"]:
                self.replace(file, key, yes=options["yes"])
                return
            forget = partial(forget_after_restore, (), now=timezone.now())
            rows = restore_backup(file, key, RestoreSteps(after=forget)).rows
        except (BackupError, DatabaseError, OSError) as error:
            raise CommandError(f"{'Not verified' if verify else 'Nothing is restored'}: {error}") from error
        self.stdout.write(f"{file}: {sum(rows.values())} rows of {len(rows)} tables are restored.")

    def replace(self, file: Path, key: Any, *, yes: bool) -> None:
        """Replace the rows of the site, after a question and a backup of the present rows."""
        claim_site()
        refuse_other_connections()
        site_summary, coming, now = summarise_site(), summarise_backup(file, key), timezone.now()
        self.stdout.write(f"There now: {site_summary}.\nTo come:   {coming}.")
        if not yes and input("Replace everything? Type yes: ") != "yes":
            raise BackupError("You did not type yes.")
        folder: Path = settings.BACKUP_DIR or file.resolve().parent
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = folder / f"before-restore-{now:%Y%m%dT%H%M%SZ}.gz{'.age' if settings.BACKUP_KEY else ''}"
        write_backup(before, settings.BACKUP_KEY)
        self.stdout.write(f"{before}: a backup of what was there.")
        by_hand = replace_site(file, key, coming.end, now=now)
        self.stdout.write(f"{file}: its {sum(coming.rows.values())} rows are restored. Everybody logs in again.")
        for sentence in by_hand:
            self.stdout.write(sentence)

    def tell_verified(self, file: Path, verified: VerifiedBackup) -> None:
        """Print what was checked. If the site makes scheduled backups, record the verification in their folder."""
        folder: Path | None = settings.BACKUP_DIR
        if folder is not None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            note_verified(folder, NotedBackup(file.resolve(), file.stat().st_size, verified.digest, timezone.now()))
        waiting = f" ({verified.waiting} wait for a computation)" if verified.waiting else ""
        self.stdout.write(VERIFIED.format(file=file, **verified._asdict() | {"waiting": waiting}))


def ask_passphrase() -> str:
    return getpass("The passphrase of the private key: ")
