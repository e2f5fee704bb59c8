"""The command `manage.py demo`: create the database and two demonstration sessions if needed, then serve the site."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from jobs import demo
from jobs.management.processes import claim_folder, listen_on_free_port
from pages.desk.hall import find_hall_address
from tournaments.models import Session, Simultaneous


class Command(BaseCommand):
    help = (
        "Play a season with invented players up to a published evening, then half an evening, and serve the site here."
    )
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, help="by default 8000, or the next one that is free")
        parser.add_argument(
            "--before", type=int, default=demo.EVENINGS, help="evenings of the season before the one just published"
        )
        parser.add_argument("--no-serve", action="store_true", help="play the evenings and stop")

    def handle(self, *args: Any, port: int | None, before: int, no_serve: bool, **options: Any) -> None:
        """Create what is missing, print the addresses and log-ins, and serve the site unless `no_serve` is True."""
        if connection.vendor == "sqlite":
            claim_folder()
        port = port or listen_on_free_port("127.0.0.1")
        call_command("migrate", verbosity=0)
        now = timezone.now()
        publication = demo.play_evening(now=now, before=before)
        running = demo.begin_evening(now=now)
        simultaneous = demo.hold_simultaneous(now=now) if before else None
        site = f"http://127.0.0.1:{port}"
        call_command("demo_rooms", site=site)
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
            f"Hall:     {site}{find_hall_address(running)}\n"
            f"Table 1:  {site}{reverse('table_screen', args=[demo.code_of_table(running, 1, now=now)])}\n"
            f"API:      {site}/api/v1/docs/\n"
            f"{tell_field(site, simultaneous)}"
            f"Data:     {settings.VAR_DIR}\n"
            "Ctrl-C stops it."
        )
        if no_serve:
            return
        self.stdout.flush()
        connection.close()
        call_command("serve", port=port)


def tell_field(site: str, simultaneous: Simultaneous | None) -> str:
    """Return the line with the ranking of a simultaneous, or "" without one."""
    if simultaneous is None:
        return ""
    address = reverse("field", args=[simultaneous.club.slug, simultaneous.slug])
    return f"A simultaneous of four clubs\nAll clubs: {site}{address}\n"


def where(session: Session) -> list[Any]:
    """Return the arguments for addresses of the session."""
    return [session.tournament.club.slug, session.tournament.slug, session.number]
