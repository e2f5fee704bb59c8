"""The bots of these tests play by their policy, a few times each étui, so that the tests are quick."""

import pytest

from bots.levels import BotLevel

PLAYS = 3


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch):
    monkeypatch.setattr("evenings.spreads.PLAYS", PLAYS)
    monkeypatch.setattr("evenings.spreads.LEVEL", BotLevel.POLICY)
