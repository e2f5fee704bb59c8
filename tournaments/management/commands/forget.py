"""The command `manage.py forget`: delete data whose period is over. The site does this every day by itself."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from tournaments.privacy.periods import forget_what_is_over


class Command(BaseCommand):
    help = (
        "Forget now what has been kept for as long as the page about privacy says. The site does it every day itself."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{forget_what_is_over(timezone.now())} rows were due.")
