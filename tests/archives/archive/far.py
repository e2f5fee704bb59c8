"""The numbers of rows from far ranges: each table counts from a height of its own, so that a number tells its table."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.apps import apps
from django.db import connection

STEP, MOST, APART = 10_000_000, 1_000_000, 5_000
BLOCKS = count()  # each block counts higher than those before it: tests remember evenings with their ids
TABLES = sorted({model._meta.db_table for model in apps.get_models(include_auto_created=True)})
SEQUENCE = "pg_get_serial_sequence(%s, %s)"


@contextmanager
def counting_from_afar() -> Iterator[None]:
    """Let each table count from a height of its own, until the end of the block."""
    above = next(BLOCKS) * APART
    with connection.cursor() as cursor:
        counted = [
            (table, each["column"])
            for table in TABLES
            for each in connection.introspection.get_sequences(cursor, table)
        ]
        before = []
        for table, column in counted:
            cursor.execute(f"SELECT nextval({SEQUENCE})", [table, column])
            before.append(cursor.fetchone()[0])
            cursor.execute(f"SELECT setval({SEQUENCE}, %s)", [table, column, (TABLES.index(table) + 1) * STEP + above])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            for (table, column), last in zip(counted, before, strict=True):
                cursor.execute(f"SELECT setval({SEQUENCE}, %s)", [table, column, last])


def table_of(number: int) -> str:
    """Return the table whose rows count in the range of the number, or ""."""
    place, rest = divmod(number, STEP)
    return TABLES[place - 1] if 1 <= place <= len(TABLES) and rest < MOST else ""


def find_far(value: Any) -> set[tuple[str, int]]:
    """Return the numbers from far ranges in a value of JSON, in keys and words too, each with its table."""
    match value:
        case bool() | None | float():
            return set()
        case int():
            return {(table_of(value), value)} if table_of(value) else set()
        case str():
            return find_far(int(value)) if value.isdecimal() and len(value) < 12 else set()
        case dict():
            return set().union(*(find_far(each) for pair in value.items() for each in pair))
        case _:
            return set().union(*map(find_far, value))
