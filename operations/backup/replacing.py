"""The restore over a site in use: all or nothing. Erasures, privacy choices and ended roles stay."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any, NamedTuple

from celery import current_app
from django.apps import apps
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from clubs.models import ClubLogEntry
from operations.backup.contents import LEFT_OUT, BackupError
from operations.backup.ledger import Ledger, LogEnd, apply_ledger, read_ledger
from operations.backup.reading import RestoreSteps, read_head, read_lines, restore_backup

SHOWN = {
    "clubs_club": "clubs",
    "clubs_user": "accounts",
    "clubs_player": "players",
    "tournaments_session": "sessions",
    "tournaments_resultentry": "results",
    "tournaments_publication": "publications",
}


class SiteSummary(NamedTuple):
    """The numbers of rows of some tables, and the end of the clubs' log. A person recognises a site by them."""

    rows: dict[str, int]
    end: LogEnd | None

    def __str__(self) -> str:
        counts = ", ".join(f"{self.rows.get(table, 0)} {name}" for table, name in SHOWN.items())
        return f"{counts}; last change of a club {self.end.at:%Y-%m-%d %H:%M} UTC" if self.end else counts


def summarise_site() -> SiteSummary:
    """Return the summary of the site. Raise `BackupError` if its tables are not those of this release."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise BackupError(f"The site has not all migrations of this release. Run `{settings.COMMAND} upgrade` first.")
    tables = {model._meta.db_table: model for model in apps.get_models()}
    newest = ClubLogEntry.objects.order_by("pk").last()
    rows = {table: tables[table]._base_manager.count() for table in SHOWN}
    return SiteSummary(rows, LogEnd(newest.pk, newest.at.astimezone(dt.UTC)) if newest else None)


def summarise_backup(path: Path, identity: Any = None) -> SiteSummary:
    """Return the summary of a backup, which is read to its end. Raise `BackupError` if it cannot be used."""
    lines = read_lines(path, identity)
    read_head(next(lines))
    rows: dict[str, int] = {}
    table, columns, last = "", [], None
    for line in lines:
        if isinstance(line, dict):
            table, columns = line["table"], line["columns"]
            rows[table] = 0
        else:
            rows[table] += 1
            if table == "clubs_clublogentry":
                last = LogEnd(line[0], dt.datetime.fromisoformat(line[columns.index("at")]))
    return SiteSummary(rows, last)


def refuse_other_connections() -> None:
    """Raise `BackupError` if other processes are connected with PostgreSQL: they serve the site."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        count = cursor.fetchone()[0]
    if count:
        raise BackupError(
            f"{count} other connections use the database. End the processes of the site (serve, workers, beat) and of"
            " psql, then restore."
        )


class Replacement:
    """The replacement of a site's rows by those of a backup. `unapplied` are sentences for the operator of the site."""

    def __init__(self, end: LogEnd | None, *, now: dt.datetime) -> None:
        self.end, self.now = end, now
        self.ledger: Ledger | None = None
        self.unapplied: list[str] = []

    def before(self) -> None:
        """Read the ledger of the old rows, and delete log-ins and counts of tries."""
        self.ledger = read_ledger(self.end)
        for model in apps.get_models():
            if model._meta.db_table in LEFT_OUT:
                model._base_manager.all()._raw_delete(connection.alias)

    def after(self) -> None:
        assert self.ledger is not None
        self.unapplied = apply_ledger(self.ledger, now=self.now)


def replace_site(path: Path, identity: Any, end: LogEnd | None, *, now: dt.datetime) -> list[str]:
    """Replace all rows of the site by those of a backup. Return sentences about what must be done by hand.

    Nothing is changed if anything fails. `end` is the end of the log in the backup.
    """
    replacement = Replacement(end, now=now)
    restore_backup(path, identity, RestoreSteps(before=replacement.before, after=replacement.after))
    return [*replacement.unapplied, *empty_caches()]


def empty_caches() -> list[str]:
    """Empty the caches and the queues. Return a sentence if Redis does not answer."""
    try:
        for name in settings.CACHES:
            caches[name].clear()
        if not settings.CELERY_BROKER_URL.startswith("memory:"):
            current_app.control.purge()
    except (RedisError, OperationalError) as error:
        return [f"Redis is not emptied ({error}). Empty it before you start the site: `redis-cli flushall`."]
    return []
