"""The fixtures of all tests, beside those of the servers: the database on a started server, and the clock of tries.

Also a club with its director, for tests that need no evening.
"""

import fcntl
import gc
import os
import secrets
import subprocess
import sys
from collections.abc import Generator, Iterator
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest
from django.apps import apps
from django.core.cache import cache as default_cache
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import translation
from pytest_django import DjangoDbBlocker

from clubs.accounts import founding
from clubs.guard import counting
from clubs.models import Club, User
from jobs.management.processes import collect_seldom
from tests.factories import make_club, make_director
from tests.services.kept import check_schema
from tests.services.plugin import DATABASE
from tests.services.postgres import PACKAGE, PostgresServer
from tests.services.site import PROJECT


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None]:
    """Exclude the collected tests from garbage collection: they are thousands, and stay until the run ends.

    Then search for garbage seldom, as a process does that serves: a quarter of the tests' time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()
        collect_seldom()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    postgres_server: PostgresServer,
    django_db_blocker: DjangoDbBlocker,
    pytestconfig: pytest.Config,
) -> None:
    """Start PostgreSQL and prepare the migrated database. pytest-django calls this before it creates any database.

    The first process that needs the present migrations runs them and stores the database as a script. The other
    processes and later runs read that script. Each process then copies the database for its tests.
    """
    connection.settings_dict["TEST"]["TEMPLATE"] = DATABASE
    if postgres_server.shared:
        check_schema(postgres_server.folder, digest_of_schema())
        return
    kept = pytestconfig.cache.mkdir("migrated")
    script = kept / f"{digest_of_schema()}.sql"
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if script.exists():
            postgres_server.make(DATABASE, script)
        else:
            postgres_server.make(DATABASE)
            with django_db_blocker.unblock():
                call_command("migrate", verbosity=0)
                connection.close()
            for old in kept.glob("*.sql"):
                old.unlink()
            whole = kept / "whole"
            postgres_server.write_down(DATABASE, whole)
            whole.rename(script)


@pytest.fixture(scope="session")
def migrated_server(django_db_modify_db_settings: None, pytestconfig: pytest.Config) -> Path:
    """Return the path of the script that makes a server's migrated database."""
    return pytestconfig.cache.mkdir("migrated") / f"{digest_of_schema()}.sql"


@pytest.fixture(scope="session")
def migrated_laptop(pytestconfig: pytest.Config) -> Path:
    """Return the path of a laptop's migrated database, to be copied. It is cached between runs like the server's."""
    kept = pytestconfig.cache.mkdir("laptop")
    database = kept / f"{digest_of_schema()}.sqlite3"
    with (kept / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not database.exists():
            for old in kept.glob("*.sqlite3*"):
                old.unlink()
            whole = kept / "whole.sqlite3"
            told = {"MODE": "laptop", "DATABASE_URL": f"sqlite:///{whole}", "REDIS_URL": ""}
            command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
            subprocess.run(command, cwd=PROJECT, env=os.environ | told, check=True)
            whole.rename(database)
    return database


def digest_of_schema() -> str:
    """Return a digest of everything that a migrated database depends on.

    That is the migrations and models of every app, and the release of the server that ran the migrations.
    """
    told = sha256(version(PACKAGE).encode())
    for app in apps.get_app_configs():
        for sources in ("migrations/*.py", "models/*.py", "models.py"):
            for path in sorted(Path(app.path).glob(sources)):
                told.update(path.read_bytes())
    return told.hexdigest()[:32]


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Return True, so that the database is kept. Its server removes it at the end, whoever is still connected."""
    return True


@pytest.fixture(scope="module")
def rows_of_the_file(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Keep the rows that a fixture writes for a whole file, and remove them after its last test.

    A file with a test that commits cannot use it.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def rows_stay_as_they_are(request: pytest.FixtureRequest) -> None:
    """Let `db` roll back what a test changes in the rows of its file. So the next test, or the next try, finds them."""
    if "rows_of_the_file" in request.fixturenames:
        request.getfixturevalue("db")


class Clock:
    """The clock that numbers the windows of tries. A test moves it."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def language() -> Iterator[None]:
    """Begin each test in the language of the settings. Leave no other one that a page has chosen."""
    translation.deactivate()
    yield
    translation.deactivate()


@pytest.fixture
def english(language: None) -> None:
    """Say what the site says outside of pages in English."""
    translation.activate("en")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Stop the clock by which tries are counted, at the start of a day that no other test has.

    So a slow test does not run into the next window.
    """
    clock = Clock(secrets.randbelow(10**9) * counting.DAY)
    monkeypatch.setattr(counting, "clock", clock)
    return clock


@pytest.fixture(autouse=True)
def site_is_set_up(request: pytest.FixtureRequest) -> Iterator[None]:
    """Mark the site as set up, as its processes remember it, except in a test marked `new_site`."""
    if request.node.get_closest_marker("new_site"):
        founding.over.clear()
    else:
        founding.over.set()
    yield
    founding.over.set()


@pytest.fixture
def nothing_counted() -> None:
    """Forget the tries of earlier tests."""
    default_cache.clear()


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def director(club: Club) -> User:
    return make_director(club)
