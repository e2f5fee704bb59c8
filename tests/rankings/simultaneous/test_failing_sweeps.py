"""The sweep when one simultaneous fails with an error that nobody expects: the others and all other work go on."""

import datetime as dt
from contextlib import nullcontext

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from jobs import tasks
from rankings.kinds import do_for_each
from rankings.simultaneous import hours
from rankings.simultaneous.field import publishing
from rankings.simultaneous.hours import find_due, open_all_due
from tests.rankings.simultaneous.world import make_simultaneous

pytestmark = pytest.mark.django_db


@pytest.fixture
def two():
    return [make_simultaneous(slug=slug) for slug in ("un", "deux")]


def fail_for(first, really):
    def work(pk, *told, **more):
        if pk == first:
            raise KeyError("unexpected")
        return really(pk, *told, **more)

    return work


def test_simultaneous_that_cannot_be_opened_keeps_no_other_closed(two, monkeypatch, caplog):
    later = timezone.now() + dt.timedelta(days=1)
    assert find_due(later) == [each.pk for each in two]
    monkeypatch.setattr(hours, "open_simultaneous", fail_for(two[0].pk, hours.open_simultaneous))
    assert open_all_due(later) == [two[1].pk]
    assert f"simultaneous {two[0].pk} cannot be opened" in caplog.text


def test_field_that_cannot_be_renewed_stops_no_other_work(two, monkeypatch, caplog):
    renewed = []
    monkeypatch.setattr(publishing, "find_unsettled_fields", lambda: [each.pk for each in two])
    monkeypatch.setattr(publishing, "renew_when_over", fail_for(two[0].pk, lambda pk, now: renewed.append((pk, now))))
    tasks.sweep_publications()
    assert [pk for pk, _now in renewed] == [two[1].pk]
    assert f"simultaneous {two[0].pk} could not be renewed" in caplog.text


@pytest.mark.parametrize("usable", [True, False])
def test_lost_connection_to_the_database_ends_the_sweep(usable, monkeypatch):
    tried = []

    def fail(pk):
        tried.append(pk)
        raise OperationalError("cut, or locked for too long")

    monkeypatch.setattr(connection, "is_usable", lambda: usable)
    with nullcontext() if usable else pytest.raises(OperationalError):
        assert do_for_each([1, 2], fail, failed="%s failed") == []
    assert tried == ([1, 2] if usable else [1])
