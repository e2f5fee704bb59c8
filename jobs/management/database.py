"""The check, at the start of a process, that the site can work with its database."""

import logging
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, InterfaceError, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader

from deals.rekeying import read_newest_cards
from deals.secret import UnreadableCards
from jobs.management.migrations import refuse_unknown
from tournaments.failures import SILENT, find_failure, first_line

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
