"""A hall of twenty tables and a desk that plays on while one server after the other fails.

The site has two processes and one worker. The ledger holds every result and check that was acknowledged. In the end
each of them is stored once, and every process answers every kind of request. Every ranking is fresh and equals a full
computation. The test does no more than a supervisor: it starts again what was killed.
"""

import json
import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from jobs.tasks import compute_standings
from rankings.events import counting as events
from rankings.events.counting import count_live, figure
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.tables.phones import command, tokens_of
from tests.factories import plausible, started_session
from tests.faults.test_silent_database import KINDS, Evening
from tests.services.site import KEEPING
from tests.services.waiting import wait_until
from tournaments.models import (
    EntryCheck,
    ResultEntry,
    Session,
    SessionStandings,
    Tournament,
    TournamentStandings,
)

pytestmark = pytest.mark.nightly("process")

TABLES, POSITIONS, ETUIS = 20, 7, 2
FRESH_SECONDS = 60
ANSWER_SECONDS = 15  # a phone gives up a request after this time
AGAIN_SECONDS = 0.5  # pause before the next try
PHASE_SECONDS = 120
LATER = 3600
ENOUGH = 3  # requests of each waiting person that meet a fault before it ends
DESK = 0  # the desk's number, beside those of the tables


class Hall:
    """The processes of the site, the servers behind them, and the requests of tables and desk with their answers."""

    def __init__(self, serve, start_worker, postgres, redis) -> None:
        self.serve, self.start_worker, self.postgres, self.redis = serve, start_worker, postgres, redis
        self.evening = Evening()
        self.tournament = Tournament.objects.get()
        desk_session = Session.objects.get()
        self.session = started_session(self.tournament, tables=TABLES, positions=POSITIONS, etuis_per_position=ETUIS)
        self.tokens = tokens_of(self.session)
        self.plays = {
            number: list(self.session.plays.filter(table__number=number).select_related("etui", "table").order_by("pk"))
            for number in self.tokens
        }
        self.desk_plays = list(desk_session.plays.order_by("pk").values_list("pk", flat=True))
        self.database = postgres.url(connection.settings_dict["NAME"])
        self.sites = [self.serve_site(), self.serve_site()]
        self.worker = start_worker(sweep_seconds=1)
        self.ledger: dict[str, tuple[str, int | None]] = {}  # key of a received command → its kind and number
        self.typed: list[int] = []  # the plays whose result was acknowledged to the desk
        self.tried: Counter[int] = Counter()  # requests that have ended, with an answer or without, by table
        self.lock = threading.Lock()

    def serve_site(self):
        told = {"DATABASE_URL": self.database, "REDIS_URL": self.redis.url, "SECRET_KEY": settings.SECRET_KEY}
        return self.serve(**KEEPING, **told)

    def ask_until(self, ask: Callable[..., tuple[int, dict]], who: int) -> dict:
        """Send the request to each process in turn until one accepts it, as phones do."""
        deadline = time.monotonic() + PHASE_SECONDS
        for turn in count(who):
            assert time.monotonic() < deadline, "nobody answers"
            status, answer = 0, {}
            with suppress(OSError):
                status, answer = ask(self.sites[turn % len(self.sites)])
            self.tried[who] += 1
            if status in (200, 201):
                return answer
            assert status in (0, 503), (status, answer)
            time.sleep(AGAIN_SECONDS)
        raise AssertionError

    def send(self, number: int, commands: list[dict]) -> None:
        body = {"device": f"phone-{number:03}", "commands": commands}
        path = f"/t/{self.tokens[number]}/send/"

        def ask(site):
            status, text = site.send(path, body, seconds=ANSWER_SECONDS)
            return status, json.loads(text)

        answer = self.ask_until(ask, number)
        assert [receipt["status"] for receipt in answer["receipts"]] == ["received"] * len(commands), answer
        with self.lock:
            for sent, receipt in zip(commands, answer["receipts"], strict=True):
                self.ledger[receipt["key"]] = sent["kind"], receipt["number"]

    def play_at(self, number: int, phase: int) -> None:
        play = self.plays[number][phase]
        check = {"version": 1, "seat": "S" if play.etui.taker == "N" else play.etui.taker, "agrees": True}
        entry = command("enter", play=play, seat="N", entry=plausible(play))
        self.send(number, [command("start", play=play), entry])
        self.send(number, [command("check", play=play, **check)])

    def type_at_desk(self, phase: int) -> None:
        play = self.desk_plays[phase]
        body = {"bouts": 2, "points": 49}
        path = f"/api/v1/plays/{play}/result/"

        def ask(site):
            for looked_at in ("/api/v1/clubs/", self.evening.desk):  # the pages that the browser loads meanwhile
                site.get(looked_at, seconds=ANSWER_SECONDS, **self.evening.cookie)
            status, text = site.send(path, body, seconds=ANSWER_SECONDS, **self.evening.token)
            return status, {"text": text}

        self.ask_until(ask, DESK)
        self.typed.append(play)

    def play_through(self, phase: int, fault: Callable[["Hall"], Iterator[None]], kind: str) -> None:
        """Play one étui at each table, enter one result at the desk. The fault begins with a request of this kind."""
        with ThreadPoolExecutor(TABLES + 1) as people, contextmanager(fault)(self):
            with suppress(OSError):
                assert KINDS[kind](self.evening, self.sites[phase % 2])[0] in (200, 302, 503), kind
            self.tried.clear()
            at_once = {number: people.submit(self.play_at, number, phase) for number in self.plays}
            at_once[DESK] = people.submit(self.type_at_desk, phase)
            wait_until(lambda: all(self.tried[who] >= ENOUGH or at_once[who].done() for who in at_once))
        for played in at_once.values():
            played.result()


# The faults. The `with` block of each goes on while results are entered. Killed processes are started again.


def database_frozen(hall: Hall) -> Iterator[None]:
    hall.postgres.freeze()
    yield
    hall.postgres.thaw()


def database_crashed(hall: Hall) -> Iterator[None]:
    """Kill one process of PostgreSQL, so that it cuts all connections and recovers."""
    with psycopg.connect(hall.database, autocommit=True) as killed:
        os.kill(killed.info.backend_pid, 9)
    connection.close()
    yield


def connections_cut(hall: Hall) -> Iterator[None]:
    with psycopg.connect(hall.database, autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            " AND datname = current_database()"
        )
    connection.close()
    yield


def table_locked(hall: Hall) -> Iterator[None]:
    with psycopg.connect(hall.database) as other:
        other.execute("LOCK TABLE tournaments_session IN ACCESS EXCLUSIVE MODE")
        yield


def rows_locked(hall: Hall) -> Iterator[None]:
    """Lock the rows that every entry and every job writes to."""
    with psycopg.connect(hall.database) as other:
        for table in ("tournaments_table", "tournaments_sessionstandings"):
            other.execute(f"SELECT * FROM {table} FOR UPDATE")
        yield


def let_worker_hold_jobs(hall: Hall) -> None:
    """Queue two jobs with a delay that keeps them unacknowledged in the worker while Redis ends."""
    for session in hall.tournament.sessions.all():
        compute_standings.apply_async((session.pk,), countdown=LATER)
    wait_until(lambda: hall.redis.client.hlen("unacked") >= 2, what="the worker to hold both jobs")


def redis_stopped(hall: Hall) -> Iterator[None]:
    let_worker_hold_jobs(hall)
    hall.redis.stop()
    yield
    hall.redis.start()


def redis_killed(hall: Hall) -> Iterator[None]:
    let_worker_hold_jobs(hall)
    hall.redis.kill()
    yield
    hall.redis.start()


def redis_frozen(hall: Hall) -> Iterator[None]:
    hall.redis.freeze()
    yield
    hall.redis.thaw()


def redis_emptied(hall: Hall) -> Iterator[None]:
    """Empty Redis before the results and after them. No worker takes their jobs meanwhile: only a sweep finds them."""
    hall.redis.client.flushall()
    hall.worker.kill()
    yield
    hall.redis.client.flushall()
    hall.worker = hall.start_worker(sweep_seconds=1)


def worker_killed(hall: Hall) -> Iterator[None]:
    hall.worker.kill()
    yield
    hall.worker = hall.start_worker(sweep_seconds=1)


def worker_frozen(hall: Hall) -> Iterator[None]:
    hall.worker.freeze()
    yield
    hall.worker.thaw()


def site_killed(hall: Hall) -> Iterator[None]:
    hall.sites[0].child.kill()
    yield
    hall.sites[0] = hall.serve_site()


def site_restarted(hall: Hall) -> Iterator[None]:
    hall.sites[1].child.stop()
    yield
    hall.sites[1] = hall.serve_site()


def database_and_redis_frozen(hall: Hall) -> Iterator[None]:
    hall.postgres.freeze()
    hall.redis.freeze()
    yield
    hall.redis.thaw()
    hall.postgres.thaw()


FAULTS = (
    database_frozen,
    redis_stopped,
    worker_killed,
    database_crashed,
    site_killed,
    table_locked,
    redis_killed,
    worker_frozen,
    rows_locked,
    redis_frozen,
    site_restarted,
    connections_cut,
    database_and_redis_frozen,
    redis_emptied,
)


@pytest.fixture
def hall(serve, start_worker, postgres_server, redis_server):
    hall = Hall(serve, start_worker, postgres_server, redis_server)
    yield hall
    hall.worker.kill()  # otherwise it lists the jobs that it held and has given up, until their hour comes
    for server in (redis_server, postgres_server):
        with suppress(ProcessLookupError):
            server.thaw()


def rankings_are_fresh(hall):
    kept = SessionStandings.objects.filter(session__tournament=hall.tournament)
    versions = kept.values_list("results_version", "session__results_version")
    of_tournament = TournamentStandings.objects.filter(pk=hall.tournament.pk).first()
    return (
        all(version == newest for version, newest in versions)
        and of_tournament is not None
        and events.is_tournament_fresh(Tournament.objects.get(pk=hall.tournament.pk), of_tournament)
    )


def test_nothing_acknowledged_is_lost_and_all_goes_on_by_itself(hall):
    for phase, (fault, kind) in enumerate(zip(FAULTS, KINDS, strict=True)):
        hall.play_through(phase, fault, kind)

    for site in hall.sites:
        for kind, ask in KINDS.items():
            wait_until(lambda ask=ask, site=site: ask(hall.evening, site)[0] in (200, 302), what=kind)
    assert hall.worker.running, hall.worker.log()

    entries = {str(row.key): row.pk for row in ResultEntry.objects.filter(play__session=hall.session)}
    checks = {str(key) for key in EntryCheck.objects.values_list("key", flat=True)}
    assert entries == {key: number for key, (kind, number) in hall.ledger.items() if kind == "enter"}
    assert checks == {key for key, (kind, _number) in hall.ledger.items() if kind == "check"}
    assert ResultEntry.objects.filter(play__session=hall.session).count() == TABLES * POSITIONS * ETUIS
    assert EntryCheck.objects.count() == TABLES * POSITIONS * ETUIS
    typed = ResultEntry.objects.exclude(play__session=hall.session).order_by("pk").values_list("play", flat=True)
    assert sorted(typed) == sorted(hall.typed)

    wait_until(lambda: rankings_are_fresh(hall), FRESH_SECONDS, "fresh rankings")
    for session in Session.objects.filter(tournament=hall.tournament):
        assert_kept_from_nothing(session)
    tournament = Tournament.objects.get(pk=hall.tournament.pk)
    assert TournamentStandings.objects.get(pk=tournament.pk).data == figure(tournament, count_live(tournament))
