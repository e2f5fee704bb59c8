"""What holds for every test beside the servers' fixtures: the database is made on a server that has been started."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tests.services.postgres import PostgresServer


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, postgres_server: PostgresServer
) -> None:
    """pytest-django's own, which comes before any database is made: PostgreSQL starts here."""


@pytest.fixture(scope="module")
def rows_of_the_file(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What a fixture of a whole file writes, gone after its last test; what each test changes of it is rolled back by
    `db`, within. Not for a file with a test that commits.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
