"""The figures at `/metrics`: who may read them, what is counted, and that no label tells a path, a name or an id."""

import datetime as dt

import pytest
from django.db import OperationalError
from django.test import Client, override_settings
from django.urls import get_resolver, reverse
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from config.celery import app
from config.jobs import Job
from config.queues import QUEUES
from jobs.tasks import compute_standings
from operations.backup.scheduled import NotedBackup, note_good
from operations.figures import state
from operations.figures.middleware import CountingMiddleware
from operations.health import READY
from operations.queues import read_job_counts
from tests.factories import PASSWORD, enter_all, make_director, make_tournament, published_session, started_session
from tests.services.waiting import wait_until
from tournaments.models import ResultEntry

TOKEN = "a token of tests alone"
NAME, TITLE = "Zénobie Pralinova", "Coupe des Marronniers"


@pytest.fixture(autouse=True)
def counted(settings):
    settings.METRICS_TOKEN = TOKEN


def ask(given=f"Bearer {TOKEN}", **how):
    headers = {"authorization": given} if given else {}
    return Client(headers=headers | {"host": "10.0.0.7"}, **how).get("/metrics")


def read_figures():
    """Return each figure by its name and its labels."""
    told = ask()
    assert told.status_code == 200
    families = text_string_to_metric_families(told.content.decode())
    return {(each.name, frozenset(each.labels.items())): each.value for family in families for each in family.samples}


def figure(name, **labels):
    return read_figures().get((f"topage_{name}", frozenset(labels.items())), 0)


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer a token of tests alonf", TOKEN, f"bearer {TOKEN}", "Bearer é"])
def test_metrics_do_not_exist_without_the_token(given, db):
    answer = ask(given)
    assert (answer.status_code, answer.content) == (404, b"")


@pytest.mark.new_site
def test_metrics_are_told_to_any_host_without_https_and_before_the_first_start(db):
    with override_settings(ALLOWED_HOSTS=["tarot.example.org"], SECURE_SSL_REDIRECT=True):
        answer = ask()
    assert (answer.status_code, answer["Cache-Control"]) == (200, "no-store")
    assert answer["Content-Type"].startswith("text/plain; version=")


def test_site_without_a_token_counts_nothing(db, settings):
    settings.METRICS_TOKEN = ""
    client = Client(headers={"authorization": "Bearer "})
    assert client.get("/metrics").status_code == 404
    handler = client.handler._middleware_chain
    assert not isinstance(handler.__wrapped__ if hasattr(handler, "__wrapped__") else handler, CountingMiddleware)


def test_request_is_counted_by_page_status_and_lane(db):
    labels = {"page": "login", "status": "2xx", "lane": "reader"}
    before, seconds = figure("requests_total", **labels), figure("page_seconds_total", page="login")
    for _ in range(3):
        Client().get("/login/")
    assert figure("requests_total", **labels) == before + 3
    assert figure("page_seconds_total", page="login") > seconds
    missing = {"page": "none", "status": "4xx", "lane": "reader"}
    before = figure("requests_total", **missing)
    Client().get(f"/{NAME}/")
    assert figure("requests_total", **missing) == before + 1


def test_cached_ranking_is_counted_under_its_page(db):
    session = published_session()
    told = reverse("ranking", args=(session.tournament.club.slug, session.tournament.slug, session.number))
    labels = {"page": "ranking", "status": "2xx", "lane": "reader"}
    before, client = figure("requests_total", **labels), Client()
    assert [client.get(told).status_code for _ in range(3)] == [200] * 3
    assert figure("requests_total", **labels) == before + 3


def test_refused_log_in_is_counted(db):
    before = figure("refused_log_ins_total")
    Client().post("/login/", {"username": "nobody", "password": "wrong"})
    assert figure("refused_log_ins_total") == before + 1


def test_standings_entries_and_phones_are_told(db):
    session = started_session()
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    entries = ResultEntry.objects.count()
    assert figure("entries_total") == entries > 0
    now = timezone.now()
    newest = ResultEntry.objects.latest("pk")
    ResultEntry.objects.filter(pk=newest.pk).update(typed_at=now - dt.timedelta(minutes=9), entered_at=now)
    assert 530 <= figure("phone_entry_seconds") <= 550
    assert figure("stale_standings") == 1
    ResultEntry.objects.exclude(pk=newest.pk).update(entered_at=now - dt.timedelta(seconds=70))
    assert 70 <= figure("stale_seconds") <= 80
    compute_standings(session.pk)
    assert (figure("stale_standings"), figure("stale_seconds")) == (0, 0)


def test_age_of_the_backup_is_told(db, tmp_path, settings):
    settings.BACKUP_DIR = None
    assert not [name for name, _ in read_figures() if "backup" in name]
    settings.BACKUP_DIR = tmp_path
    note_good(tmp_path, NotedBackup(tmp_path / "a", 1, "0", timezone.now() - dt.timedelta(hours=2)))
    assert 7200 <= figure("backup_seconds", kind="good") <= 7260


def test_server_that_is_away_is_told_and_the_rest_too(db, redis_server, monkeypatch):
    assert (figure("up", server="database"), figure("up", server="redis")) == (1, 1)
    redis_server.stop()
    assert (figure("up", server="database"), figure("up", server="redis")) == (1, 0)

    def fail(now):
        raise OperationalError("away")

    monkeypatch.setattr(state, "longest_way", fail)
    assert figure("up", server="database") == 0


def test_job_is_counted_by_its_name_and_outcome(db, redis_server):
    class Failing(Job):
        name = "tests.failing"
        request = type("Request", (), {"called_directly": False, "is_eager": False})()

        def run(self, wrong):
            if wrong:
                raise wrong

    with pytest.raises(ValueError, match="wrong"):
        Failing()(ValueError("wrong"))
    Failing()(OperationalError("away"))
    Failing()(None)
    Failing()(None)
    counts = {outcome: count for (name, outcome), count in read_job_counts().items() if name == "tests.failing"}
    assert 0 < counts.pop("seconds") < 5
    assert counts == {"failed": 1, "undone": 1, "done": 2}
    assert figure("jobs_total", job="tests.failing", outcome="done") == 2


@pytest.mark.nightly("process")
def test_job_of_a_real_worker_and_its_queue_are_told(start_worker, redis_server):
    compute_standings.apply_async((1,))
    wait_until(lambda: figure("queue_jobs", queue="standings") == 1, what="the job to wait")
    start_worker(METRICS_TOKEN=TOKEN)
    done = {"job": compute_standings.name, "outcome": "done"}
    wait_until(lambda: figure("jobs_total", **done) == 1, what="the job")
    assert figure("queue_jobs", queue="standings") == 0


def names_of_pages(resolver=None, prefix=""):
    for pattern in (resolver or get_resolver()).url_patterns:
        if hasattr(pattern, "url_patterns"):
            yield from names_of_pages(pattern, f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix)
        elif pattern.name:
            yield f"{prefix}{pattern.name}"


KNOWN = {
    "page": {*names_of_pages(), "none", "unnamed", "health", "metrics", "static"},
    "status": {"2xx", "3xx", "4xx", "5xx"},
    "lane": {"table", "desk", "reader", "health", "rooms"},
    "job": {name for name in app.tasks if name.startswith(("jobs.", "rooms.", "operations."))},
    "outcome": {"done", "failed", "undone", "paused"},
    "queue": {*QUEUES},
    "server": {"database", "redis"},
    "kind": {"good", "verified"},
    "le": {"0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "+Inf"},
}


@pytest.mark.nightly("process")
def test_no_label_holds_a_path_a_name_or_an_id(db, redis_server):
    tournament = make_tournament(name=TITLE)
    director = make_director(tournament.club, NAME)
    session = published_session(tournament, by=director)
    client = Client()
    client.post("/login/", {"username": NAME, "password": PASSWORD})
    own = f"/clubs/{tournament.club.slug}/"
    addresses = (own, f"{own}tournaments/{tournament.slug}/{session.number}/", f"{own}tournaments/{tournament.slug}/")
    for path in (*addresses, f"/{NAME}/", READY, "/static/none", f"/t/{'a' * 43}/", "/admin/", f"/search/?q={NAME}"):
        client.get(path)
    figures = read_figures()
    assert len(figures) > 50
    for name, labels in figures:
        for label, value in labels:
            assert value in KNOWN[label], (name, label, value)
