"""A used site under a newer release: its database is upgraded, and all its content stays.

A folder of a laptop from before the first release gets a message.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import psycopg
import pytest
from django.db.migrations.loader import MigrationLoader

from jobs.management.database import LAST_BEFORE
from tests.filled import FILLED, read_filled
from tests.services.site import PROJECT, Site

FILES = sorted(FILLED.glob("*.json.gz"))
# The results, their publications, and what people have wished: every release keeps these rows.
TAKEN_ALONG = (
    "account_emailaddress",
    "clubs_club",
    "clubs_player",
    "clubs_user",
    "clubs_webhook",
    "clubs_webhookcall",
    "deals_dealset",
    "deals_etui",
    "rooms_classictable",
    "rooms_classicterms",
    "rooms_game",
    "rooms_room",
    "rooms_roomseat",
    "rooms_roomtable",
    "rooms_visitor",
    "rooms_visitoretui",
    "tournaments_cut",
    "tournaments_entrant",
    "tournaments_eveningmail",
    "tournaments_eveningmailrecipient",
    "tournaments_eveningmailwish",
    "tournaments_feuillemail",
    "tournaments_fieldpublication",
    "tournaments_fieldruling",
    "tournaments_lineup",
    "tournaments_logentry",
    "tournaments_payment",
    "tournaments_penalty",
    "tournaments_personrating",
    "tournaments_planversion",
    "tournaments_play",
    "tournaments_publication",
    "tournaments_resultentry",
    "tournaments_ruling",
    "tournaments_sentfeuille",
    "tournaments_sentfieldletter",
    "tournaments_sentseriesletter",
    "tournaments_series",
    "tournaments_seriesclub",
    "tournaments_seriesevent",
    "tournaments_serieslistrow",
    "tournaments_seriespublication",
    "tournaments_session",
    "tournaments_simultaneous",
    "tournaments_simultaneousclub",
    "tournaments_team",
    "tournaments_teammember",
)


@pytest.fixture(params=["laptop", pytest.param("server", marks=pytest.mark.nightly("process", only=("server",)))])
def where(request, tmp_path, postgres_server):
    """Return the environment of a process with a new, empty database."""
    if request.param == "laptop":
        return {"MODE": "laptop", "VAR_DIR": str(tmp_path / "var"), "REDIS_URL": ""}
    name = f"upgrade_{tmp_path.name.lower()}"[:60]
    postgres_server.make(name)
    return {"MODE": "laptop", "VAR_DIR": str(tmp_path / "var"), "DATABASE_URL": postgres_server.url(name)}


def run(where, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    environment |= {"DJANGO_SETTINGS_MODULE": "config.settings"} | where
    return subprocess.run(
        [sys.executable, *arguments], cwd=PROJECT, env=environment, capture_output=True, text=True, check=False
    )


def succeed(where, *arguments):
    ended = run(where, *arguments)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def count(where, tables):
    """Return the number of rows in each of these tables, counted without the site."""
    url = where.get("DATABASE_URL")
    database = psycopg.connect(url) if url else sqlite3.connect(f"{where['VAR_DIR']}/db.sqlite3")
    with closing(database) as asked:
        return {table: asked.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}


def list_tables(where):
    """Return the names of all tables, read without the site."""
    url = where.get("DATABASE_URL")
    database = psycopg.connect(url) if url else sqlite3.connect(f"{where['VAR_DIR']}/db.sqlite3")
    names = "SELECT tablename FROM pg_tables" if url else "SELECT name FROM sqlite_master"
    with closing(database) as asked:
        return [name for (name,) in asked.execute(names)]


def list_older_plans(where):
    """Return the stored plans that do not say how their tables are filled, read without the site."""
    url = where.get("DATABASE_URL")
    database = psycopg.connect(url) if url else sqlite3.connect(f"{where['VAR_DIR']}/db.sqlite3")
    with closing(database) as asked:
        rows = [data for (data,) in asked.execute("SELECT data FROM tournaments_planversion")]
    plans = [json.loads(data) if isinstance(data, str) else data for data in rows]
    return [plan for plan in plans if "seating" not in plan or "competitors" not in plan]


def rows_of(told, table):
    given = told["tables"][table]
    return [dict(zip(given["columns"], row, strict=True)) for row in given["rows"]]


def latest_of(told):
    """Return the API's address of the newest publication in a file, and the digest of its figures."""
    publication = rows_of(told, "tournaments_publication")[-1]
    return f"/api/v1/sessions/{publication['session_id']}/publications/latest/", publication["digest"]


def rankings_of(told):
    """Return the addresses of the pages of all series and simultaneous in a file with a published ranking."""
    clubs = {row["id"]: row["slug"] for row in rows_of(told, "clubs_club")}
    found = []
    for kind, page in (("series", "series/{}/"), ("simultaneous", "simultaneous/{}/ranking/")):
        versions = rows_of(told, f"tournaments_{'field' if kind == 'simultaneous' else kind}publication")
        owners = {version[f"{kind}_id"] for version in versions}
        rows = [row for row in rows_of(told, f"tournaments_{kind}") if row["id"] in owners]
        found += [f"/clubs/{clubs[row['club_id']]}/{page.format(row['slug'])}" for row in rows]
    return found


def closed_rooms_of(told):
    """Return the addresses of the closed rooms in a file: their pages, and their rankings for programs."""
    closed = [row["id"] for row in rows_of(told, "rooms_room") if row["closed_at"] is not None]
    return [
        path for pk in closed for path in (f"/rooms/{pk}/", f"/rooms/{pk}/etuis/1/", f"/api/v1/rooms/{pk}/ranking/")
    ]


@pytest.mark.nightly("process")
def test_newest_file_has_every_ranking_mail_and_wish():
    """Check that the files together have a row of everything, and the newest one what people wish about it."""
    told = read_filled(FILES[-1])
    assert {table for table in TAKEN_ALONG if not any(rows_of(read_filled(file), table) for file in FILES)} == set()
    assert len(rankings_of(told)) >= 3
    assert len(closed_rooms_of(told)) == 6
    players = rows_of(told, "clubs_player")
    assert sum(bool(player["unrated_by_self"]) for player in players) == 1
    assert sum(bool(player["unrated_by_club"]) for player in players) == 1


# One process fills the database, upgrades it and tells its figures, because each start costs more than a second.
UPGRADE = """
import gc, sys
from pathlib import Path
gc.disable()  # migrations make much garbage, and looking for it takes a third of their time
import django; django.setup()
from django.core.management import call_command
from tests import filled, filled_figures
filled.fill(Path(sys.argv[1]))
call_command("migrate", interactive=False, verbosity=0)
filled_figures.main()
"""


@pytest.mark.parametrize(
    "file",
    [
        *(pytest.param(file, marks=pytest.mark.nightly("process")) for file in FILES[:-1]),
        pytest.param(FILES[-1], marks=pytest.mark.guard("a database in use is upgraded")),
    ],
    ids=lambda file: file.name,
)
def test_database_in_use_is_upgraded_and_nothing_in_it_is_lost(where, file, tmp_path):
    told = read_filled(file)
    before = {table: len(told["tables"][table]["rows"]) for table in TAKEN_ALONG}
    assert sum(before.values()) > 100
    upgraded = succeed(where, "-c", UPGRADE, str(file))
    assert count(where, before) == before
    assert list_older_plans(where) == []
    assert {table for table in told["tables"] if table.startswith("axes_")} & set(list_tables(where)) == set()
    figures = file.with_name(file.name.replace(".json.gz", ".figures.json"))
    assert json.loads(upgraded) == json.loads(figures.read_text())
    digests = file.with_name(file.name.replace(".json.gz", ".files.json"))
    if digests.exists() and "DATABASE_URL" not in where:
        copied = shutil.copytree(where["VAR_DIR"], tmp_path / "copied")  # to write the files, a tournament is published
        check_published_files(where | {"VAR_DIR": str(copied)}, json.loads(digests.read_text()))
    address, digest = latest_of(told)
    site = Site("python manage.py serve", tmp_path, **where, ROOMS="yes")
    try:
        assert site.get("/")[0] == 200
        assert [path for path in [*rankings_of(told), *closed_rooms_of(told)] if site.get(path)[0] != 200] == []
        status, latest = site.get(address)
    finally:
        site.child.kill()
    assert status == 200
    assert json.loads(latest)["digest"] == digest


def check_published_files(where, expected):
    """Compare the digests of CSV, XLSX, JSON, PDF and pictures. A change of their texts on purpose writes new ones."""
    written = json.loads(succeed(where, "-m", "tests.filled_files"))
    assert len(expected) > 30
    assert {name for name in expected.keys() | written.keys() if expected.get(name) != written.get(name)} == set()


def test_there_is_a_file_of_every_release():
    """Check that the newest file is of the last release. Until the first one, files have the first migrations alone."""
    assert [path.name for path in FILLED.glob("*.files.json")] == ["0001.files.json"]
    apps = {app for app, _name in MigrationLoader(None).replacements}
    ours = {(app, name) for app, name in read_filled(FILES[-1])["migrations"] if app in apps}
    assert {(app, "0001_initial") for app in apps} <= ours


@pytest.mark.nightly("process")
@pytest.mark.parametrize("command", [("migrate",), ("demo", "--no-serve")])
def test_folder_from_before_the_first_release_says_what_to_delete(tmp_path, migrated_laptop, command):
    folder = tmp_path / "var"
    folder.mkdir()
    with closing(sqlite3.connect(migrated_laptop)) as source, closing(sqlite3.connect(folder / "db.sqlite3")) as old:
        source.backup(old)
        old.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '0004_revisions', '2026-01-01')"
        )
        old.commit()
    ended = run({"MODE": "laptop", "VAR_DIR": str(folder), "REDIS_URL": ""}, "manage.py", *command)
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert str(folder / "db.sqlite3") in ended.stderr
    assert "delete" in ended.stderr


LAST_REPLACED = {migration.replaces[-1] for migration in MigrationLoader(None).replacements.values()}


def note_migrations(where, statement):
    """Change what the database of `where` notes about its migrations."""
    if url := where.get("DATABASE_URL"):
        with psycopg.connect(url) as server:
            server.execute(statement)
    else:
        with closing(sqlite3.connect(f"{where['VAR_DIR']}/db.sqlite3")) as laptop:
            laptop.execute(statement)
            laptop.commit()


@pytest.mark.nightly("process")
def test_database_with_all_replaced_migrations_goes_on_and_one_between_not(where):
    """Check that what `0001_initial` replaces counts as carried out only if all of it is."""
    succeed(where, "manage.py", "migrate", "--verbosity", "0")
    note_migrations(where, "DELETE FROM django_migrations WHERE app = 'rooms' AND name = '0001_initial'")
    succeed(where, "manage.py", "migrate", "--verbosity", "0")
    app, name = min(LAST_REPLACED)
    note_migrations(where, f"DELETE FROM django_migrations WHERE app = '{app}' AND name = '{name}'")
    for command in (["migrate"], ["upgrade"], ["backup", f"{where['VAR_DIR']}/backup.gz"], ["serve", "--port", "0"]):
        ended = run(where, "manage.py", *command)
        assert ended.returncode == 1, ended.stdout
        assert f"{app}.{name} is missing" in ended.stderr
        assert f"check out the commit {LAST_BEFORE}" in ended.stderr
        assert "Traceback" not in ended.stderr
    assert f"{app}.{name} is missing" in run(where, "manage.py", "doctor").stdout
