"""The command `manage.py forget`: delete data whose period is over. The site does this every day by itself."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from archives.privacy.periods import forget_what_is_over


class Command(BaseCommand):
    help = "Delete now the personal data kept as long as the page /privacy/ says. The site does so every day."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"{forget_what_is_over(timezone.now())} rows were due.")
