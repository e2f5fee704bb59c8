"""The command `manage.py first_run`: print the key with which a browser sets up a new site.

With `--club` and `--email`, it sets up the site itself.
"""

import secrets
import sys
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email
from django.urls import reverse

from clubs.accounts import founding
from clubs.errors import AccountRefused
from clubs.models import User, validate_name


class Command(BaseCommand):
    help = "Print the key with which a browser sets up a new site, or make its first club and director here."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--club", help="the name of the first club")
        parser.add_argument("--email", help="the address of its director")
        parser.add_argument("--name", default="", help="the director's name; the address by default")

    def handle(self, *args: Any, club: str | None, email: str | None, name: str, **options: Any) -> None:
        if founding.is_over():
            raise CommandError("This site is set up already: nothing is to be done.")
        if bool(club) != bool(email):
            raise CommandError("Give both --club and --email, or neither to have the key for a browser.")
        if club and email:
            self.begin(club, email, name or email.partition("@")[0])
        else:
            self.stdout.write(describe_key())

    def begin(self, club: str, email: str, name: str) -> None:
        """Create the first club and its director. Print the password if no person is there to type one."""
        is_typed = sys.stdin.isatty()
        password = getpass("Password: ") if is_typed else secrets.token_urlsafe(12)
        try:
            validate_name(club)
            validate_name(name)
            validate_email(email)
            validate_password(password, User(username=name, email=email))
            user = founding.begin_site(founding.SiteSetup(club, name, email, password), key=None)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        except AccountRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"Club:     {club}\nAccount:  {user.username} (or {user.email})")
        if not is_typed:
            self.stdout.write(f"Password: {password}")


def describe_key() -> str:
    """Return the text that tells where to set up the site, with a new key if one is needed."""
    path = reverse("first_run")
    if not settings.SERVER:
        return f"On a laptop no key is asked for: open {path} of the site in a browser."
    key = founding.make_key()
    place = f"{settings.SITE_URL}{path}?key={key}"
    return f"Key: {key}\nOpen {place} in a browser. It works once; another first_run replaces it."
