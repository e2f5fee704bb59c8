"""The health of a site whose database answers nothing: alive, not ready, and ready again by itself."""

import json

import pytest
from django.db import connection

from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("process")


def test_site_lives_and_is_not_ready_while_its_database_is_frozen(transactional_db, serve, postgres_server):
    site = serve(DATABASE_URL=postgres_server.url(connection.settings_dict["NAME"]))
    assert site.get("/health/ready")[0] == 200
    postgres_server.freeze()
    try:
        for _ in range(3):
            status, told = site.get("/health/ready")
            assert (status, json.loads(told)["database"]) == (503, "away")
            assert site.get("/health/live") == (200, '{"status": "ok"}')
    finally:
        postgres_server.thaw()
    wait_until(lambda: site.get("/health/ready")[0] == 200, what="the site to be ready again")
