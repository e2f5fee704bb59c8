"""The log of tries to log in: what a try costs and leaves, and how the tables of the library before are left behind."""

from importlib import import_module

import pytest
from django.conf import settings
from django.contrib.auth import authenticate
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import LogInTry
from jobs.management.database import find_unknown_migration
from tests.factories import PASSWORD, make_user

pytestmark = pytest.mark.django_db


def send(password, name="directrice", **more):
    return Client(**more).post(reverse("login"), {"username": name, "password": password})


def read_tries():
    return list(LogInTry.objects.order_by("pk").values_list("name", "address", "agent", "succeeded"))


def test_wrong_password_takes_at_most_six_queries():
    make_user("directrice")
    with CaptureQueriesContext(connection) as asked:
        assert send("no").status_code == 200
    assert len(asked) <= 6


def test_each_try_is_logged_with_its_account_and_none_that_has_to_wait():
    make_user("directrice")
    answers = [
        send(password, headers={"user-agent": "Topage"}).status_code for password in (PASSWORD, "no", "no", "no")
    ]
    assert answers == [302, 200, 200, 429]
    tried = ("directrice", "127.0.0.1", "Topage")
    assert read_tries() == [(*tried, True), (*tried, False), (*tried, False)]


@pytest.mark.parametrize("typed", ["x" * 400, "nobody\0", "\0", " Éva "])
def test_whatever_name_is_typed_is_logged(typed):
    assert send("no", typed, headers={"user-agent": "a" * 400}).status_code == 200
    assert len(read_tries()) <= 1


def test_no_password_is_asked_for_without_a_request():
    make_user("directrice")
    assert authenticate(username="directrice", password=PASSWORD) is None


def test_tables_of_the_library_before_are_dropped_if_they_exist():
    migration = import_module("clubs.migrations.0002_log_in_tries")
    drop = migration.Migration.operations[-1]
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE axes_accessattempt (id integer PRIMARY KEY)")
        cursor.execute("CREATE TABLE axes_accesslog (id integer)")
        cursor.execute(
            "CREATE TABLE axes_accessattemptexpiration (access_attempt_id integer REFERENCES axes_accessattempt (id))"
        )
        cursor.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('axes', '0001_initial', now())")
    for _time in range(2):
        with connection.schema_editor() as editor:
            drop.database_forwards("clubs", editor, None, None)
        assert [table for table in connection.introspection.table_names() if table.startswith("axes_")] == []
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM django_migrations WHERE app = 'axes'")
        assert cursor.fetchone() == (0,)


def test_backup_with_migrations_of_the_library_before_is_known():
    assert find_unknown_migration([("axes", "0001_initial"), ("clubs", "0001_initial")]) == ""
    assert find_unknown_migration([("other", "0001_initial"), ("axes", "0001_initial")]) == "other.0001_initial"
    assert not [app for app in settings.INSTALLED_APPS if "axes" in app]
