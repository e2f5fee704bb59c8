"""The command `manage.py careers`: make the stored figures of all players again, from the publications."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.careers.keeping import make_all_anew


class Command(BaseCommand):
    help = "Makes what is kept of all players' sessions anew, from what is published, and tells what was otherwise."

    def handle(self, **_options: Any) -> None:
        sessions, wrong = make_all_anew()
        self.stdout.write(f"{sessions} sessions, {wrong} of them with other figures than those made.")
