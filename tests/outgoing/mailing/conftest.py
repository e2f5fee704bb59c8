"""The evening about which letters are written, and rounds of mails that are over after each mail."""

import pytest

from outgoing.mailing import sending
from tests.outgoing.mailing.evening import make_evening


@pytest.fixture
def session():
    return make_evening()


@pytest.fixture
def short_rounds(monkeypatch):
    """End each round after one mail. Return the list of the jobs that were queued to go on: id of the row and task."""
    asked = []
    monkeypatch.setattr(sending, "ROUND", 0)
    monkeypatch.setattr(sending, "queue_again", lambda pk, task: asked.append((pk, task)))
    return asked
