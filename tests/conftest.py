"""What holds for every test beside the servers' fixtures: the database is made on a server that has been started. And a
club with its director, for tests that need no evening."""

import fcntl
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from clubs.accounts import first_run
from clubs.models import Club, User
from tests.factories import make_club, make_director
from tests.services.plugin import DATABASE, RUN_FOLDER
from tests.services.postgres import PostgresServer

# What takes longest goes first, or the run's last file keeps one process busy while the others have ended.
FIRST = (
    "browser/",
    "services/",
    "test_numbers.py",
    "tournaments/changes/test_wrong_etuis.py",
    "tournaments/web/prepare/test_plan.py",
    "movements/",
    "tournaments/api/",
    "tournaments/publication/test_standings_file.py",
    "tournaments/web/changes/test_pages.py",
    "tournaments/changes/test_who_comes_back.py",
    "tournaments/paper/test_pdf.py",
    "tournaments/management/test_demo.py",
    "test_access.py",
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
) -> None:
    """pytest-django's own, which comes before any database is made: PostgreSQL starts here. Of the processes of a run
    the first migrates a database and writes it down, the others read it; each makes that of its tests by it.
    """
    run = Path(os.environ[RUN_FOLDER])
    script = run / "migrated.sql"
    with (run / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if script.exists():
            postgres_server.make(DATABASE, script)
        else:
            postgres_server.make(DATABASE)
            with django_db_blocker.unblock():
                call_command("migrate", verbosity=0)
                connection.close()
            postgres_server.write_down(DATABASE, script)
    connection.settings_dict["TEST"]["TEMPLATE"] = DATABASE


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
