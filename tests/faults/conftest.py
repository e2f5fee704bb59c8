"""The fixtures that the slow tests of faults share."""

import pytest
from django.db import connection


@pytest.fixture
def start_site(serve, postgres_server):
    """Provide a function that serves the database of the tests with rooms: `start_site(3600)` sweeps each hour."""
    database = postgres_server.url(connection.settings_dict["NAME"])
    return lambda sweep: serve(DATABASE_URL=database, ROOMS="yes", SWEEP_SECONDS=str(sweep))
