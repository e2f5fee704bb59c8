"""The addresses by which a machine asks whether the site lives, and whether it can work."""

import pytest
from django.db import connection
from django.test import Client, override_settings

from operations import health
from operations.health import HOPS, LIVE, READY, Migrations

WELL = {"status": "ok", "database": "ok", "migrations": "ok", "redis": "ok"}
SERVER = {"ALLOWED_HOSTS": ["tarot.example.org"], "SECURE_SSL_REDIRECT": True}


def ask(path, **how):
    """Return status and JSON of an answer, asked by an internal name and without HTTPS, as on a server."""
    with override_settings(**SERVER):
        answer = Client().get(path, headers={"host": "10.0.0.7:8000"}, **how)
    assert answer["Cache-Control"] == "no-store"
    return answer.status_code, answer.json()


@pytest.fixture
def forget_a_migration(db):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'usersessions'")


@pytest.mark.new_site
def test_new_site_is_ready_before_its_first_start_whatever_host_is_asked(db):
    assert ask(LIVE) == (200, {"status": "ok"})
    assert ask(READY) == (200, WELL)


@pytest.mark.nightly("process")
@pytest.mark.parametrize("path", [LIVE, READY])
def test_health_is_never_throttled(db, path):
    """Ask more often than any limit of the site allows in a minute."""
    assert {ask(path, REMOTE_ADDR="192.0.2.7")[0] for _ in range(300)} == {200}


def test_site_lives_without_a_query(django_assert_num_queries, db):
    with django_assert_num_queries(0):
        assert ask(LIVE)[0] == 200


def test_migration_that_is_missing_makes_the_site_unready(forget_a_migration):
    assert ask(READY) == (503, WELL | {"status": "down", "migrations": "missing"})


def test_migrations_are_read_from_the_database_each_time(db):
    migrations = Migrations()
    assert migrations.are_complete()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'deals'")
    assert not migrations.are_complete()


def test_site_without_redis_is_degraded_and_ready(db, redis_server):
    redis_server.stop()
    assert ask(READY) == (200, WELL | {"status": "degraded", "redis": "away"})
    redis_server.start()
    assert ask(READY) == (200, WELL)


def test_laptop_needs_no_redis(db, settings):
    settings.REDIS_URL = ""
    assert ask(READY) == (200, WELL | {"redis": "unused"})


@pytest.mark.parametrize("path", [LIVE, READY])
def test_only_reading_is_answered_there(path, monkeypatch):
    monkeypatch.setattr(health, "ask_redis", None)  # not called
    assert Client().post(path).status_code == 405


@pytest.mark.parametrize(("told", "hops"), [("", "0"), ("192.0.2.7", "1"), ("192.0.2.7, 10.0.0.1", "2")])
def test_health_tells_how_many_proxies_a_request_passed(told, hops):
    assert Client().get(LIVE, headers={"x-forwarded-for": told})[HOPS] == hops


def test_longer_address_is_a_page_like_any_other(client, db):
    assert client.get(f"{LIVE}/more").status_code == 404
