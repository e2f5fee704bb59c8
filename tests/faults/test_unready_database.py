"""The commands on a database that the site cannot use: each says so in a sentence, with the command to run."""

import os
import subprocess
import sys

import pytest
from django.db import connection

from tests.config.test_settings import python
from tests.operations.test_compose import NEEDED, interpolated
from tests.services.site import PROJECT
from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("process")

MIGRATE = "Run `python manage.py migrate`"
SERVE = ("manage.py", "serve", "--port", "0")


def refused(*arguments, **environment):
    """Return the message of a command that ends with an error and without a traceback."""
    run = python(*arguments, **environment)
    assert run.returncode == 1, run.stdout + run.stderr
    assert "Traceback" not in run.stderr
    return run.stderr


def test_laptop_without_tables_is_told_to_make_them(tmp_path):
    assert MIGRATE in refused(*SERVE, VAR_DIR=str(tmp_path))


@pytest.fixture
def servers(transactional_db, postgres_server, redis_server):
    """Return the environment of a site on a server whose newest migration has not been run."""
    newest = "(SELECT max(id) FROM django_migrations WHERE app = 'usersessions')"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id, app, name, applied FROM django_migrations WHERE id = {newest}")
        row = cursor.fetchone()
        cursor.execute("DELETE FROM django_migrations WHERE id = %s", row[:1])
        yield interpolated(NEEDED) | {
            "DATABASE_URL": postgres_server.url(connection.settings_dict["NAME"]),
            "REDIS_URL": redis_server.url,
            "PAGES_REDIS_URL": "",
        }
        cursor.execute("INSERT INTO django_migrations (id, app, name, applied) VALUES (%s, %s, %s, %s)", row)


WORKER = ("-m", "celery", "-A", "config", "worker", "--pool", "solo")


@pytest.mark.parametrize("command", [SERVE, (*SERVE, "--processes", "2"), WORKER], ids=["one", "two", "worker"])
def test_server_with_a_migration_missing_is_told_to_migrate(servers, command):
    told = refused(*command, **servers)
    assert MIGRATE in told
    assert "migrations to carry out: 1, usersessions." in told


@pytest.mark.parametrize("command", [SERVE, ("manage.py", "demo", "--no-serve"), ("manage.py", "migrate")])
def test_file_that_is_no_database_is_said_to_be_damaged(tmp_path, command):
    (tmp_path / "db.sqlite3").write_text("no database " * 1000)
    assert "restore the newest backup" in refused(*command, VAR_DIR=str(tmp_path))


def test_command_on_a_database_without_tables_is_told_to_make_them(tmp_path):
    assert "run the command `upgrade`" in refused("manage.py", "password_link", "somebody", VAR_DIR=str(tmp_path))


def begin_demo(**environment):
    """Start a demonstration that only makes its evenings."""
    command = [sys.executable, "manage.py", "demo", "--no-serve"]
    told = {"PATH": os.environ["PATH"]} | environment
    return subprocess.Popen(command, cwd=PROJECT, env=told, stdout=subprocess.DEVNULL)


def test_second_demonstration_in_one_folder_is_told_of_the_first(serve, tmp_path):
    """Start the second one while the first makes its database, and while it serves."""
    folder = {"VAR_DIR": str(tmp_path / "var")}
    first = begin_demo(**folder)
    try:
        wait_until((tmp_path / "var" / "db.sqlite3").exists, what="the first demonstration to begin")
        assert "Ce site tourne déjà" in refused("manage.py", "demo", "--no-serve", **folder)
    finally:
        first.wait()
    serve("python manage.py demo")
    assert "Ce site tourne déjà" in refused("manage.py", "demo", "--no-serve", **folder)
