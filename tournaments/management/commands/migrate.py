"""`manage.py migrate`: Django's own, which refuses a database that other migrations than these have made."""

from typing import Any

from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.loader import MigrationLoader

OURS = ("clubs", "deals", "tournaments")


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        refuse_unknown(options["database"])
        super().handle(*args, **options)


def refuse_unknown(database: str) -> None:
    """`CommandError` where the database has known migrations that are not here: those before the first release, or
    those of a newer one."""
    connection = connections[database]
    loader = MigrationLoader(connection)
    unknown = [
        f"{app}.{name}"
        for app, name in loader.applied_migrations
        if app in OURS and (app, name) not in loader.disk_migrations
    ]
    if not unknown:
        return
    name = connection.settings_dict["NAME"]
    raise CommandError(
        f"The database {name} was made by another version of the site ({unknown[0]} is not known here)."
        " A newer version opens it again. If it is from before the first release, nothing can be carried over:"
        f" Delete {name} and start again."
    )
