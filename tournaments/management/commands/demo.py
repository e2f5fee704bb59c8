"""`manage.py demo`: makes the database, plays a whole evening where none was played, and serves the site."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.urls import reverse
from django.utils import timezone

from tournaments import demo


class Command(BaseCommand):
    help = "Play and publish a seeded evening of 28 players, then serve it on this machine."
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--no-serve", action="store_true", help="play the evening and stop")

    def handle(self, *args: Any, port: int, no_serve: bool, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        publication = demo.play_evening(now=timezone.now())
        site = f"http://127.0.0.1:{port}"
        session = publication.session
        where = [session.tournament.club.slug, session.tournament.slug, session.number]
        self.stdout.write(
            f"Site:     {site}/\n"
            f"Ranking:  {site}{reverse('ranking', args=where)}\n"
            f"Desk:     {site}{reverse('session', args=where)}\n"
            f"API:      {site}/api/v1/docs/\n"
            f"Director: directeur / {demo.PASSWORD}\n"
            f"Tables:   table1 … table7 / {demo.PASSWORD}\n"
            "Ctrl-C stops it."
        )
        if no_serve:
            return
        self.stdout.flush()
        # gunicorn takes this process over, so that Ctrl-C reaches it and nothing stays behind.
        options_ = [
            "--bind",
            f"127.0.0.1:{port}",
            "--threads",
            "8",
            "--log-level",
            "warning",
            "--graceful-timeout",
            "2",
        ]
        os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "config.wsgi", *options_])
