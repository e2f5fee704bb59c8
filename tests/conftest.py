"""What holds for every test beside the servers' fixtures: the database is made on a server that has been started."""

import pytest

from tests.services.postgres import PostgresServer


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, postgres_server: PostgresServer
) -> None:
    """pytest-django's own, which comes before any database is made: PostgreSQL starts here."""
