"""The command `manage.py leaderboards`: make all ratings and leaderboards again, from the rated sessions."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from rankings.leaderboards.keeping import make_leaderboards_anew


class Command(BaseCommand):
    help = "Make all ratings and leaderboards again from what is published. Say how many stored rows were wrong."

    def handle(self, **_options: Any) -> None:
        ratings, rows, wrong = make_leaderboards_anew(timezone.now())
        self.stdout.write(f"{ratings} ratings, {rows} rows of leaderboards, {wrong} stored rows were wrong or missing.")
