"""A whole hall at once, forty tables on PostgreSQL with real jobs, ten on a laptop: no entry is lost or doubled."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from tests.factories import started_session
from tests.services.hall import ETUIS, OTHERWISE, POSITIONS, Hall, standings_astray
from tests.services.waiting import wait_until
from tests.services.worker import PROJECT
from tournaments.models import Session, SessionStandings

pytestmark = pytest.mark.nightly("race")

PLAYS_A_TABLE = POSITIONS * ETUIS


def expected(tables):
    """Return the expected figures: each play has its first entry, and another one typed offline is kept beside it."""
    plays, otherwise = tables * PLAYS_A_TABLE, tables // OTHERWISE
    return {
        "errors": [],
        "plays": plays,
        "current": plays,
        "as_typed": plays,
        "contested": otherwise,
        "superseded": 0,
        "keys_with_two_answers": 0,
        "numbers_nobody_was_told": 0,
        "refused": 0,
        "confirmed": plays - otherwise,
    }


def fresh(session):
    kept = SessionStandings.objects.get(pk=session.pk)
    return kept.results_version == Session.objects.get(pk=session.pk).results_version


def test_forty_tables_enter_an_evening_at_once_over_a_bad_network(worker):
    session = started_session(tables=40, positions=POSITIONS, etuis_per_position=ETUIS)
    hall = Hall(session, seed=1)
    hall.play(threads=6)
    found = hall.found()
    assert found.pop("requests") > 1.3 * 40 * (1 + PLAYS_A_TABLE)  # because so many came twice
    assert found == expected(40)
    wait_until(lambda: fresh(session), what="fresh standings")
    assert standings_astray(session) == []


def test_ten_tables_enter_an_evening_at_once_on_a_laptop(tmp_path, migrated_laptop):
    shutil.copy(migrated_laptop, tmp_path / "db.sqlite3")
    environment = os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "MODE": "laptop",
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}",
        "REDIS_URL": "",
    }
    program = "import django; django.setup(); from tests.services.hall import main; main(10)"
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.pop("requests") > 10 * (1 + PLAYS_A_TABLE)
    assert found == expected(10) | {"standings_astray": []}
