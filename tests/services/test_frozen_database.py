"""A database that does not answer: stopped in the middle, blocked by a lock, or not there. Everybody is told so."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from tests.factories import started_session
from tests.services.site import Site
from tests.services.waiting import wait_until
from tests.tournaments.tables import tokens_of
from tournaments.models import TableToken

SERVE = "python manage.py serve"


@pytest.fixture
def door(transactional_db):
    """What a table's telephone asks again and again."""
    tokens_of(started_session())
    return f"/t/{TableToken.objects.first().token}/state/?device=telephone"


@pytest.fixture
def site(tmp_path, postgres_server, door):
    served = Site(SERVE, tmp_path, DATABASE_URL=postgres_server.url(connection.settings_dict["NAME"]))
    yield served
    served.child.kill()


def assert_told(site, door):
    """Twelve ask at once, where eight can be served."""
    with ThreadPoolExecutor(12) as people:
        answers = [people.submit(site.get, path) for path in ("/", "/api/v1/clubs/", door) * 4]
        pages, clubs, tables = ([answer.result() for answer in answers[start::3]] for start in range(3))
    assert {status for status, _text in (*pages, *clubs, *tables)} == {503}
    assert all("La base de données ne répond pas" in text for _status, text in pages)
    assert {json.loads(text)["error"]["code"] for _status, text in (*clubs, *tables)} == {"database_silent"}


def assert_well(site, door):
    for path in ("/", "/api/v1/clubs/", door):
        wait_until(lambda path=path: site.get(path)[0] == 200, 60, path)


def test_everybody_is_told_of_a_database_that_is_stopped(site, door, postgres_server):
    assert_well(site, door)
    postgres_server.freeze()
    try:
        assert_told(site, door)
        assert_told(site, door)
    finally:
        postgres_server.thaw()
    assert_well(site, door)


def test_everybody_is_told_of_a_database_that_somebody_has_locked(site, door):
    assert_well(site, door)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE clubs_club, tournaments_session IN ACCESS EXCLUSIVE MODE")
        assert_told(site, door)
    assert_well(site, door)


def test_everybody_is_told_of_a_database_that_is_not_there(tmp_path):
    site = Site(SERVE, tmp_path, DATABASE_URL="postgres://postgres@%2Fnowhere/none")
    assert_told(site, f"/t/{'a' * 43}/state/")
    site.child.kill()
