"""The processes that serve for long search for garbage seldom: the site's, the workers and the beat."""

import gc

import pytest
from celery.signals import beat_init, worker_init

from jobs.management import database, processes
from jobs.management.commands import serve


@pytest.fixture(autouse=True)
def limits(monkeypatch):
    """Return the limits that were set, without setting them."""
    limits = []
    monkeypatch.setattr(gc, "set_threshold", lambda *given: limits.append(given))
    return limits


def test_site_searches_seldom(limits, monkeypatch):
    for name in ("compute_in_background", "forget_every_day", "backups.start", "create_server", "run_server"):
        monkeypatch.setattr(f"{serve.__name__}.{name}", lambda *_given, **_named: lambda: None)
    monkeypatch.setattr(serve.sys, "setswitchinterval", lambda _seconds: None)
    serve.serve(None)
    assert limits == [processes.SELDOM]


@pytest.mark.parametrize("signal", [worker_init, beat_init], ids=["worker", "beat"])
def test_worker_and_beat_search_seldom(signal, limits, monkeypatch):
    monkeypatch.setattr(processes, "hold_presence", lambda: None)
    monkeypatch.setattr(database, "check_database", lambda: None)
    signal.send(sender=None)
    assert limits == [processes.SELDOM]
