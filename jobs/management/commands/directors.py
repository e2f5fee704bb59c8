"""The command `manage.py directors`: list the clubs without a director, or invite a new director by a link."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.invitations import invite_director
from clubs.models import Club
from clubs.roles import clubs_without_director


class Command(BaseCommand):
    help = "List the clubs without a director; with a club, print a one-time link by which somebody comes to direct it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", nargs="?", help="the club's name in addresses, as the list has it")
        parser.add_argument("--for", dest="whom", default="", help="the name of the person who gets the link")

    def handle(self, *args: Any, club: str | None, whom: str, **options: Any) -> None:
        if club is None:
            for slug, name in clubs_without_director().order_by("slug").values_list("slug", "name"):
                self.stdout.write(f"{slug}\t{name}")
            return
        chosen = Club.objects.filter(slug=club).first()
        if chosen is None:
            raise CommandError(f"There is no club {club}.")
        link = reverse("invitation", args=[invite_director(chosen, now=timezone.now(), by=None, whom=whom)])
        self.stdout.write(f"{link}\nPut the address of the site before it. It serves once, for fourteen days.")
