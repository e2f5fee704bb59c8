"""A database that does not answer: stopped, blocked by a lock, or unreachable. Every user gets a message about it."""

import json
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from django.db import connection, transaction
from django.urls import reverse

from tests.evenings.tables.phones import command, tokens_of
from tests.factories import garde, make_director, started_session
from tests.services.network import Network
from tests.services.site import KEEPING
from tests.services.waiting import wait_until
from tournaments.models import ResultEntry, TableToken

pytestmark = pytest.mark.nightly("process")


@pytest.fixture
def door(transactional_db):
    """Return the address that a table's phone polls."""
    session = started_session()
    make_director(session.tournament.club)  # otherwise the site asks for its first club
    tokens_of(session)
    return f"/t/{TableToken.objects.first().token}/state/?device=telephone"


@pytest.fixture
def serve_here(serve, redis_server):
    """Return a function that serves the site with the database of this address, as a server does."""
    return lambda url: serve(DATABASE_URL=url, REDIS_URL=redis_server.url, **KEEPING)


@pytest.fixture
def site(door, serve_here, postgres_server):
    return serve_here(postgres_server.url(connection.settings_dict["NAME"]))


def assert_told(site, door):
    """Check the answers to twelve requests at once, with eight threads. `config/test_settings.py` limits the wait."""
    with ThreadPoolExecutor(12) as people:
        answers = [people.submit(site.get, path) for path in ("/", "/api/v1/clubs/", door) * 4]
        pages, clubs, tables = ([answer.result() for answer in answers[start::3]] for start in range(3))
    assert {status for status, _text in (*pages, *clubs, *tables)} == {503}
    assert all("La base de données ne répond pas" in text for _status, text in pages)
    assert {json.loads(text)["error"]["code"] for _status, text in (*clubs, *tables)} == {"database_silent"}


def fill_connections(site, door):
    """Let every thread of the site have an open connection, as in mid-evening."""
    assert_well(site, door)
    with ThreadPoolExecutor(12) as people:
        answers = [people.submit(site.get, path) for path in ("/", "/api/v1/clubs/", door) * 12]
        assert {answer.result()[0] for answer in answers} == {200}


def assert_well(site, door):
    for path in ("/", "/api/v1/clubs/", door):
        wait_until(lambda path=path: site.get(path)[0] == 200, 60, path)


def test_everybody_is_told_of_a_database_that_is_stopped(site, door, postgres_server):
    fill_connections(site, door)
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


def test_everybody_is_told_of_a_database_that_is_not_there(serve):
    site = serve(DATABASE_URL="postgres://postgres@%2Fnowhere/none")
    assert_told(site, f"/t/{'a' * 43}/state/")


@pytest.fixture
def network(postgres_server):
    with closing(Network(postgres_server.folder / ".s.PGSQL.5432")) as between:
        yield between


def test_everybody_is_told_of_a_network_that_swallows_everything(door, serve_here, network):
    name = connection.settings_dict["NAME"]
    site = serve_here(f"postgres://postgres@127.0.0.1:{network.port}/{name}")
    fill_connections(site, door)
    network.swallows.set()
    assert_told(site, door)  # by open connections
    assert_told(site, door)  # by new connections


def test_slow_question_of_one_page_is_no_silence_for_the_others(site, door):
    """Check that a page whose query takes too long gets the message each time, and that no other page does."""
    assert_well(site, door)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE clubs_club RENAME TO clubs_quick")
        cursor.execute("CREATE VIEW clubs_club AS SELECT * FROM clubs_quick WHERE pg_sleep(600) IS NULL")
    try:
        with ThreadPoolExecutor(3) as people:
            slow = [people.submit(site.get, "/") for _time in range(3)]
            others = []
            while not all(answer.done() for answer in slow):
                others.append(site.get("/login/", Cookie="sessionid=nobodys")[0])
            others += [site.get("/login/", Cookie="sessionid=nobodys")[0] for _time in range(5)]
        assert {answer.result()[0] for answer in slow} == {503}
        assert set(others) == {200}
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP VIEW clubs_club")
            cursor.execute("ALTER TABLE clubs_quick RENAME TO clubs_club")
    assert_well(site, door)


@pytest.mark.usefixtures("played_demo")
def test_everybody_is_told_of_a_laptops_database_that_another_program_holds(serve, tmp_path):
    """Check that a write lock refuses writes and allows reads, and that an exclusive lock refuses both."""
    site = serve("python manage.py demo")
    with closing(sqlite3.connect(tmp_path / "var" / "db.sqlite3", timeout=60, isolation_level=None)) as other:
        door = f"/t/{other.execute(RUNNING_TABLE).fetchone()[0]}/"
        asked = f"{door}state/?device=telephone"
        call = {"device": "telephone", "commands": [command("call")]}
        other.execute("BEGIN IMMEDIATE")
        assert [site.get(path)[0] for path in ("/", asked)] == [200, 200]
        status, text = site.send(f"{door}send/", call)
        assert (status, json.loads(text)["error"]["code"]) == (503, "database_silent")
        other.execute("ROLLBACK")
        (receipt,) = json.loads(site.send(f"{door}send/", call)[1])["receipts"]
        assert receipt["status"] == "received", receipt
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        wait_until(lambda: holds(other), what="the database for oneself")
        assert_told(site, asked)
        other.execute("PRAGMA locking_mode = NORMAL")
        other.execute("ROLLBACK")
    assert_well(site, asked)


RUNNING_TABLE = """
    SELECT token.token FROM tournaments_tabletoken token JOIN tournaments_table here ON here.id = token.table_id
    JOIN tournaments_session session ON session.id = here.session_id
    WHERE session.status = 'running' AND session.closed_at IS NULL AND token.revoked_at IS NULL
    ORDER BY session.id DESC LIMIT 1
"""


def holds(other):
    try:
        other.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        return False
    return True


def test_pages_and_tables_go_on_while_redis_is_stopped(door, site, redis_server):
    """Check that counting requests and queueing jobs do not wait for Redis."""
    table = TableToken.objects.first()
    plays = list(table.table.plays.filter(position=1).select_related("etui"))
    sent = [command("enter", play=play, entry=garde(play.etui.taker), seat="N") for play in plays]
    assert_well(site, door)
    redis_server.freeze()
    try:
        assert_well(site, door)
        _status, text = site.send(reverse("table_send", args=[table.token]), {"device": "telephone", "commands": sent})
        assert [receipt["status"] for receipt in json.loads(text)["receipts"]] == ["received"] * len(plays)
    finally:
        redis_server.thaw()
    assert ResultEntry.objects.count() == len(plays)
