"""The site as README, `make demo` and Compose start it: what clients do not finish sending holds nobody up."""

import contextlib
import os
import re
import signal
import time

import pytest

from tests.services.site import PROJECT, Site
from tests.services.waiting import PATIENCE, wait_until
from tests.test_compose import COMPOSE, NEEDED, interpolated

README = (PROJECT / "README.md").read_text()
LAPTOP = re.search(r"^(\S+python manage\.py serve.*)$", README, re.MULTILINE)
HALF_A_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/ht"
HALF_A_BODY = b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000\r\n\r\nusername=dir"


@pytest.fixture(params=["laptop", "demo", "compose"])
def site(request, tmp_path, postgres_server, redis_server):
    if request.param == "laptop":
        served = Site(LAPTOP[1], tmp_path)
    elif request.param == "demo":
        served = Site("python manage.py demo", tmp_path)
    else:
        command = COMPOSE["services"]["web"]["command"].replace("${WEB_CONCURRENCY:-2}", "2")
        servers = {"DATABASE_URL": postgres_server.url("postgres"), "REDIS_URL": redis_server.url}
        served = Site(command, tmp_path, **interpolated(NEEDED) | servers)
    yield served
    served.child.kill()


def ask(site):
    """An address that wants neither rows nor collected files."""
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


def test_server_writes_no_address_into_its_log(tmp_path):
    """The codes of the tables are in them."""
    site = Site(LAPTOP[1], tmp_path)
    assert ask(site) == 200
    site.child.stop()
    assert "schema" not in site.child.log.read_text()


def test_laptop_serves_by_one_process_alone(tmp_path):
    with pytest.raises(AssertionError, match="one process"):
        Site("python manage.py serve --processes 2", tmp_path)


def test_server_ends_as_one_when_a_process_of_it_ends(tmp_path, postgres_server, redis_server):
    servers = {"DATABASE_URL": postgres_server.url("postgres"), "REDIS_URL": redis_server.url}
    site = Site("python manage.py serve --processes 2", tmp_path, **interpolated(NEEDED) | servers)
    wait_until(lambda: len(site.child.children) == 2, 60, "two processes")
    os.kill(site.child.children[0], signal.SIGKILL)
    wait_until(lambda: not site.child.running, 60, "the other processes to end")
    assert "ended by itself" in site.child.last_words()
