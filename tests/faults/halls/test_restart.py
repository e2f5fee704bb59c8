"""A restart of a server in mid-evening: new processes serve before the old ones end, and no request fails.

Requests come straight to the site, without a proxy. Only during a plain restart of all processes are they sent again.
"""

import json
import os
import signal
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from config.queues import QUEUES
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.evenings.tables.phones import command, tokens_of
from tests.factories import make_director, plausible, started_session
from tests.faults.test_serving import refuses
from tests.services.children import Child
from tests.services.site import PROJECT
from tests.services.test_standings_jobs import fresh
from tests.services.waiting import wait_until
from tournaments.models import ResultEntry

pytestmark = pytest.mark.nightly("process")

TABLES, POSITIONS, ETUIS = 10, 6, 2
PROMISED_SECONDS = 15
PAUSE = 0.3  # between two requests of a table
READERS = 3
AGAIN_SECONDS = 0.25  # as the proxy does (`lb_try_interval`)
# Of the start of the web processes, until they serve: about three on the machine on which this was written. Their
# start alone is the pause of a plain restart, and unlike seconds this does not depend on what else the machine does.
START_PROCESSOR_SECONDS = 6


class Hall:
    """A hall whose tables send results one after another. `waits` has the seconds of each answer.

    If it is `patient`, a request that meets a closed door is sent again, as a proxy and the phones do. It still waits.
    The second half of the evening begins when `second_half` is set.
    """

    def __init__(self, postgres_server, redis_server):
        self.session = started_session(tables=TABLES, positions=POSITIONS, etuis_per_position=ETUIS)
        make_director(self.session.tournament.club)
        self.tokens = tokens_of(self.session)
        plays = self.session.plays.select_related("etui", "table").order_by("position", "etui__number")
        self.plays = {number: [play for play in plays if play.table.number == number] for number in self.tokens}
        self.database = postgres_server.url(connection.settings_dict["NAME"])
        self.environment = {
            "MODE": "server",
            "ALLOWED_HOSTS": "*",
            "HTTPS": "no",
            "SECRET_KEY": settings.SECRET_KEY,
            "DATABASE_URL": self.database,
            "REDIS_URL": redis_server.url,
        }
        self.ledger: dict[str, int] = {}
        self.waits: list[float] = []
        self.over = Event()
        self.patient, self.tried_again = False, 0
        self.second_half = Event()
        self.second_half.set()

    def ask(self, call, *arguments):
        began = time.monotonic()
        while not (answer := self.send_once(call, *arguments)):
            time.sleep(AGAIN_SECONDS)
        status, text = answer
        self.waits.append(time.monotonic() - began)
        assert status == 200, text
        return text

    def send_once(self, call, *arguments):
        """Return the answer to a request, or None if nothing listens and the request is to be sent again."""
        try:
            return call(*arguments)
        except OSError:
            if not self.patient:
                raise
            self.tried_again += 1
            return None

    def enter(self, site, play):
        sent = command("enter", play=play, seat="N", entry=plausible(play))
        body = {"device": f"phone-{play.table.number:03}", "commands": [sent]}
        answer = json.loads(self.ask(site.send, f"/t/{self.tokens[play.table.number]}/send/", body))
        self.ledger[sent["key"]] = answer["receipts"][0]["number"]

    def play_at(self, site, number):
        """Send the results of a table until the evening is over, at least."""
        for index, play in enumerate(self.plays[number]):
            if index == len(self.plays[number]) // 2:
                self.second_half.wait()
            self.enter(site, play)
            self.over.wait(PAUSE)

    def read(self, site, number):
        while not self.over.is_set():
            self.ask(site.get, f"/t/{self.tokens[number]}/")
            self.over.wait(PAUSE)


@pytest.fixture
def hall(transactional_db, postgres_server, redis_server):
    return Hall(postgres_server, redis_server)


@pytest.fixture
def told_to_systemd(tmp_path_factory):
    """Return the socket on which systemd would listen, and its name."""
    name = str(tmp_path_factory.mktemp("systemd") / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(name)
        listening.settimeout(60)
        yield listening, name


def find_successor(site, known):
    """Return the id of a process that the site has started since `known` were its children, or None."""
    return next((pid for pid in site.child.children if pid not in known), None)


def has_ended(pid):
    """Return whether a process has ended. It stays in the system's list until its parent asks for its exit code."""
    return pid is None or Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def processor_seconds(site):
    """Return the processor time that a site has used: its first process, and the others that it has started."""
    used = 0
    for pid in (site.child.pid, *site.child.children):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        used += int(fields[11]) + int(fields[12])
    return used / os.sysconf("SC_CLK_TCK")


class Helpers:
    """The workers and the beat of a server, started by the commands of the units."""

    def __init__(self, folder, environment):
        units = PROJECT / "operations/install/systemd"
        commands = {queue: (units / "topage-worker@.service", queue) for queue in QUEUES}
        commands["beat"] = (units / "topage-beat.service", "")
        environment = environment | {"CELERY_SKIP_CHECKS": "1", "VAR_DIR": str(folder), "BACKUP_DIR": "none"}
        self.children = [
            Child(command_of(unit, name), log=folder / f"{queue}.log", environment=environment)
            for queue, (unit, name) in commands.items()
        ]

    def stop(self):
        """End them all, as systemd does: by SIGTERM at the same moment."""
        for child in self.children:
            os.kill(child.pid, signal.SIGTERM)
        for child in self.children:
            wait_until(lambda child=child: not child.running, 90, "a worker or the beat to end")


def command_of(unit, name):
    """Return the command of a unit for systemd, with the Python and the folder of the tests."""
    text = next(line for line in unit.read_text().splitlines() if line.startswith("ExecStart="))
    words = text.removeprefix("ExecStart=").replace("%i", name).split()
    assert words[0] == "/opt/topage/bin/topage"
    return [sys.executable, "manage.py", *words[1:]]


@pytest.fixture
def start_helpers(tmp_path):
    """Return a function that starts the workers and the beat of a hall, each time anew. They end with the test."""
    started = []

    def start(environment):
        folder = tmp_path / str(len(started))
        folder.mkdir()
        started.append(Helpers(folder, environment))
        return started[-1]

    yield start
    for helpers in started:
        for child in helpers.children:
            child.kill()


def count_waiting(cursor):
    """Return how many requests wait for a lock of the database."""
    cursor.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    )
    return cursor.fetchone()[0]


def test_no_request_fails_while_new_processes_take_over(hall, serve, start_worker, told_to_systemd):
    listening, name = told_to_systemd
    site = serve("python manage.py serve --processes 2", NOTIFY_SOCKET=name, **hall.environment)
    assert listening.recv(999).decode().split() == [f"MAINPID={site.child.pid}", "READY=1"]
    worker = start_worker(sweep_seconds=1)
    known = site.child.children
    with ThreadPoolExecutor(TABLES + READERS) as people:
        playing = [people.submit(hall.play_at, site, number) for number in hall.plays]
        reading = [people.submit(hall.read, site, number) for number in list(hall.plays)[:READERS]]
        try:
            wait_until(lambda: len(hall.ledger) > TABLES, what="the first results")
            os.kill(site.child.pid, signal.SIGUSR2)
            new = wait_until(lambda: find_successor(site, known), what="the new process")
            worker.stop()
            wait_until(lambda: not site.child.running, 120, "the old processes to end")
            assert listening.recv(999).decode().split() == [f"MAINPID={new}", "READY=1"]
            assert site.child.code == 0
            start_worker(sweep_seconds=1)
            for table in playing:
                table.result()
        finally:
            hall.over.set()
        for reader in reading:
            reader.result()
    assert max(hall.waits) < PROMISED_SECONDS
    assert {str(key): pk for key, pk in ResultEntry.objects.values_list("key", "pk")} == hall.ledger
    assert len(hall.ledger) == TABLES * POSITIONS * ETUIS
    wait_until(lambda: fresh(hall.session), what="fresh standings")
    assert_kept_from_nothing(hall.session)


def test_plain_restart_of_everything_keeps_nobody_waiting_for_long(hall, serve, start_helpers):
    """End workers and beat, then the web processes, and start all again in the order of the units."""
    site = serve("python manage.py serve --processes 2", **hall.environment)
    helpers = start_helpers(hall.environment)
    hall.patient = True
    hall.second_half.clear()
    with ThreadPoolExecutor(TABLES + READERS) as people:
        playing = [people.submit(hall.play_at, site, number) for number in hall.plays]
        reading = [people.submit(hall.read, site, number) for number in list(hall.plays)[:READERS]]
        try:
            wait_until(lambda: len(hall.ledger) > TABLES, what="the first results")
            helpers.stop()
            assert hall.tried_again == 0, "the site serves while the workers end"
            hall.second_half.set()
            os.kill(site.child.pid, signal.SIGTERM)
            wait_until(lambda: not site.child.running, 60, "the web processes to end")
            new = serve("python manage.py serve --processes 2", port=site.port, **hall.environment)
            assert processor_seconds(new) < START_PROCESSOR_SECONDS
            start_helpers(hall.environment)
            for table in playing:
                table.result()
        finally:
            hall.second_half.set()
            hall.over.set()
        for reader in reading:
            reader.result()
    assert hall.tried_again, "somebody met the pause"
    assert len(hall.ledger) == TABLES * POSITIONS * ETUIS
    assert max(hall.waits) < PROMISED_SECONDS
    assert {str(key): pk for key, pk in ResultEntry.objects.values_list("key", "pk")} == hall.ledger
    wait_until(lambda: fresh(hall.session), what="fresh standings")
    assert_kept_from_nothing(hall.session)


def test_processes_go_on_if_the_new_ones_cannot_start(hall, serve):
    site = serve("python manage.py serve --processes 2", **hall.environment)
    known = site.child.children
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('clubs', '9999_later', now())")
        os.kill(site.child.pid, signal.SIGUSR2)
        wait_until(lambda: "was made by another version" in site.child.log.read_text(), 120, "the refusal")
        hall.enter(site, hall.plays[1][0])
        assert site.child.running
        cursor.execute("DELETE FROM django_migrations WHERE name = '9999_later'")
    wait_until(lambda: has_ended(find_successor(site, known)), 60, "the new process to end")
    os.kill(site.child.pid, signal.SIGUSR2)
    wait_until(lambda: not site.child.running, 120, "the old processes to end")
    hall.enter(site, hall.plays[1][1])


def test_request_under_way_is_answered_before_the_processes_end(hall, serve):
    """Tell each process to end twice, as systemd and the first process do."""
    site = serve("python manage.py serve --processes 2", **hall.environment)
    hall.enter(site, hall.plays[1][0])
    processes = [site.child.pid, *site.child.children]
    with ThreadPoolExecutor(1) as people, psycopg.connect(hall.database) as other, connection.cursor() as cursor:
        other.execute("SELECT * FROM tournaments_table FOR UPDATE")
        playing = people.submit(hall.enter, site, hall.plays[1][1])
        wait_until(lambda: count_waiting(cursor), what="the request to wait")
        for _time in range(2):
            for pid in processes:
                with suppress(ProcessLookupError):  # the one without a request
                    os.kill(pid, signal.SIGTERM)
            wait_until(lambda: refuses(site), what="the site to accept nothing")
        other.rollback()
        playing.result()
    wait_until(lambda: not site.child.running, 60, "the processes to end")
    assert len(hall.ledger) == 2
