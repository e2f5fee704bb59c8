"""The reading of a backup into an empty site, all or none: its lines are checked, and its rows are written."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec
from django.apps.registry import Apps
from django.core.management.color import no_style
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.models import JSONField, Model

from jobs.management.database import PASS_THROUGH, find_midway, find_unknown_migration
from operations.backup.contents import (
    DAMAGED,
    FILLED_BY_THE_SITE,
    BackupError,
    Row,
    columns_of,
    convert_rows,
    find_form,
    find_kind,
    find_refused,
    kept_models,
)
from operations.backup.encryption import DecryptedFile, is_encrypted
from operations.backup.writing import FORMAT, leave_out_replaced

# The SQL that finds indexes and links, which slow down the filling of tables. It returns pairs of statements: the first
# drops an index or link, the second creates it again. PostgreSQL checks a link much faster for all rows at once.
INDEXES_IN_SQLITE = """
SELECT 'DROP INDEX "' || name || '"', sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL
"""
LINKS_IN_POSTGRESQL = """
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
"""
INDEXES_IN_POSTGRESQL = """
SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
"""
SLOWING = {"sqlite": [INDEXES_IN_SQLITE], "postgresql": [LINKS_IN_POSTGRESQL, INDEXES_IN_POSTGRESQL]}


def fill_tables(apps: Apps, blocks: Iterable[bytes]) -> dict[str, int]:
    """Write the rows of all tables, using the models of the backup's release. Return the number of rows by table."""
    models = {model._meta.db_table: model for model in kept_models(apps)}
    counts: dict[str, int] = {}
    filling: TableToFill | None = None
    with tables_without_indexes():
        for part in split_blocks(blocks):
            if part.startswith(b"{"):
                filling = TableToFill(models, json.loads(part))
                counts[filling.table] = 0
            elif filling is not None:
                counts[filling.table] += filling.add(part)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), list(models.values())):
            cursor.execute(statement)
    connection.check_constraints()
    return counts


@contextmanager
def tables_without_indexes() -> Iterator[None]:
    """Drop the indexes of all tables, in PostgreSQL their foreign keys too, and create them again at the end.

    The new ones equal the old ones. The caller must be in a transaction, so that no failure leaves tables without them.
    """
    with connection.cursor() as cursor:
        again: list[str] = []
        for query in SLOWING[connection.vendor]:
            cursor.execute(query)
            for drop, make in cursor.fetchall():
                cursor.execute(drop)
                again.insert(0, make)
        yield
        for make in again:
            cursor.execute(make)


def split_blocks(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Split blocks of lines into parts: the first line of a table, or lines of rows.

    The lines of rows begin with a bracket, the others with a brace.
    """
    for block in blocks:
        start = 0
        while start < len(block):
            if block.startswith(b"{", start):
                end = block.index(b"\n", start) + 1
            else:
                end = block.find(b"\n{", start) + 1 or len(block)
            yield block[start:end]
            start = end


class TableToFill:
    """A table that is filled with rows from the lines of a backup."""

    def __init__(self, models: dict[str, type[Model]], line: dict[str, Any]) -> None:
        self.table: str = line["table"]
        if self.table not in models:
            raise BackupError(DAMAGED.format(f"its table {self.table} is not of its release"))
        self.model = models[self.table]
        self.fields = columns_of(self.model)
        columns = [str(field.column) for field in self.fields]
        if columns != line["columns"]:
            raise BackupError(DAMAGED.format(f"the columns of {self.table} are not those of its release"))
        # The values of JSON columns are not parsed: their text is written as it is.
        kinds = tuple(msgspec.Raw if isinstance(find_kind(field), JSONField) else Any for field in self.fields)
        self.decoder = msgspec.json.Decoder(tuple.__class_getitem__(kinds))
        self.read = [find_form(field, connection).read for field in self.fields]
        self.columns = ", ".join(map(connection.ops.quote_name, columns))
        self.model._base_manager.all()._raw_delete(connection.alias)

    def add(self, text: bytes) -> int:
        """Insert the rows of some lines. Return the number of rows."""
        try:
            rows: Sequence[Row] = self.decoder.decode_lines(text)
        except msgspec.DecodeError as error:
            raise BackupError(DAMAGED.format(f"a row of {self.table} cannot be read ({error})")) from None
        table = connection.ops.quote_name(self.table)
        if connection.vendor == "postgresql":
            if refused := find_refused(self.fields, rows, text):
                raise BackupError(f"PostgreSQL refuses a row of the backup: {refused}")
            with (
                connection.cursor() as cursor,
                connection.wrap_database_errors,
                cursor.copy(f"COPY {table} ({self.columns}) FROM STDIN") as copy,
            ):
                for row in convert_rows(rows, self.read):
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(self.fields))
            with connection.cursor() as cursor:
                cursor.executemany(
                    f"INSERT INTO {table} ({self.columns}) VALUES ({marks})", convert_rows(rows, self.read)
                )
        return len(rows)


READ_BYTES = 65_536  # bytes that are read from a decrypted file at once
BLOCK_BYTES = 262_144  # bytes that are unpacked at once


class BackupHead(NamedTuple):
    """The content of the first line of a backup. `migrations` are pairs of app and name."""

    migrations: list[tuple[str, str]]


def read_lines(path: Path, identity: Any = None) -> Iterator[Any]:
    """Yield the lines of a backup, except the last, as values. Raise BackupError as `read_blocks` does."""
    for text in read_texts(path, identity):
        yield parse_line(text)


def parse_line(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise BackupError(DAMAGED.format(f"a line is no JSON ({error})")) from None


def read_texts(path: Path, identity: Any = None) -> Iterator[bytes]:
    """Yield the lines of a backup, except the last, as text. Raise BackupError as `read_blocks` does."""
    for block in read_blocks(path, identity):
        yield from split_lines(block)


def split_lines(block: bytes) -> Iterator[bytes]:
    for line in block.removesuffix(b"\n").split(b"\n"):
        yield line + b"\n"


def read_blocks(path: Path, identity: Any = None) -> Generator[bytes, None, str]:
    """Yield the lines of a backup, except the last, several at a time. Return their digest.

    `identity` is the private key of an encrypted backup. Raise BackupError if the file is not a backup, or is cut or
    damaged, or if its last line has another digest. Raise it also if the key does not open the file.
    """
    digest, rest = sha256(), b""
    try:
        with open_content(path, identity) as content, gzip.open(content, "rb") as packed:
            while piece := packed.read(BLOCK_BYTES):
                rest += piece
                # The last line is held back, because it may be the last line of the file.
                end = rest.rfind(b"\n", 0, -1) + 1
                if end:
                    block, rest = rest[:end], rest[end:]
                    digest.update(block)
                    yield block
        last = json.loads(rest) if rest else None
    except PermissionError:
        raise BackupError(f"The user of this command may not read {path}: give that user the right to.") from None
    except FileNotFoundError:
        raise BackupError(f"There is no file {path}.") from None
    except gzip.BadGzipFile:
        raise BackupError(f"{path} is not a backup of this site's kind: it is not packed by gzip.") from None
    except (EOFError, OSError, ValueError, zlib.error) as error:
        raise BackupError(DAMAGED.format(f"it cannot be read to its end ({error})")) from error
    if not isinstance(last, dict) or "sha256" not in last:
        raise BackupError(DAMAGED.format("its end is missing"))
    if last["sha256"] != digest.hexdigest():
        raise BackupError(DAMAGED.format("its content does not agree with its digest"))
    return digest.hexdigest()


def check_file(path: Path, identity: Any = None) -> str:
    """Read a whole backup, and return its digest. Raise BackupError as `read_blocks` does."""
    blocks = read_blocks(path, identity)
    while True:
        try:
            next(blocks)
        except StopIteration as end:
            return str(end.value)


def open_content(path: Path, identity: Any) -> IO[bytes]:
    """Return an open file with the packed lines of a backup, decrypted if necessary.

    Raise BackupError if the backup is encrypted and there is no private key.
    """
    if not is_encrypted(path):
        return path.open("rb")
    if identity is None:
        raise BackupError("The backup is encrypted. Name the file of the private key: --identity FILE.")
    return io.BufferedReader(DecryptedFile(path, identity), READ_BYTES)


def read_head(line: Any) -> BackupHead:
    """Return the content of the first line. Raise BackupError if it is not the first line, or of another format."""
    if not isinstance(line, dict) or "format" not in line:
        raise BackupError("The file is not a backup: its first line names no format.")
    if line["format"] != FORMAT:
        raise BackupError(f"The backup has format {line['format']}, this release reads format {FORMAT}: upgrade first.")
    return BackupHead([(app, name) for app, name in line["migrations"]])


class RestoredBackup(NamedTuple):
    """The figures of a restored backup. `rows` are the numbers of rows by table."""

    rows: dict[str, int]
    digest: str


def do_nothing() -> None:
    pass


class RestoreSteps(NamedTuple):
    """The steps of a caller within the transaction of a restore.

    `before` is called first. If it is given, the rows of a site in use are replaced. `check` is called after the rows
    are written, in the form of the backup's release. `after` is called after the migrations to this release.
    """

    check: Callable[[], None] = do_nothing
    before: Callable[[], None] | None = None
    after: Callable[[], None] = do_nothing


NO_STEPS = RestoreSteps()


def restore_backup(path: Path, identity: Any = None, steps: RestoreSteps = NO_STEPS) -> RestoredBackup:
    """Write all rows of a backup into this empty site.

    The tables are first migrated to the migrations of the backup, then on to those of this release. Raise `BackupError`
    if the site has rows, or if the backup cannot be used; the site is then as empty as before.
    """
    digest = check_file(path, identity)  # the whole file is checked before anything is changed
    blocks = read_blocks(path, identity)
    first, _, rest = next(blocks).partition(b"\n")
    head = read_head(parse_line(first))
    if unknown := find_unknown_migration(head.migrations):
        raise BackupError(f"The backup is of a newer release ({unknown} is not known here): upgrade this site first.")
    if midway := find_midway(head.migrations):
        raise BackupError(f"The backup is of an older version ({midway} is missing): {PASS_THROUGH}.")
    executor = MigrationExecutor(connection)
    if steps.before is None:
        refuse_used(executor)
    targets = leaves_of(executor, head.migrations)
    # SQLite can change tables only while it does not check foreign keys. All are checked after the rows are written.
    with connection.constraint_checks_disabled(), transaction.atomic():
        if steps.before is not None:
            steps.before()
        if set(executor.loader.applied_migrations) != set(head.migrations):
            drop_tables()
            migrate_to(targets)
        connection.check_constraints()  # from here on PostgreSQL checks constraints only at the end
        counts = fill_tables(executor.loader.project_state(targets).apps, chain([rest], blocks))
        steps.check()
        migrate_to(executor.loader.graph.leaf_nodes())
        emit_post_migrate_signal(0, False, connection.alias)
        steps.after()
    return RestoredBackup(counts, digest)


def migrate_to(targets: list[tuple[str, str]]) -> None:
    """Carry out all migrations up to these that the database lacks."""
    MigrationExecutor(connection).migrate(targets)


def refuse_used(executor: MigrationExecutor) -> None:
    """Raise BackupError if a table of the site has rows that the site did not write by itself."""
    loader = executor.loader
    state = loader.project_state(leave_out_replaced(loader, list(loader.applied_migrations))).apps
    table_names = set(connection.introspection.table_names())
    for model in kept_models(state):
        table = model._meta.db_table
        if table in table_names and table not in FILLED_BY_THE_SITE and model._base_manager.exists():
            raise BackupError(
                f"This site is in use: its table {table} has rows. Restore into an empty site: with a new DATABASE_URL,"
                " or a new VAR_DIR on a laptop."
            )


def leaves_of(executor: MigrationExecutor, migrations: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return those of the migrations that no other one of them depends on."""
    nodes, applied = executor.loader.graph.node_map, set(migrations)
    return [
        each
        for each in leave_out_replaced(executor.loader, migrations)
        if not applied & {child.key for child in nodes[each].children}
    ]


def drop_tables() -> None:
    """Drop all tables of an empty site, so that the tables of an older release can be created."""
    quote = connection.ops.quote_name
    cascade = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"DROP TABLE {quote(table)}{cascade}")
