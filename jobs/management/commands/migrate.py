"""The command `manage.py migrate`: Django's command. Here it refuses a database that another version made."""

from typing import Any

from django.core.checks import Tags
from django.core.management.commands import migrate
from django.db import connections

from jobs.management.database import refuse_unknown


class Command(migrate.Command):
    def check(self, *args: Any, **options: Any) -> None:
        """Check models and databases alone: a check of the addresses would read all pages."""
        super().check(*args, **options | {"tags": [Tags.models, Tags.database]})

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unknown(connections[options["database"]])
        super().handle(*args, **options)
