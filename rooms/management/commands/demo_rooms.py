"""The command `manage.py demo_rooms`: a closed room with invented guests. `manage.py demo` calls it if rooms are on."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse
from django.utils import timezone

from rooms.management.demonstration import show_rooms


class Command(BaseCommand):
    help = "Make a closed room with invented guests, for a demonstration. It does nothing on a site without rooms."
    requires_migrations_checks = False

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.ROOMS:
            room = show_rooms(timezone.now())
            lobby, closed = reverse("rooms"), reverse("room", args=[room.pk])
            self.stdout.write(f"Rooms to play in\nLobby:    {lobby}\nClosed:   {closed}")
