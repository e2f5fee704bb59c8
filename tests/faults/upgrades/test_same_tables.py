"""The databases that migrations write: those that make fewer models anew, and Django's own."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import psycopg
import pytest

from tests.filled import FILLED
from tests.services.site import PROJECT

pytestmark = pytest.mark.nightly("process")

# Migrate the rows of an old release, or an empty database, quickly or as Django does it alone.
MIGRATE = """
import gc, sys
from contextlib import nullcontext
from pathlib import Path
gc.disable()
import django; django.setup()
from django.core.management import call_command
from tests import filled
from tournaments.management import reloading
from tournaments.management.commands import migrate
way, *files = sys.argv[1:]
if way == "plain":
    filled.reload_fewer_models = migrate.reload_fewer_models = nullcontext
for file in files:
    filled.fill(Path(file))
call_command("migrate", interactive=False, verbosity=0)
"""
LIST_POSTGRESQL = """
    SELECT table_name || ' ' || ordinal_position || ' ' || column_name || ' ' || data_type || ' ' || is_nullable
        || ' ' || coalesce(column_default, '') || ' ' || coalesce(character_maximum_length, 0)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    UNION ALL SELECT tgrelid::regclass || ' ' || tgname || ' ' || pg_get_triggerdef(oid)
        FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1
"""
LIST_SQLITE = "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1"
WITH_MOMENTS = {"django_migrations"}  # when each migration was carried out


@pytest.mark.parametrize("kind", ["laptop", "server"])
@pytest.mark.parametrize("file", [None, *sorted(FILLED.glob("*.json.gz"))], ids=lambda file: file and file.name)
def test_quick_and_plain_migrations_write_the_same_database(kind, file, tmp_path, postgres_server):
    told = {}
    for way in ("quick", "plain"):
        where = {"MODE": "laptop", "VAR_DIR": str(tmp_path / way), "REDIS_URL": ""}
        name = f"{way}_{tmp_path.name.lower()}"[:60]
        if kind == "server":
            postgres_server.make(name)
            where["DATABASE_URL"] = postgres_server.url(name)
        environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"} | where
        command = [sys.executable, "-c", MIGRATE, way, *([str(file)] if file else [])]
        subprocess.run(command, cwd=PROJECT, env=environment, check=True)
        if kind == "server":
            database = psycopg.connect(where["DATABASE_URL"])
            schema, tables = LIST_POSTGRESQL, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        else:
            database = sqlite3.connect(tmp_path / way / "db.sqlite3")
            schema, tables = LIST_SQLITE, "SELECT name FROM sqlite_master WHERE type = 'table'"
        with closing(database):
            rows = {
                table: sorted(map(repr, database.execute(f'SELECT * FROM "{table}"').fetchall()))
                for (table,) in database.execute(tables).fetchall()
                if table not in WITH_MOMENTS
            }
            told[way] = [line for (line,) in database.execute(schema).fetchall()], rows
    assert len(told["plain"][0]) > 200
    assert told["quick"] == told["plain"]
