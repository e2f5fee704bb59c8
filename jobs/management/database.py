"""The check, at the start of a process, that the site can work with its database, and knows its migrations.

The first migration of each app replaces many from before it. A database has all of these or none, else it is refused.
"""

import logging
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, InterfaceError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from deals.rekeying import read_newest_cards
from deals.secret import UnreadableCards
from tournaments.failures import SILENT, find_failure, first_line

Key = tuple[str, str]  # an app's label, and the name of its migration

LAST_BEFORE = "2ea36e9c"  # the last commit that has the replaced migrations themselves
PASS_THROUGH = f"check out the commit {LAST_BEFORE}, run its command `migrate`, and come back"
OURS = ("clubs", "deals", "rooms", "tournaments")
# Libraries that the site no longer has. A migration drops their tables, and backups have none of their rows.
GONE = ("axes",)


def find_unknown_migration(applied: Collection[Key]) -> str:
    """Return the first of these migrations that this version of the site does not know, as "app.name", or "".

    Those of libraries in GONE are left out.
    """
    loader = MigrationLoader(None)
    known_keys = loader.disk_migrations.keys() | {key for each in loader.replacements.values() for key in each.replaces}
    return next((".".join(key) for key in sorted(applied) if key not in known_keys and key[0] not in GONE), "")


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
    if unknown := find_unknown_migration([key for key in applied if key[0] in OURS]):
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


CONNECT_SECONDS = 5

logger = logging.getLogger(__name__)


def check_database() -> None:
    """Raise `CommandError` if the site cannot work with its database. The message says which command to run.

    If the database does not answer, only log this. It may answer later. Until then, pages say that it does not answer.
    The check uses a connection of its own with a short time limit, and closes it. Open connections must not be shared
    with the processes that are forked later.
    """
    apart = connection.copy()
    if apart.vendor == "postgresql":
        apart.settings_dict["OPTIONS"]["connect_timeout"] = CONNECT_SECONDS
    try:
        refuse_unknown(apart)
        loader = MigrationLoader(apart)
    except (DatabaseError, InterfaceError) as error:
        failure = find_failure(error)
        if failure is None:
            raise
        if failure != SILENT:
            raise CommandError(f"{sentence(failure.logged)} ({first_line(error)})") from error
        logger.warning("%s at the start (%s)", failure.logged, first_line(error))
        return
    finally:
        apart.close()
        connection.close()  # Django may have opened this connection to read the migrations
    missing = sorted(set(loader.graph.nodes) - set(loader.applied_migrations))
    if missing:
        raise CommandError(
            f"The database {name_of(apart)} is not ready for this version of the site (migrations to carry out:"
            f" {len(missing)}, {'.'.join(missing[0])} first). Run `{settings.COMMAND} migrate`, then start again."
        )
    try:
        read_newest_cards()
    except UnreadableCards as error:
        raise CommandError(str(error)) from error
    finally:
        connection.close()


def name_of(database: BaseDatabaseWrapper) -> Any:
    return database.settings_dict["NAME"]


def sentence(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]
