"""The command `manage.py migrate`: Django's command. Here it refuses a database that another version made."""

import gc
from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration

from tournaments.management.database import refuse_unknown
from tournaments.management.reloading import reload_fewer_models

# Each migration makes all models anew, which refer to each other. Python looks for garbage among them so often that it
# takes a third of the time. So garbage is collected only if there is much of it: this many objects take about 75 MB.
MOST_OBJECTS = 500_000


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        connection = connections[options["database"]]
        refuse_unknown(MigrationLoader(connection), connection)
        enabled = gc.isenabled()
        gc.disable()
        try:
            with reload_fewer_models():
                super().handle(*args, **options)
        finally:
            if enabled:
                gc.enable()

    def migration_progress_callback(self, action: str, migration: Migration | None = None, fake: bool = False) -> None:
        super().migration_progress_callback(action, migration, fake)
        if gc.get_count()[0] > MOST_OBJECTS:
            gc.collect()
