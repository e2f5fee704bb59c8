"""What holds for every test beside the servers' fixtures: the database is made on a server that has been started. And a
club with its director, for tests that need no evening."""

import fcntl
import gc
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from clubs.accounts import first_run
from clubs.guard import counting
from clubs.models import Club, User
from tests.factories import make_club, make_director
from tests.services.plugin import DATABASE
from tests.services.postgres import PACKAGE, PostgresServer
from tests.services.site import PROJECT

# What takes longest goes first, or the run's last file keeps one process busy while the others have ended.
FIRST = (
    "tournaments/test_hidden.py",
    "services/",
    "browser/",
    "test_numbers.py",
    "tournaments/publication/test_cards_kept.py",
    "test_access.py",
    "bench/",
    "tournaments/api/",
    "tournaments/events/test_independent.py",
    "tournaments/practice/test_evening.py",
    "tournaments/standings/test_in_parts.py",
    "tournaments/web/desk/test_pieces.py",
    "tournaments/changes/test_wrong_etuis.py",
    "movements/",
    "tournaments/management/test_demo.py",
    "tournaments/paper/test_pdf.py",
    "deals/exports/test_pdf.py",
)
TESTS = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the files by FIRST, each with its tests as they stand."""

    def place(item: pytest.Item) -> int:
        path = item.path.relative_to(TESTS).as_posix()
        return next((place for place, first in enumerate(FIRST) if path.startswith(first)), len(FIRST))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Thousands of tests stay until the run ends: the collector of garbage need not walk through them ever again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
    postgres_server: PostgresServer,
    django_db_blocker: DjangoDbBlocker,
    pytestconfig: pytest.Config,
) -> None:
    """pytest-django's own, which comes before any database is made: PostgreSQL starts here. Whoever needs these very
    migrations first makes a database by them and writes it down; the other processes read it, and the next runs; each
    makes that of its tests by it.
    """
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
    connection.settings_dict["TEST"]["TEMPLATE"] = DATABASE


@pytest.fixture(scope="session")
def migrated_laptop(pytestconfig: pytest.Config) -> Path:
    """A laptop's database as the migrations leave it, to be copied; kept as that of the server is."""
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
    """Of all that a migrated database follows from: migrations and models of every app, and of which release the
    server is that they were carried out by."""
    told = sha256(version(PACKAGE).encode())
    for app in apps.get_app_configs():
        for sources in ("migrations/*.py", "models/*.py", "models.py"):
            for path in sorted(Path(app.path).glob(sources)):
                told.update(path.read_bytes())
    return told.hexdigest()[:32]


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Whether the database outlives the tests: until its server ends with them, whoever is still connected."""
    return True


@pytest.fixture(scope="module")
def rows_of_the_file(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What a fixture of a whole file writes, gone after its last test; what each test changes of it is rolled back by
    `db`, within. Not for a file with a test that commits.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


class Clock:
    """The seconds by which the windows of tries are numbered; a test moves them."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Tries are counted by windows of the clock: it stands still, however slow a test is, at the start of a day that no
    other test has had."""
    clock = Clock(secrets.randbelow(10**9) * counting.DAY)
    monkeypatch.setattr(counting, "clock", clock)
    return clock


@pytest.fixture(autouse=True)
def site_is_set_up(request: pytest.FixtureRequest) -> Iterator[None]:
    """The site has had its first run, as every process of it remembers; but for a test marked `new_site`."""
    if request.node.get_closest_marker("new_site"):
        first_run.over.clear()
    else:
        first_run.over.set()
    yield
    first_run.over.set()


@pytest.fixture
def nothing_counted() -> None:
    """No tries of the tests before."""
    cache.clear()


@pytest.fixture
def club(db: None) -> Club:
    return make_club()


@pytest.fixture
def director(club: Club) -> User:
    return make_director(club)
