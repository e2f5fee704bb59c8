"""The locks on rows: they are taken in transactions only, since outside one they would end at once."""

import os
import subprocess
import sys
from inspect import getmembers, isfunction, signature

import pytest
from django.db.models import F
from django.db.transaction import TransactionManagementError, atomic

from tests.factories import started_session
from tests.law.packages import PROJECT
from tournaments import locks
from tournaments.errors import ActionRefused
from tournaments.models import Session, Table

LOCKS = {
    name: function
    for name, function in getmembers(locks, isfunction)
    if function.__module__ == locks.__name__ and name.startswith(("lock_", "raise_"))
}
ON_SQLITE = """
import django
django.setup()
from django.db import connection
from tests.tournaments.test_locks import LOCKS, is_refused
assert connection.vendor == "sqlite"
print(*(name for name, lock in LOCKS.items() if not is_refused(lock)))
"""


def is_refused(lock):
    """Return True if the lock raises before it asks the database anything."""
    needed = [each for each in signature(lock).parameters.values() if each.default is each.empty]
    given = [1 for each in needed if each.kind is each.POSITIONAL_OR_KEYWORD]
    try:
        lock(*given)
    except TransactionManagementError:
        return True
    except Exception:  # the lock has asked the database
        return False
    return False


def test_there_are_locks_to_be_asked():
    assert len(LOCKS) > 20


@pytest.mark.parametrize("name", LOCKS)
def test_lock_outside_a_transaction_is_refused(name):
    assert is_refused(LOCKS[name])


@pytest.mark.django_db
def test_table_is_raised_only_while_its_session_is_under_way():
    session = started_session(positions=1)
    table = session.tables.select_related("session").first()
    Session.objects.filter(pk=session.pk).update(status=Session.Status.DRAFT, started_at=None)
    for gone in (table, Table(pk=0, session=session)):
        with atomic(), pytest.raises(ActionRefused, match="session_not_started"):
            locks.raise_table(gone)
    assert Table.objects.get(pk=table.pk).revision == table.revision


@pytest.mark.django_db
def test_table_that_is_raised_says_whether_it_or_its_session_has_changed_since():
    session = started_session(positions=1)
    one, other = (session.tables.select_related("session").first() for _reading in range(2))
    with atomic():
        assert [locks.raise_table(one), locks.raise_table(one)] == [True, True]
        assert [locks.raise_table(other), locks.raise_table(other)] == [False, True]
        Session.objects.filter(pk=session.pk).update(revision=F("revision") + 1)
        assert locks.raise_table(other) is False
    assert Table.objects.get(pk=one.pk).revision == other.revision != one.revision


@pytest.mark.nightly("story")
def test_lock_outside_a_transaction_is_refused_on_a_laptops_database_too(tmp_path):
    settings = {"MODE": "laptop", "DATABASE_URL": f"sqlite:///{tmp_path / 'db.sqlite3'}", "REDIS_URL": ""}
    settings["DJANGO_SETTINGS_MODULE"] = "config.settings"
    run = subprocess.run(
        [sys.executable, "-c", ON_SQLITE],
        cwd=PROJECT,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == []
