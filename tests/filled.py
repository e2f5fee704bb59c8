"""The rows of a whole database as a file for any database: the content of a club's site at some release.

Call `write_down` while tests have filled their database. It never overwrites a file. The program makes the tables of
that release with their rows, in a database that the environment names.

    python -m tests.filled tests/golden/filled/FILE
"""

import datetime as dt
import gzip
import json
import sys
from base64 import b64decode, b64encode
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

FILLED = Path(__file__).parent / "golden" / "filled"
AS_MIGRATED = {"django_migrations", "django_content_type", "auth_permission"}  # the migrations themselves fill these


def write_down(path: Path) -> None:
    """Write all rows to the file, with the names of the migrations that have made the tables."""
    with connection.cursor() as cursor:
        applied = sorted(MigrationRecorder(connection).applied_migrations())
        tables = {}
        for table in sorted(set(connection.introspection.table_names(cursor)) - AS_MIGRATED):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            columns = [column.name for column in cursor.description]
            rows = [[as_text(value) for value in row] for row in cursor.fetchall()]
            tables[table] = {"columns": columns, "rows": rows}
    told = json.dumps({"migrations": applied, "tables": tables}, ensure_ascii=False)
    with path.open("xb") as file:
        file.write(gzip.compress(told.encode(), mtime=0))


def read_filled(path: Path) -> dict[str, Any]:
    """Return {"migrations": [[app, name], …], "tables": {name: {"columns": […], "rows": [[…], …]}}}."""
    told: dict[str, Any] = json.loads(gzip.decompress(path.read_bytes()))
    return told


def fill(path: Path) -> None:
    """Make the tables by the file's migrations in an empty database, and fill in its rows."""
    told = read_filled(path)
    executor = MigrationExecutor(connection)
    nodes = executor.loader.graph.node_map
    known = {(app, name) for app, name in told["migrations"]} & nodes.keys()
    executor.migrate([each for each in known if not known & {child.key for child in nodes[each].children}])
    quote = connection.ops.quote_name
    with connection.constraint_checks_disabled(), transaction.atomic(), connection.cursor() as cursor:
        for table, given in told["tables"].items():
            gone = table.startswith("axes_")  # a library that the site no longer has, with its migrations
            if gone:
                cursor.execute(
                    f"CREATE TABLE {quote(table)} ({', '.join(f'{quote(n)} text' for n in given['columns'])})"
                )
            cursor.execute(f"DELETE FROM {quote(table)}")
            names, marks = ", ".join(map(quote, given["columns"])), ", ".join(["%s"] * len(given["columns"]))
            read = str if gone else from_text
            rows = [[read(value) for value in row] for row in given["rows"]]
            cursor.executemany(f"INSERT INTO {quote(table)} ({names}) VALUES ({marks})", rows)
        connection.check_constraints()
    count_on()


def count_on() -> None:
    """Set the counters of ids, so that new rows get numbers after those of the file."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            for counted in connection.introspection.get_sequences(cursor, table):
                if connection.vendor == "postgresql":
                    column, quote = counted["column"], connection.ops.quote_name
                    most = f"(SELECT coalesce(max({quote(column)}), 1) FROM {quote(table)})"
                    cursor.execute(f"SELECT setval(pg_get_serial_sequence(%s, %s), {most})", [table, column])


def as_text(value: object) -> object:
    match value:
        case dt.datetime():
            return {"moment": value.isoformat()}
        case UUID():
            return {"uuid": str(value)}
        case dt.date() | dt.time() | Decimal():
            return str(value)
        case bytes() | memoryview():
            return {"bytes": b64encode(bytes(value)).decode()}
        case _:
            return value


def from_text(value: Any) -> Any:
    match value:
        case {"moment": moment}:
            return connection.ops.adapt_datetimefield_value(dt.datetime.fromisoformat(moment))
        case {"uuid": number}:
            return UUID(number) if connection.features.has_native_uuid_field else UUID(number).hex
        case {"bytes": packed}:
            return b64decode(packed)
        case _:
            return value


if __name__ == "__main__":
    import django

    django.setup()
    fill(Path(sys.argv[1]))
