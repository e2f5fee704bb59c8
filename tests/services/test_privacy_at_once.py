"""The erasing of a person by two people at once, on two connections to PostgreSQL; a laptop's deletion of old data."""

import shutil
import sqlite3
from zipfile import ZipFile

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.export import write_export
from archives.privacy.whom import whom_of_player
from clubs.models import ClubLogEntry
from tests.factories import make_director, make_tournament, published_session
from tests.services.site import Site
from tests.services.test_plan_at_once import take_in_turn
from tests.services.waiting import wait_until
from tournaments.locks import lock_club

pytestmark = pytest.mark.nightly("race")


@pytest.mark.django_db(transaction=True)
def test_two_who_erase_at_once_erase_once():
    tournament = make_tournament()
    directors = [make_director(tournament.club, name) for name in ("une", "autre")]
    player = published_session(tournament, by=directors[0]).entrants.first().player

    def by(director):
        return lambda: erase(whom_of_player(player), by=director, now=timezone.now())

    outcomes = take_in_turn(by(directors[0]), lambda: lock_club(tournament.club_id), by(directors[1]))
    assert outcomes == [True, False]
    assert ClubLogEntry.objects.filter(action="player_erased").count() == 1


@pytest.mark.django_db(transaction=True)
def test_export_is_written_in_no_transaction():
    """Check it, so that nobody waits to write on a laptop meanwhile."""
    session = published_session()
    player = session.entrants.first().player
    with (
        CaptureQueriesContext(connection) as asked,
        write_export(whom_of_player(player), told="", now=timezone.now()) as archive,
    ):
        assert "figures.json" in ZipFile(archive).namelist()
    assert [query["sql"] for query in asked if query["sql"].startswith(("BEGIN", "SAVEPOINT"))] == []


def test_laptop_forgets_at_its_start(tmp_path, migrated_laptop):
    database = tmp_path / "db.sqlite3"
    shutil.copy(migrated_laptop, database)

    def ask(words):
        with sqlite3.connect(database, timeout=60) as connection:
            return connection.execute(words).fetchall()

    ask("INSERT INTO django_session VALUES ('over', '', '2020-01-01'), ('still', '', '2090-01-01')")
    site = Site("python manage.py serve", tmp_path, MODE="laptop", DATABASE_URL=f"sqlite:///{database}")
    try:
        wait_until(lambda: ask("SELECT session_key FROM django_session") == [("still",)], 60, "what is over to go")
    finally:
        site.child.stop()
