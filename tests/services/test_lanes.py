"""The separate threads of readers, tables and desk: waiting readers block nobody else, on laptop and server."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest
from django.db import connection, transaction

from jobs.management.lanes import DESK, HEALTH, PLAY, READER, TABLE, THREADS, Lanes, lane_of
from tests.evenings.tables.phones import command, tokens_of
from tests.factories import garde, make_director, started_session
from tests.operations.test_compose import COMPOSE, NEEDED, interpolated
from tests.services.site import Site
from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("race")

READERS = 40
HOST = {"Host": "tarot.example.org", "X-Forwarded-Proto": "https"}


@pytest.fixture
def session(transactional_db):
    session = started_session()
    make_director(session.tournament.club)  # otherwise the site asks for its first club
    return session


@pytest.fixture(params=["laptop", "compose"])
def site(request, session, tmp_path, postgres_server, redis_server):
    """Serve the database of the tests, with very long time limits."""
    servers = {"DATABASE_URL": postgres_server.url(connection.settings_dict["NAME"]), "DATABASE_SECONDS": "120"}
    if request.param == "laptop":
        served = Site("python manage.py serve", tmp_path, **servers)
    else:
        serve = COMPOSE["services"]["web"]["command"].replace("${WEB_CONCURRENCY:-2}", "2")
        redis = {"REDIS_URL": redis_server.url, "PAGES_REDIS_URL": ""}
        given = interpolated(NEEDED) | servers | redis
        served = Site(serve, tmp_path, **given)
    yield served
    served.child.kill()


def waiting_for_a_lock():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0]


def test_table_enters_while_every_thread_of_the_readers_is_held(site, session):
    """Lock the deal sets, which a public page reads, and ask for that page until any thread pool would be full."""
    token, play = tokens_of(session)[1], session.plays.select_related("etui").filter(table__number=1).first()
    entered = command("enter", play=play, seat="N", entry=garde(play.etui.taker))
    with ThreadPoolExecutor(READERS) as readers:
        with transaction.atomic():
            connection.cursor().execute("LOCK TABLE deals_dealset IN ACCESS EXCLUSIVE MODE")
            asked = [readers.submit(site.get, f"/verify/{'0' * 64}/", seconds=120, **HOST) for _ in range(READERS)]
            wait_until(lambda: waiting_for_a_lock() >= THREADS[READER], what="the readers' threads to be held")
            body = {"device": "phone-one", "commands": [entered]}
            status, answer = site.send(f"/t/{token}/send/", body, **HOST)
            assert (status, not any(reader.done() for reader in asked)) == (200, True), answer
            assert '"received"' in answer
            assert [site.get(path)[0] for path in ("/health/live", "/health/ready")] == [200, 200]
        assert len([reader.result() for reader in asked]) == READERS


@pytest.mark.parametrize(
    ("path", "headers", "lane"),
    [
        ("/t/code/send/", {}, TABLE),
        ("/t/code/state/", {"COOKIE": "sessionid=1"}, TABLE),
        ("/clubs/a/tournaments/b/1/", {"COOKIE": "csrftoken=2; sessionid=1"}, DESK),
        ("/api/v1/plays/1/", {"AUTHORIZATION": "Token 1"}, DESK),
        ("/static/table/app.js", {}, DESK),
        ("/clubs/a/tournaments/b/1/ranking/", {"COOKIE": "django_language=fr"}, READER),
        ("/health/ready", {"COOKIE": "sessionid=1"}, HEALTH),
        ("/metrics", {"AUTHORIZATION": "Bearer 1"}, HEALTH),
        ("/login/", {}, READER),
        ("/", {}, READER),
    ],
)
def test_lane_of_who_asks(path, headers, lane):
    assert lane_of(SimpleNamespace(path=path, headers=headers)) == lane


@pytest.mark.parametrize("headers", [{}, {"COOKIE": "sessionid=1"}, {"AUTHORIZATION": "Token 1"}])
@pytest.mark.parametrize(
    "path",
    [
        "/rooms/7/join/",
        "/rooms/7/play/",
        "/rooms/7/etuis/3/trial/",
        "/rooms/7/etuis/3/review/",
        "/rooms/evenings/a/b/1/etuis/3/trial/",
        "/api/v1/rooms/7/games/1/",
    ],
)
def test_rooms_have_a_lane_of_their_own_where_there_are_rooms(path, headers, settings):
    settings.ROOMS = True
    assert lane_of(SimpleNamespace(path=path, headers=headers)) == PLAY
    settings.ROOMS = False
    assert lane_of(SimpleNamespace(path=path, headers=headers)) == (DESK if headers else READER)


def test_ranking_of_a_room_is_read_among_readers(settings):
    settings.ROOMS = True
    for path in ("/rooms/", "/rooms/7/", "/api/v1/rooms/7/ranking/", "/rooms/x/play/"):
        assert lane_of(SimpleNamespace(path=path, headers={})) == READER


@pytest.mark.parametrize("rooms", [True, False])
def test_threads_for_rooms_are_there_only_with_rooms(rooms, settings):
    settings.ROOMS = rooms
    lanes = Lanes()
    lanes.shutdown()
    assert (PLAY in lanes.lanes) == rooms


def test_request_that_cannot_be_read_is_refused_among_readers():
    assert lane_of(SimpleNamespace(headers={})) == READER


class Connection:
    """A connection whose request is answered when the test says so."""

    def __init__(self, path, log):
        self.requests, self.log, self.path = [SimpleNamespace(path=path, headers={})], log, path
        self.begun, self.may_end = Event(), Event()

    def service(self):
        self.begun.set()
        assert self.may_end.wait(10)
        self.log.append(self.path)


@pytest.fixture
def lanes(settings):
    settings.ROOMS = True
    made = Lanes()
    yield made
    made.shutdown()


def test_move_in_a_room_waits_while_a_table_is_answered(lanes, monkeypatch):
    monkeypatch.setattr("jobs.management.lanes.PATIENCE", 10.0)
    log = []
    table, move = Connection("/t/code/send/", log), Connection("/rooms/1/play/", log)
    move.may_end.set()
    lanes.add_task(table)
    assert table.begun.wait(10)
    lanes.add_task(move)
    assert not move.begun.wait(0.2)
    table.may_end.set()
    assert move.begun.wait(10)
    wait_until(lambda: len(log) == 2, what="both answers")
    assert log == ["/t/code/send/", "/rooms/1/play/"]


def test_move_in_a_room_waits_no_longer_than_its_patience(lanes):
    log = []
    table, move = Connection("/t/code/send/", log), Connection("/rooms/1/play/", log)
    lanes.add_task(table)
    assert table.begun.wait(10)
    lanes.add_task(move)
    assert move.begun.wait(10)
    move.may_end.set()
    wait_until(lambda: log == ["/rooms/1/play/"], what="the answer to the move")
    table.may_end.set()
    wait_until(lambda: len(log) == 2, what="the answer to the table")
