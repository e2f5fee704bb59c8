"""The writing of a backup. All rows are read in one transaction, so that they are of the same moment."""

import json
import os
import zlib
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
from operations.backup.encryption import encrypt_chunks

FORMAT = 1
ALIAS = "backup"  # the name of a second connection, beside those of requests
GZIP = 31  # the argument of zlib for the format of gzip
PACKING = 3  # the level of gzip: a higher one takes twice as long and saves a tenth
AT_ONCE = 500  # rows that are read at once, fewer if they are large
FIRST = 10  # rows
MOST_BYTES = 1_000_000  # the bytes of large rows that are read at once, about
STATEMENT_SECONDS = 600


class WrittenBackup(NamedTuple):
    """The figures of a backup. `rows`: the number of rows by table. `digest`: SHA-256 of the lines. `size`: bytes."""

    rows: dict[str, int]
    digest: str
    size: int


def write_backup(path: Path, key: str = "") -> WrittenBackup:
    """Write all rows of the site to a file, encrypted if there is a public key. Return the figures of the backup.

    The file appears under its name only when it is complete. If anything fails, an older file with that name stays as
    it was. Raise OSError if the file cannot be written.
    """
    beside, site = path.with_name(f".{path.name}.{os.getpid()}.part"), PackedSite()
    try:
        with beside.open("xb") as file:
            os.fchmod(file.fileno(), 0o600)
            if key:
                encrypt_chunks(site.chunks(), file, key)
            else:
                file.writelines(site.chunks())
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return WrittenBackup(site.rows, site.digest.hexdigest(), size)


class PackedSite:
    """The lines of a backup of this site, packed. `rows` and `digest` are complete after the last piece."""

    def __init__(self) -> None:
        self.rows: dict[str, int] = {}
        self.digest = sha256()

    def chunks(self) -> Iterator[bytes]:
        packing = zlib.compressobj(PACKING, wbits=GZIP)
        for line in self.lines():
            if packed := packing.compress(line):
                yield packed
        yield packing.flush()

    def lines(self) -> Iterator[bytes]:
        with frozen_rows() as database:
            for line in lines_of_site(database, self.rows):
                self.digest.update(line)
                yield line
        yield write_line({"rows": self.rows, "sha256": self.digest.hexdigest()})


def lines_of_site(database: BaseDatabaseWrapper, rows: dict[str, int]) -> Iterator[bytes]:
    """Yield the lines of a backup of this database, except the last. Count the rows of each table in `rows`."""
    migrations, apps = read_release(database)
    yield write_line({"format": FORMAT, "migrations": migrations})
    for model in kept_models(apps):
        table = model._meta.db_table
        yield write_line({"table": table, "columns": [field.column for field in columns_of(model)]})
        rows[table] = 0
        for line in lines_of_table(model, database.alias):
            yield line
            rows[table] += 1


def write_line(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_release(database: BaseDatabaseWrapper) -> tuple[list[tuple[str, str]], Apps]:
    """Return the migrations that the database has, and the models as they are after these migrations.

    So a new release can back up the database before it migrates it. Raise BackupError if a migration is unknown.
    """
    loader = MigrationLoader(database)
    applied = sorted(loader.applied_migrations)
    if unknown := find_unknown_migration(loader, applied):
        raise BackupError(f"The database was made by another release ({unknown} is not known here).")
    return applied, loader.project_state(applied).apps


def find_unknown_migration(loader: MigrationLoader, migrations: list[tuple[str, str]]) -> str:
    """Return the first of the migrations that this release does not know, as "app.name", or ""."""
    return next((f"{app}.{name}" for app, name in migrations if (app, name) not in loader.disk_migrations), "")


@contextmanager
def frozen_rows() -> Iterator[BaseDatabaseWrapper]:
    """Give a connection that reads all rows as they are at this moment, until the end of the block.

    Others can write in the meantime. PostgreSQL reads in a transaction with a snapshot, SQLite in a deferred
    transaction.
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


def lines_of_table(model: type[Model], alias: str) -> Iterator[bytes]:
    """Yield the lines of the rows of a table in the order of their ids, read in batches: a row may hold a whole report.

    The first batches are small, because nobody knows yet how large the rows are.
    """
    names = [field.attname for field in columns_of(model)]
    key = names.index(model._meta.pk.attname)
    rows = model._base_manager.using(alias).order_by("pk").values_list(*names)
    last, many, most = None, FIRST, 1
    while True:
        found = list((rows if last is None else rows.filter(pk__gt=last))[:many])
        for row in found:
            line = write_line([to_json(value) for value in row])
            most = max(most, len(line))
            yield line
        if len(found) < many:
            return
        last = found[-1][key]
        many = max(1, min(AT_ONCE, MOST_BYTES // most, 4 * many))
