"""The writing of a backup. All rows are read in one transaction, so that they show the same moment."""

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from django.apps.registry import Apps
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Model

from deals.secret import UnreadableCards
from jobs.management.database import PASS_THROUGH, find_midway, find_unknown_migration
from operations.backup.contents import BackupError, columns_of, convert_rows, find_form, kept_models
from operations.backup.encryption import encrypt_chunks

FORMAT = 1
ALIAS = "backup"  # the name of a second connection, beside those of requests
GZIP = 31  # the argument of zlib for the format of gzip
PACKING = 3  # the level of gzip: a higher one takes twice as long and saves a tenth
AT_ONCE = 1_000  # rows that are read at once, fewer if they are large
FIRST = 10  # rows of the first batch
MOST_BYTES = 1_000_000  # the bytes of large rows that are read at once, approximately
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
            beside.chmod(0o600)
            if key:
                encrypt_chunks(site.chunks(), file, key)
            else:
                file.writelines(site.chunks())
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        beside.replace(path)
    except UnreadableCards as error:
        raise BackupError(str(error)) from None
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
        for block in self.blocks():
            if packed := packing.compress(block):
                yield packed
        yield packing.flush()

    def blocks(self) -> Iterator[bytes]:
        with frozen_rows() as database:
            for block in blocks_of_site(database, self.rows):
                self.digest.update(block)
                yield block
        yield write_line({"rows": self.rows, "sha256": self.digest.hexdigest()})


def blocks_of_site(database: BaseDatabaseWrapper, rows: dict[str, int]) -> Iterator[bytes]:
    """Yield the lines of a backup of this database, except the last, several at a time.

    Count the rows of each table in `rows`.
    """
    migrations, apps = read_release(database)
    yield write_line({"format": FORMAT, "migrations": migrations})
    for model in kept_models(apps):
        table = model._meta.db_table
        yield write_line({"table": table, "columns": [field.column for field in columns_of(model)]})
        rows[table] = 0
        for lines in lines_of_table(model, database):
            yield b"".join(lines)
            rows[table] += len(lines)


def write_line(value: Any) -> bytes:
    return msgspec.json.encode(value) + b"\n"


def read_release(database: BaseDatabaseWrapper) -> tuple[list[tuple[str, str]], Apps]:
    """Return the migrations that the database has, and the models as they are after these migrations.

    So a new release can back up the database before it migrates it. Raise BackupError if a migration is unknown.
    """
    applied = sorted(MigrationRecorder(database).applied_migrations())
    if unknown := find_unknown_migration(applied):
        raise BackupError(f"The database was made by another release ({unknown} is not known here).")
    if midway := find_midway(applied):
        raise BackupError(f"The database was made by an older version ({midway} is missing): {PASS_THROUGH}.")
    loader = MigrationLoader(database)
    return applied, loader.project_state(leave_out_replaced(loader, applied)).apps


def leave_out_replaced(loader: MigrationLoader, applied: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return those of the migrations that this release has, without those that its first ones replace."""
    return [key for key in applied if key in loader.graph.nodes]


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


def lines_of_table(model: type[Model], database: BaseDatabaseWrapper) -> Iterator[list[bytes]]:
    """Yield the lines of the rows of a table in the order of their ids, read in batches: a row may hold a whole report.

    The first batches are small, because nobody knows yet how large the rows are.
    """
    fields, quote = columns_of(model), database.ops.quote_name
    forms = [find_form(field, database) for field in fields]
    names = [quote(str(field.column)) for field in fields]
    read = ", ".join(form.select.format(name) for form, name in zip(forms, names, strict=True))
    key, table = names[0], quote(model._meta.db_table)
    first = f"SELECT {read} FROM {table} ORDER BY {key} LIMIT %s"
    following = f"SELECT {read} FROM {table} WHERE {key} > %s ORDER BY {key} LIMIT %s"
    last, many, most = None, FIRST, 1
    while True:
        with database.cursor() as cursor:
            cursor.execute(*((first, [many]) if last is None else (following, [last, many])))
            rows = cursor.fetchall()
        lines = [write_line(row) for row in convert_rows(rows, [form.write for form in forms])]
        if lines:
            yield lines
        if len(rows) < many:
            return
        last, most = rows[-1][0], max(most, *map(len, lines))
        many = max(1, min(AT_ONCE, MOST_BYTES // most, 4 * many))
