"""The command `manage.py beat`: it asks for the jobs that are due on a server, until it is told to end."""

from argparse import ArgumentParser
from typing import Any

from celery import current_app
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Ask for the jobs that are due, until it is told to end. A site has one beat, never two."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--schedule", default=str(settings.VAR_DIR / "beat"), help="the file that it keeps")

    def handle(self, *args: Any, schedule: str, **options: Any) -> None:
        current_app.start(["beat", "--loglevel", "INFO", "--schedule", schedule])
