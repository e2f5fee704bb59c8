"""The whole site as it is watched: processes that share a socket, a real worker, ids that go from one to the other."""

import json
import re

import pytest
from django.db import connection

from config.logs import request_id
from jobs.tasks import compute_standings
from tests.evenings.tables.phones import command, tokens_of
from tests.factories import garde, make_director, started_session
from tests.services.waiting import wait_until

pytestmark = pytest.mark.nightly("process")

TOKEN = "a token of tests alone"
ORIGIN = "0123456789abcdef0123456789abcdef"
REQUESTS = 40


def count_health(site):
    """Return how many questions about its health the site has answered, in all of its processes."""
    status, told = site.get("/metrics", Authorization=f"Bearer {TOKEN}")
    assert status == 200
    found = re.findall(r'topage_requests_total\{lane="health",page="health",status="2xx"\} (\S+)', told)
    return sum(map(float, found))


def test_figures_of_several_processes_are_added_up_and_forgotten_with_them(
    transactional_db, serve, postgres_server, redis_server, tmp_path
):
    make_director(started_session().tournament.club)
    given = {
        "MODE": "server",
        "ALLOWED_HOSTS": "tarot.example.org",
        "HTTPS": "no",
        "SECRET_KEY": "k3Y" * 12,
        "DATABASE_URL": postgres_server.url(connection.settings_dict["NAME"]),
        "REDIS_URL": redis_server.url,
        "METRICS_TOKEN": TOKEN,
        "LOG_FORMAT": "json",
    }
    (tmp_path / "var" / "figures").mkdir(parents=True)
    ended = tmp_path / "var" / "figures" / "counter_999999999.db"
    ended.write_bytes(bytes(100))
    site = serve("python manage.py serve --processes 2", **given)
    before = count_health(site)
    for _ in range(REQUESTS):
        assert site.get("/health/live")[0] == 200
    assert count_health(site) == before + REQUESTS
    assert len([*(tmp_path / "var" / "figures").glob("counter_*.db")]) >= 2, "two processes answered"
    assert not ended.exists()
    assert site.get("/metrics")[0] == 404


def test_id_of_a_request_follows_it_into_its_job_and_into_every_line(
    start_worker, serve, postgres_server, redis_server, tmp_path
):
    session = started_session()
    make_director(session.tournament.club)
    token, play = tokens_of(session)[1], session.plays.select_related("etui").filter(table__number=1).first()
    site = serve(
        "python manage.py serve",
        MODE="server",
        ALLOWED_HOSTS="*",
        HTTPS="no",
        SECRET_KEY="k3Y" * 12,
        DATABASE_URL=postgres_server.url(connection.settings_dict["NAME"]),
        REDIS_URL=redis_server.url,
        LOG_FORMAT="json",
    )
    body = {"device": "phone-one", "commands": [command("enter", play=play, seat="N", entry=garde(play.etui.taker))]}
    redis_server.purge()  # the job that the start of the session has asked for
    status, answer = site.send(f"/t/{token}/send/", body, **{"X-Request-ID": ORIGIN})
    assert (status, '"received"' in answer) == (200, True), answer
    wait_until(lambda: redis_server.client.llen("standings") == 1, what="the job")
    message = json.loads(redis_server.client.lindex("standings", -1))
    assert message["headers"]["request_id"] == ORIGIN
    request_id.set(ORIGIN)
    compute_standings.apply_async(("no number",))
    worker = start_worker(LOG_FORMAT="json")
    wait_until(lambda: "no number" in worker.log() or "ValueError" in worker.log(), what="the job to fail")
    lines = [json.loads(line) for line in worker.log().splitlines() if line.startswith("{")]
    assert [line["request_id"] for line in lines if line["level"] == "ERROR"] == [ORIGIN]
    assert site.send("/health/live", {}, **{"X-Request-ID": ORIGIN})[0] == 405
    told = [json.loads(line) for line in (tmp_path / "site.log").read_text().splitlines() if line.startswith("{")]
    assert [line["message"] for line in told if line["request_id"] == ORIGIN] == ["Method Not Allowed: /health/live"]
