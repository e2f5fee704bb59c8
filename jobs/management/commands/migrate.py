"""The command `manage.py migrate`: Django's command. Here it refuses a database that another version made."""

import gc
from typing import Any

from django.core.checks import Tags
from django.core.management.commands import migrate
from django.db import connections

from jobs.management.database import refuse_unknown

# Python's own limits. `operations` searches for garbage seldom, which suits requests. But each model that a migration
# adds leaves the classes of all models around it as garbage: 80 MB on a new database.
OFTEN = (700, 10, 10)


class Command(migrate.Command):
    def check(self, *args: Any, **options: Any) -> None:
        """Check models and databases alone: a check of the addresses would read all pages."""
        super().check(*args, **options | {"tags": [Tags.models, Tags.database]})

    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unknown(connections[options["database"]])
        limits = gc.get_threshold()
        gc.set_threshold(*OFTEN)
        try:
            super().handle(*args, **options)
        finally:
            gc.set_threshold(*limits)
