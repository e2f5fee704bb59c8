"""The command `manage.py password_link NAME`: print a link by which the account NAME can choose a new password."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.one_use import make_password_link
from clubs.models import User


class Command(BaseCommand):
    help = "Print a one-time link by which an account chooses another password."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("account", help="the account's name, or its address")

    def handle(self, *args: Any, account: str, **options: Any) -> None:
        accounts = User.objects.filter(Q(username__iexact=account) | Q(email__iexact=account), is_active=True)
        if not accounts:
            raise CommandError(f"There is no open account {account}.")
        for user in accounts:
            link = reverse("password_link", args=[make_password_link(user, now=timezone.now())])
            self.stdout.write(f"{user.username}: {settings.SITE_URL}{link}")
        before = "" if settings.SITE_URL else "Put the address of the site before it. "
        self.stdout.write(f"{before}It serves once, for three days.")
