"""The command `manage.py demo_rooms`: a closed room with invented guests. `manage.py demo` calls it if rooms are on."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.urls import reverse
from django.utils import timezone

from rooms.management.demonstration import show_rooms


class Command(BaseCommand):
    help = "Make a closed room with invented guests, for a demonstration. It does nothing on a site without rooms."
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--site", default=settings.SITE_URL, help="scheme and host before the addresses")

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.ROOMS:
            room = show_rooms(timezone.now())
            site = options["site"]
            lobby, closed = f"{site}{reverse('rooms')}", f"{site}{reverse('room', args=[room.pk])}"
            self.stdout.write(f"Rooms to play in\nLobby:    {lobby}\nClosed:   {closed}")
