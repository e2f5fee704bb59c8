"""A laptop's site on SQLite with its web server, while every table enters as fast as it can."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.evenings.tables.phones import command, tokens_of
from tests.factories import make_director, plausible, started_session
from tests.services.site import Site
from tests.services.worker import PROJECT

pytestmark = pytest.mark.nightly("race")

TABLES, POSITIONS, ETUIS = 30, 3, 2


def write_evening():
    """Make an evening in the database of the environment, and print the commands of each table, by its code."""
    session = started_session(tables=TABLES, positions=POSITIONS, etuis_per_position=ETUIS)
    make_director(session.tournament.club)  # otherwise the site asks for its first club
    tokens, sent = tokens_of(session), {}
    for play in session.plays.select_related("etui", "table").order_by("position", "etui__number"):
        both = command("start", play=play), command("enter", play=play, seat="N", entry=plausible(play))
        sent.setdefault(tokens[play.table.number], []).append(both)
    sys.stdout.write(json.dumps(sent))


def test_no_table_of_a_full_hall_waits_for_the_database_in_vain(tmp_path, migrated_laptop):
    """Check that writers get their turn in the order of their requests, so that none waits too long."""
    shutil.copy(migrated_laptop, tmp_path / "db.sqlite3")
    told = {"MODE": "laptop", "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}", "DATABASE_SECONDS": "1"}
    program = "import django; django.setup(); from tests.services import test_laptop_at_once as t; t.write_evening()"
    environment = os.environ | told | {"DJANGO_SETTINGS_MODULE": "config.settings", "REDIS_URL": ""}
    made = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, env=environment, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    site = Site("python manage.py serve", tmp_path, **told)

    def enter(token, results):
        phone = {"device": f"phone-{token[:8]}"}
        return [site.send(f"/t/{token}/send/", phone | {"commands": both}) for both in results]

    try:
        with ThreadPoolExecutor(TABLES) as tables:
            answers = [
                one for found in tables.map(enter, *zip(*json.loads(made.stdout).items(), strict=True)) for one in found
            ]
    finally:
        site.child.stop()
    assert {status for status, _ in answers} == {200}
    receipts = [receipt["status"] for _, body in answers for receipt in json.loads(body)["receipts"]]
    assert receipts == ["received"] * (2 * TABLES * POSITIONS * ETUIS)
