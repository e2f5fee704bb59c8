"""A worker that is killed while bots play an étui: another worker goes on, and each play is stored once."""

import pytest
from django.core.cache import cache
from django.utils import timezone

from evenings.spreads import ask_bots
from tests.factories import published_session
from tests.services.waiting import wait_until
from tournaments.job_health import LIFE, claim_key
from tournaments.models import BotSpread
from tournaments.queue import ANY_ROW, BOTS, ask_for_standings, question

pytestmark = pytest.mark.nightly("story")


@pytest.fixture
def row(transactional_db, monkeypatch):
    """Return the row of an étui that a director asks for, with twelve plays of level 10."""
    session = published_session(cards=True)
    monkeypatch.setattr("evenings.spreads.PLAYS", 12)
    monkeypatch.setattr("evenings.spreads.LEVEL", 10)
    monkeypatch.setattr("evenings.spreads.queue_bots", lambda: None)
    ask_bots(session.deal_set, [1], now=timezone.now())
    return BotSpread.objects.get()


def count_plays():
    return BotSpread.objects.get().count


def test_next_worker_goes_on_where_a_killed_one_was(start_worker, row):
    worker = start_worker(processes=1)
    ask_for_standings(ANY_ROW, BOTS)
    wait_until(lambda: count_plays() > 0, 60, "the first play")
    worker.kill()
    kept = BotSpread.objects.get()
    assert 0 < kept.count < 12
    assert cache.get(claim_key(BOTS)), "the killed worker still holds the claim"
    wait_until(lambda: not cache.get_many([claim_key(BOTS), question(ANY_ROW, BOTS)]), LIFE + 5, "both to expire")
    start_worker(processes=1)
    ask_for_standings(ANY_ROW, BOTS)
    wait_until(lambda: count_plays() == 12, 90, "all plays")
    row.refresh_from_db()
    assert (row.plays[: kept.count], len(row.plays)) == (kept.plays, 12)
