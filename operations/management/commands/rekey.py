"""The command `manage.py rekey`: it encrypts all seeds and cards again with the newest key of the site."""

from argparse import ArgumentParser
from typing import Any

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deals.rekeying import RekeyedRows, rekey
from deals.secret import UnreadableCards


class Command(BaseCommand):
    help = (
        "Encrypt the seeds and cards of all sets under the first key of CARD_KEYS. Then the other keys can go. The site"
        " may be in use meanwhile, and a second run goes on where the first one was ended."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--new", action="store_true", help="print a new key, and do nothing else")
        parser.add_argument("--plain", action="store_true", help="store seeds and cards unencrypted")

    def handle(self, *args: Any, new: bool, plain: bool, **options: Any) -> None:
        if new:
            self.stdout.write(Fernet.generate_key().decode())
            return
        if not plain and not settings.CARD_KEYS:
            raise CommandError(
                f"The site has no key. `{settings.COMMAND} rekey --new` prints one: set CARD_KEYS to it, keep a copy"
                f" elsewhere, restart the site, and run `{settings.COMMAND} rekey`."
            )
        done = RekeyedRows(0, 0)
        try:
            for done in rekey(plain=plain):
                self.stderr.write(f"{done.read} rows …")
        except UnreadableCards as error:
            raise CommandError(str(error)) from error
        under = "are stored unencrypted" if plain else "are encrypted under the first key"
        self.stdout.write(f"{done.read} seeds and deals {under}; {done.written} of them were written anew.")
