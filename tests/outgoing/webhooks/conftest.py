"""A club with two evenings and a webhook, and what the webhook was told."""

import pytest
from django.utils import timezone

from outgoing.webhooks.posting import Answer
from outgoing.webhooks.setup import EVENTS, WebhookGiven, make_webhook
from tests import shared_evenings
from tests.rankings.series.seasons import FIRST, hold, name_players, thursdays

URL = "https://club.example/topage"


@pytest.fixture(autouse=True)
def site_address(settings):
    settings.SITE_URL = "https://tarot.example.org"


director = shared_evenings.director_of_club


@pytest.fixture
def webhook(club, director):
    return make_webhook(club, WebhookGiven(URL, frozenset(EVENTS)), by=director, now=timezone.now())[0]


@pytest.fixture
def session(webhook, club):
    """Return a session whose ranking is published after the webhook was made."""
    people = name_players(club, "Ada", "Bob", "Cyr")
    return hold(thursdays(club), FIRST, dict(zip(people, (60, 50, 40), strict=True)))


class Listener:
    """A replacement of the network: it keeps each call, and gives the next of its answers, or 200."""

    def __init__(self):
        self.calls, self.answers = [], []

    def __call__(self, url, body, headers):
        self.calls.append((url, body, dict(headers)))
        return self.answers.pop(0) if self.answers else Answer(200, "")


@pytest.fixture
def listener():
    return Listener()
