"""The migrations that a database has, compared with those that this version of the site knows.

The first migration of each app replaces many from before it. A database has all of these or none, else it is refused.
"""

from collections.abc import Collection

from django.core.management.base import CommandError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Key = tuple[str, str]  # an app's label, and the name of its migration

LAST_BEFORE = "2ea36e9c"  # the last commit that has the replaced migrations themselves
PASS_THROUGH = f"check out the commit {LAST_BEFORE}, run `python manage.py migrate` there, and come back"
OURS = ("clubs", "deals", "rooms", "tournaments")
GONE = (
    "axes",
)  # libraries that the site no longer has: a migration drops their tables, backups have none of their rows


def find_unknown(applied: Collection[Key]) -> str:
    """Return the first of these migrations that this version of the site does not know, as "app.name", or "".

    Those of libraries in GONE are left out.
    """
    loader = MigrationLoader(None)
    known = loader.disk_migrations.keys() | {key for each in loader.replacements.values() for key in each.replaces}
    return next((".".join(key) for key in sorted(applied) if key not in known and key[0] not in GONE), "")


def find_midway(applied: Collection[Key]) -> str:
    """Return the first replaced migration that is missing beside others of its app, as "app.name", or ""."""
    for (app, _name), migration in sorted(MigrationLoader(None).replacements.items()):
        missing = [key for key in migration.replaces if key not in applied]
        if missing and any(key[0] == app for key in applied):
            return ".".join(missing[0])
    return ""


def refuse_unknown(database: BaseDatabaseWrapper) -> None:
    """Raise `CommandError` if the site cannot go on with the migrations that the database has.

    It is from before the first release or from a newer version, or it has only some of the replaced migrations.
    """
    applied, name = MigrationRecorder(database).applied_migrations(), database.settings_dict["NAME"]
    if unknown := find_unknown([key for key in applied if key[0] in OURS]):
        raise CommandError(
            f"The database {name} was made by another version of the site ({unknown} is not known here)."
            " A newer version opens it again. If it is from before the first release, nothing can be carried over:"
            f" delete {name} and start again."
        )
    if midway := find_midway(applied):
        raise CommandError(
            f"The database {name} was made by an older version of the site ({midway} is missing). Upgrade it in two"
            f" steps: {PASS_THROUGH}."
        )
