"""`manage.py demo`: makes the database, plays two evenings where none was played, and serves the site."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from tournaments import demo
from tournaments.models import Session


class Command(BaseCommand):
    help = "Play one seeded evening to its publication and half of another, then serve the site on this machine."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-serve", action="store_true", help="play the evenings and stop")

    def handle(self, *args: Any, port: int, no_serve: bool, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        now = timezone.now()
        publication = demo.play_evening(now=now)
        running = demo.begin_evening(now=now)
        site = f"http://127.0.0.1:{port}"
        played, begun = where(publication.session), where(running)
        self.stdout.write(
            f"Site:     {site}/\n"
            f"Director: {demo.DIRECTOR} / {demo.PASSWORD}\n"
            f"Tables:   table1 … table7 / {demo.PASSWORD}\n"
            "An evening played and published\n"
            f"Ranking:  {site}{reverse('ranking', args=played)}\n"
            f"Desk:     {site}{reverse('session', args=played)}\n"
            "An evening under way\n"
            f"Running:  {site}{reverse('session', args=begun)}\n"
            f"Hall:     {site}{reverse('hall', args=begun)}\n"
            f"Table 1:  {site}{reverse('table_screen', args=[demo.code_of_table(running, 1, now=now)])}\n"
            f"API:      {site}/api/v1/docs/\n"
            "Ctrl-C stops it."
        )
        if no_serve:
            return
        self.stdout.flush()
        connection.close()
        call_command("serve", port=port)


def where(session: Session) -> list[Any]:
    return [session.tournament.club.slug, session.tournament.slug, session.number]
