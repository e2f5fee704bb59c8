"""A database connection kept from one request to the next, and the check whether it still answers."""

import pytest
from django.db import connection

from config.database.base import is_quiet
from tests.services.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


def test_connection_ended_by_the_server_is_noticed_and_a_quiet_one_is_not_asked():
    kept = connection.copy()
    kept.connect()
    kept.health_check_enabled, kept.health_check_done = True, False
    there = kept.connection
    kept.close_if_health_check_failed()
    assert (kept.connection, kept.health_check_done, is_quiet(there)) == (there, True, True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [there.info.backend_pid])
    wait_until(lambda: not is_quiet(there))
    kept.health_check_done = False
    kept.close_if_health_check_failed()
    assert kept.connection is None
