"""The sweep of a laptop, which has no worker and no beat: it finds standings that no job was queued for."""

import sqlite3
from contextlib import closing

import pytest

from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("process")

STALE = """
    SELECT session.id FROM tournaments_sessionstandings kept JOIN tournaments_session session
    ON session.id = kept.session_id WHERE kept.results_version < session.results_version
"""


def test_laptop_computes_what_nobody_has_asked_for(serve, tmp_path):
    serve("python manage.py demo", SWEEP_SECONDS="1")
    with closing(sqlite3.connect(tmp_path / "var" / "db.sqlite3", timeout=60, isolation_level=None)) as other:
        wait_until(lambda: not other.execute(STALE).fetchall(), what="fresh standings")
        other.execute("UPDATE tournaments_session SET results_version = results_version + 1 WHERE status = 'running'")
        assert other.execute(STALE).fetchall()
        wait_until(lambda: not other.execute(STALE).fetchall(), what="the sweep")
