"""The backup and the restore of a site, as ratios to a raw dump and a raw load of the same rows.

    python -m bench.backup [--evenings 50] [--at-most 12] [--postgres]

The site has `--evenings` published evenings of 48 players, each in its own club. One evening is played, and its rows
are copied with other ids. Each way runs in its own process, on SQLite in a temporary folder. The raw dump writes gzip
of JSON lines by plain SQL, without digest, checks and older releases. The raw load inserts these lines. Seconds and
memory are printed too. The goals for 500 evenings are 30 s for the backup, 60 s for the restore, and 150 MB. Only
processor time counts for the ratios. The exit code is 1 if a ratio is above `--at-most`.

With `--postgres` the backup is then restored into PostgreSQL, and written from there. The ratios are the same. The
processor time of PostgreSQL itself is not counted, only the seconds contain it. It needs the development tools.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from bench.site import new_place, set_up

STEP = 100_000  # the difference between the ids of a row and of its copy
SHAPE = {"tables": 12, "positions": 8, "etuis_per_position": 3}
RAW_DUMP = """
import gzip, json, sqlite3, sys
rows = sqlite3.connect(sys.argv[1])
names = [name for name, in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'") if name[:6] != "sqlite"]
with gzip.open(sys.argv[2], "wt", compresslevel=3) as file:
    for name in names:
        for row in rows.execute(f'SELECT * FROM "{name}"'):
            file.write(json.dumps([name, *row], default=bytes.hex) + chr(10))
"""
RAW_LOAD = """
import gzip, itertools, json, sqlite3, sys
rows = sqlite3.connect(sys.argv[1])
names = [name for name, in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'") if name[:6] != "sqlite"]
for name in names:
    rows.execute(f'DELETE FROM "{name}"')
for name, some in itertools.groupby(map(json.loads, gzip.open(sys.argv[2], "rt")), key=lambda row: row[0]):
    listed = [each for each, *_ in rows.execute("SELECT name FROM pragma_table_info(?)", [name])]
    marks = ", ".join("?" * len(listed))
    rows.executemany(f'INSERT INTO "{name}" VALUES ({marks})', (row[1:] for row in some))
rows.commit()
"""


class Cost(NamedTuple):
    """The seconds of a process, those of the processor, and its highest memory in MB."""

    seconds: float
    processor: float
    megabytes: float


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--evenings", type=int, default=50)
    parser.add_argument("--at-most", type=float, default=12)
    parser.add_argument("--postgres", action="store_true", help="measure PostgreSQL too")
    args = parser.parse_args()
    with new_place() as folder:
        # Run in a separate process. Otherwise the memory of this process would count as that of each process that it
        # starts.
        filling = f"from bench.backup import fill; print(fill({str(folder)!r}, {args.evenings}))"
        rows = int(subprocess.check_output([sys.executable, "-c", filling]).split()[-1])
        site, empty, loaded, raw = (folder / each for each in ("db.sqlite3", "empty", "loaded.sqlite3", "raw.gz"))
        backup, script = folder / "backup.gz", "manage.py"
        (restored := folder / "restored").mkdir()
        shutil.copyfile(empty, restored / "db.sqlite3")
        shutil.copyfile(empty, loaded)
        costs = {
            "raw dump": measure("-c", RAW_DUMP, str(site), str(raw)),
            "backup": measure(script, "backup", str(backup)),
            "raw load": measure("-c", RAW_LOAD, str(loaded), str(raw)),
            "restore": measure(script, "restore", str(backup), VAR_DIR=str(restored)),
        }
        if args.postgres:
            costs |= measure_postgres(folder, backup)
        sizes = {"raw dump": raw.stat().st_size, "backup": backup.stat().st_size}
    sys.stdout.write(f"{args.evenings} evenings of 48 players, {rows} rows\n")
    for way, cost in costs.items():
        size = f", a file of {sizes[way] / 1e6:.1f} MB" if way in sizes else ""
        times = f"{cost.seconds:6.1f} s, {cost.processor:6.1f} s of the processor"
        sys.stdout.write(f"{way:19} {times}, memory {cost.megabytes:4.0f} MB{size}\n")
    worst = 0.0
    for way, cost in costs.items():
        if not way.startswith("raw"):
            like = "raw load" if way.startswith("restore") else "raw dump"
            worst = max(worst, ratio := cost.processor / costs[like].processor)
            sys.stdout.write(f"{way:19} {ratio:.1f} of a {like}   goal ≤ {args.at_most:g}\n")
    return int(worst > args.at_most)


def measure_postgres(folder: Path, backup: Path) -> dict[str, Cost]:
    """Restore a backup into PostgreSQL and write it from there. Return the cost of each way."""
    with postgres_database(folder) as url:
        place = {"DATABASE_URL": url, "REDIS_URL": ""}
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], env=os.environ | place, check=True)
        restore = measure("manage.py", "restore", str(backup), **place)
        return {
            "restore, PostgreSQL": restore,
            "backup, PostgreSQL": measure("manage.py", "backup", str(folder / "again.gz"), **place),
        }


@contextmanager
def postgres_database(folder: Path) -> Iterator[str]:
    """Start PostgreSQL with an empty database. Give the address of the database."""
    from tests.services.postgres import PostgresServer

    server = PostgresServer(folder / "postgres", options=())
    try:
        server.start()
        server.make("site")
        yield server.url("site")
    finally:
        server.stop()


def measure(*arguments: str, **environment: str) -> Cost:
    begin = perf_counter()
    child = subprocess.Popen([sys.executable, *arguments], env=os.environ | environment, stdout=subprocess.DEVNULL)
    _pid, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{arguments} ended with {child.returncode}.")
    return Cost(perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def fill(name: str, evenings: int) -> int:
    """Make the migrated database "empty" and the filled one of the site. Return the number of rows of the site."""
    folder = Path(name)
    set_up()
    from django.db import connection

    connection.close()
    shutil.copyfile(folder / "db.sqlite3", folder / "empty")
    from tests.factories import published_session

    published_session(**SHAPE)
    rows = sum(copy_rows(model, evenings - 1) for model in models_to_copy())
    connection.close()
    return rows


def models_to_copy() -> list[Any]:
    from django.apps import apps

    from operations.backup.contents import FILLED_BY_THE_SITE, kept_models

    return [model for model in kept_models(apps) if model._meta.db_table not in FILLED_BY_THE_SITE]


def copy_rows(model: Any, times: int) -> int:
    """Copy all rows of a table with other ids, other unique texts, and links to the copies of the linked rows.

    Return how many rows the table has then.
    """
    from django.db import connection

    from operations.backup.contents import columns_of

    table, quote = model._meta.db_table, connection.ops.quote_name
    columns = columns_of(model)
    values = ", ".join(value_of_copy(model, field, quote(str(field.column))) for field in columns)
    names = ", ".join(quote(str(field.column)) for field in columns)
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        cursor.execute(
            f"WITH RECURSIVE copies(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copies WHERE k < {times})"
            f" INSERT INTO {quote(table)} ({names}) SELECT {values} FROM {quote(table)}, copies"
        )
        cursor.execute(f"SELECT count(*) FROM {quote(table)}")
        return int(cursor.fetchone()[0])


def value_of_copy(model: Any, field: Any, column: str) -> str:
    """Return the SQL of a column's value in copy k. A column `player` holds an id, without being a link."""
    from django.db.models import CharField, UniqueConstraint, UUIDField

    if field.primary_key or field.is_relation or field.column == "player":
        return f"{column} + k * {STEP}"
    unique = field.unique or any(
        field.name in each.fields for each in model._meta.constraints if isinstance(each, UniqueConstraint)
    )
    if unique and isinstance(field, UUIDField):
        return f"printf('%08x', k) || substr({column}, 9)"
    if unique and isinstance(field, CharField) and not field.choices:
        return f"CASE {column} WHEN '' THEN '' ELSE substr(k || '-' || {column}, 1, {field.max_length}) END"
    return column


if __name__ == "__main__":
    sys.exit(main())
