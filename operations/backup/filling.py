"""The filling of tables with the rows of a backup."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection
from django.db.models import JSONField, Model

from operations.backup.contents import (
    DAMAGED,
    BackupError,
    Row,
    columns_of,
    convert_rows,
    find_form,
    find_kind,
    find_refused,
    kept_models,
)

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
