"""The fixtures of the tests of rooms: their étuis are the same in every run, and no cached decision of another test."""

from hashlib import sha256
from itertools import count
from types import SimpleNamespace

import pytest
from django.core.cache import cache

from bots.levels import BotLevel, Character


@pytest.fixture(autouse=True)
def same_seeds(monkeypatch):
    """Give each test the same seeds, in the order in which it makes rooms."""
    numbers = count(1)
    drawn = SimpleNamespace(token_bytes=lambda size: sha256(b"rooms%d" % next(numbers)).digest()[:size])
    monkeypatch.setattr("deals.sets.secrets", drawn)
    # The tables of bots play by the policy, which is quick: these tests are not about their characters.
    monkeypatch.setattr("rooms.record.tables.CHARACTERS", tuple(Character(BotLevel.POLICY, bold) for bold in range(7)))
    monkeypatch.setattr("rooms.opening.queue_again", lambda *_job: None)  # no join waits until they are played
    # A busy machine would cut off the answers of the bots.
    for name in ("games.moving.THINKING", "thinker.PATIENCE"):
        monkeypatch.setattr(f"rooms.{name}", 60.0)
    cache.clear()
