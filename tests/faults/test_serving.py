"""The servers of README, `make demo` and Compose: clients that never finish their requests hold nobody up."""

import contextlib
import os
import shutil
import signal
import time

import pytest
from django.db import connection

from tests.config.test_settings import python
from tests.factories import make_club, make_director
from tests.operations.test_compose import COMPOSE, NEEDED, interpolated
from tests.services.site import Site
from tests.services.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.nightly("process")

LAPTOP = "python manage.py serve --host 0.0.0.0"  # as `topage` alone starts it
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/ht"
HALF_A_BODY = b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000\r\n\r\nusername=dir"


@pytest.fixture
def laptop(tmp_path, migrated_laptop):
    """Return a folder in which a site has been set up."""
    (tmp_path / "var").mkdir()
    shutil.copy(migrated_laptop, tmp_path / "var" / "db.sqlite3")
    begun = python("manage.py", "first_run", "--club", "A", "--email", "a@a.fr", VAR_DIR=str(tmp_path / "var"))
    assert begun.returncode == 0, begun.stderr
    return tmp_path


@pytest.fixture
def servers(transactional_db, postgres_server, redis_server):
    """Return the environment of a site that runs on a server."""
    make_director(make_club())
    database = {"DATABASE_URL": postgres_server.url(connection.settings_dict["NAME"]), "REDIS_URL": redis_server.url}
    return interpolated(NEEDED) | database | {"PAGES_REDIS_URL": ""}


@pytest.fixture(params=["laptop", "demo", "compose"])
def site(request, tmp_path, servers):
    if request.param == "laptop":
        served = Site(LAPTOP, request.getfixturevalue("laptop"))
    elif request.param == "demo":
        served = Site("python manage.py demo", request.getfixturevalue("played_demo"))
    else:
        command = COMPOSE["services"]["web"]["command"].replace("${WEB_CONCURRENCY:-2}", "2")
        served = Site(command, tmp_path, **servers)
    yield served
    served.child.kill()


def ask(site):
    """Ask for an address that needs neither rows nor collected files."""
    return site.get("/api/v1/schema/", **{"Host": "tarot.example.org", "X-Forwarded-Proto": "https"})[0]


def test_fifty_half_sent_requests_hold_nobody_up(site):
    with contextlib.ExitStack() as connections:
        for place in range(50):
            connection = connections.enter_context(contextlib.closing(site.connect()))
            connection.sendall(HALF_A_HEAD if place % 2 else HALF_A_BODY)
        assert [ask(site) for _time in range(5)] == [200] * 5
        began = time.monotonic()
        site.child.stop()  # SIGINT, as Ctrl-C
        assert time.monotonic() - began < PATIENCE
    with pytest.raises(OSError, match="refused"):
        site.connect()


def test_server_writes_no_address_into_its_log(laptop):
    """Check this because addresses contain the codes of the tables."""
    site = Site(LAPTOP, laptop)
    assert ask(site) == 200
    site.child.stop()
    assert "schema" not in site.child.log.read_text()


def test_laptop_serves_by_one_process_alone(tmp_path):
    with pytest.raises(AssertionError, match="one process"):
        Site("python manage.py serve --processes 2", tmp_path)


@pytest.fixture
def two_processes(tmp_path, servers):
    site = Site("python manage.py serve --processes 2", tmp_path, **servers)
    wait_until(lambda: len(site.child.children) == 2, 60, "two processes")
    yield site
    site.child.kill()


def refuses(site):
    """Return True if no process of the site listens any more."""
    try:
        site.connect().close()
    except ConnectionRefusedError:
        return True
    return False


def test_server_ends_as_one_when_a_process_of_it_ends(two_processes):
    os.kill(two_processes.child.children[0], signal.SIGKILL)
    wait_until(lambda: not two_processes.child.running, 60, "the other processes to end")
    assert "ended by itself" in two_processes.child.last_words()


@pytest.mark.parametrize("how", [signal.SIGHUP, signal.SIGKILL, signal.SIGTERM])
def test_processes_end_with_the_one_that_started_them(two_processes, how):
    """Check this because a process that went on would keep the port from the site that is started next."""
    assert ask(two_processes) == 200
    os.kill(two_processes.child.pid, how)
    wait_until(lambda: refuses(two_processes), 60, "all processes to end")
    wait_until(lambda: not two_processes.child.running, 60, "the first process to end")


def test_site_of_one_process_ends_when_its_terminal_is_closed(laptop):
    site = Site(LAPTOP, laptop)
    os.kill(site.child.pid, signal.SIGHUP)
    wait_until(lambda: not site.child.running, 60, "the site to end")
    assert site.child.code == 0
