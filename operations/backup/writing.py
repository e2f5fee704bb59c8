"""The writing of a backup: one reading transaction, so that all rows are of the same moment."""

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from django.apps.registry import Apps
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.models import Model

from operations.backup.contents import BackupError, columns_of, kept_models, to_json

FORMAT = 1
ALIAS = "backup"  # the name of a connection of our own: an evening's requests keep theirs
PACKING = 3  # of gzip: a higher level takes twice as long for a tenth less
AT_ONCE = 500  # rows, fewer where they are large
MOST_BYTES = 4_000_000  # of a large table's rows at once, about
STATEMENT_SECONDS = 600


class WrittenBackup(NamedTuple):
    """The figures of a backup. `rows` are the numbers of rows by table."""

    rows: dict[str, int]
    digest: str
    size: int


def write_backup(path: Path) -> WrittenBackup:
    """Write all rows of the site to a file. The file has its name only once it is whole.

    An older file of that name stays as it was if anything fails. Raise `OSError` if the file cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as file:
            os.fchmod(file.fileno(), 0o600)
            with gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=PACKING, mtime=0) as packed:
                rows, digest = write_lines(packed)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return WrittenBackup(rows, digest, size)


def write_lines(packed: gzip.GzipFile) -> tuple[dict[str, int], str]:
    """Write the lines of a backup. Return the numbers of rows by table, and the digest of the lines."""
    digest = sha256()
    counts: dict[str, int] = {}

    def write(line: Any) -> None:
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        digest.update(text)
        packed.write(text)

    with frozen_rows() as database:
        migrations, apps = read_release(database)
        write({"format": FORMAT, "migrations": migrations})
        for model in kept_models(apps):
            table = model._meta.db_table
            write({"table": table, "columns": [field.column for field in columns_of(model)]})
            counts[table] = 0
            for row in read_rows(model):
                write([to_json(value) for value in row])
                counts[table] += 1
    whole = digest.hexdigest()
    write({"rows": counts, "sha256": whole})
    return counts, whole


def read_release(database: BaseDatabaseWrapper) -> tuple[list[tuple[str, str]], Apps]:
    """Return the migrations that the database has, and the models as they are after these.

    So a site is backed up before its upgrade, by the new release. Raise `BackupError` if a migration is unknown.
    """
    loader = MigrationLoader(database)
    applied = sorted(loader.applied_migrations)
    if unknown := find_unknown_migration(loader, applied):
        raise BackupError(f"The database was made by another release ({unknown} is not known here).")
    return applied, loader.project_state(applied).apps


def find_unknown_migration(loader: MigrationLoader, migrations: list[tuple[str, str]]) -> str:
    """Return the first of the migrations that this release does not have, or ""."""
    return next((f"{app}.{name}" for app, name in migrations if (app, name) not in loader.disk_migrations), "")


@contextmanager
def frozen_rows() -> Iterator[BaseDatabaseWrapper]:
    """Read all rows as they are at this moment, by a connection of its own, until the end of the block.

    Others go on writing: PostgreSQL reads in a transaction of its own snapshot, SQLite in a deferred one.
    """
    database = connection.copy(ALIAS)
    if database.vendor == "sqlite":
        database.settings_dict["OPTIONS"] = database.settings_dict["OPTIONS"] | {"transaction_mode": "DEFERRED"}
    connections[ALIAS] = database
    try:
        database.set_autocommit(True)
        with database.cursor() as cursor:
            if database.vendor == "postgresql":
                cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                cursor.execute(f"SET LOCAL statement_timeout = '{STATEMENT_SECONDS}s'")
            else:
                cursor.execute("BEGIN DEFERRED")
            yield database
            cursor.execute("ROLLBACK")
    finally:
        database.close()
        del connections[ALIAS]


def read_rows(model: type[Model]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a table by rising ids, some at a time: a row may hold a whole report."""
    names = [field.attname for field in columns_of(model)]
    rows = model._base_manager.using(ALIAS).order_by("pk").values_list(*names)
    last, many = None, AT_ONCE
    while True:
        found = list((rows if last is None else rows.filter(pk__gt=last))[:many])
        yield from found
        if len(found) < many:
            return
        last = found[-1][names.index(model._meta.pk.attname)]
        most = max(sum(len(str(value)) for value in row) for row in found)
        many = max(1, min(AT_ONCE, MOST_BYTES // most))
