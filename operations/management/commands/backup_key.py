"""The command `manage.py backup_key`: it makes the two keys with which backups are encrypted and decrypted."""

from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from operations.backup.encryption import make_keys, wrap_private_key

LEAST_LETTERS = 12
WORDS = """\
# Set BACKUP_KEY to the public key. Backups are then encrypted to it:
# {public}
# Keep all of this away from this machine, on paper too. It is not kept here and is never shown again.
# Without it nobody can restore an encrypted backup. The command `restore FILE --identity KEYFILE` reads it:
{private}"""


class Command(BaseCommand):
    help = "Make a pair of keys for encrypted backups. The private key is printed once and kept nowhere."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--passphrase", action="store_true", help="ask for a passphrase that wraps the private key")

    def handle(self, *args: Any, passphrase: bool, **options: Any) -> None:
        keys = make_keys()
        private = wrap_private_key(keys.private, ask_new_passphrase()) if passphrase else keys.private
        self.stdout.write(WORDS.format(public=keys.public, private=private))


def ask_new_passphrase() -> str:
    """Ask for a passphrase twice, and return it.

    Raise CommandError if it is too short, or typed differently the second time.
    """
    first = getpass("A passphrase for the private key: ")
    if len(first) < LEAST_LETTERS:
        raise CommandError(f"The passphrase is too short: {LEAST_LETTERS} letters at least.")
    if getpass("The same passphrase again: ") != first:
        raise CommandError("The second passphrase is not the first. No key is made.")
    return first
