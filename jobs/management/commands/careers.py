"""The command `manage.py careers`: make the stored figures of all players again, from the publications."""

from typing import Any

from django.core.management.base import BaseCommand

from rankings.careers.keeping import make_all_anew


class Command(BaseCommand):
    help = "Make the stored figures of all players again from what is published. Say how many sessions were wrong."

    def handle(self, **_options: Any) -> None:
        sessions, wrong = make_all_anew()
        self.stdout.write(f"{sessions} sessions, {wrong} of them had wrong figures.")
