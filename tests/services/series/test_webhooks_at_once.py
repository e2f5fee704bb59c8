"""The webhooks of a club, swept and changed by several at once on connections to PostgreSQL: each call leaves once."""

from functools import partial

import pytest
from django.utils import timezone

from clubs.models import Webhook, WebhookCall
from outgoing.webhooks.calling import call_webhooks, note_new_calls
from outgoing.webhooks.setup import EVENTS, MOST, MOST_TRIALS, WebhookGiven, WebhookRefused, make_webhook, try_webhook
from tests import shared_evenings
from tests.factories import make_club
from tests.outgoing.webhooks.conftest import Listener
from tests.rankings.series.seasons import FIRST, hold, name_players, thursdays
from tests.services.test_standings_jobs import in_threads

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]
ALL = frozenset(EVENTS)


@pytest.fixture(autouse=True)
def site_address(settings):
    settings.SITE_URL = "https://tarot.example.org"


@pytest.fixture
def club():
    return make_club()


director = shared_evenings.director_of_club


@pytest.fixture
def webhook(club, director):
    given = WebhookGiven("https://club.example/topage", ALL)
    return make_webhook(club, given, by=director, now=timezone.now())[0]


@pytest.fixture
def three(club, webhook):
    """Publish three evenings after the webhook was made."""
    people = name_players(club, "Ada", "Bob")
    for number in range(3):
        hold(thursdays(club, f"Tour {number}"), FIRST, dict(zip(people, (60, 50), strict=True)))


def test_two_sweeps_at_once_tell_a_webhook_of_each_version_once(webhook, three):
    listener, now = Listener(), timezone.now()

    def sweep():
        note_new_calls(now)
        call_webhooks(find_now=lambda: now, post=listener)

    outcomes = in_threads([sweep] * 4)
    assert outcomes == [None] * 4
    call_webhooks(find_now=lambda: now, post=listener)  # what a worker left that lost a claim
    assert WebhookCall.objects.count() == 3
    assert len(listener.calls) == 3
    assert len({headers["Topage-Call"] for _url, _body, headers in listener.calls}) == 3
    assert not WebhookCall.objects.exclude(next_at=None).exists()


def refused_code(work):
    try:
        work()
    except WebhookRefused as refusal:
        return refusal.code
    return ""


def test_directors_at_once_make_no_more_webhooks_than_a_club_may_have(club, director):
    givens = [WebhookGiven(f"https://club.example/{number}", ALL) for number in range(MOST + 2)]
    makers = [partial(make_webhook, club, given, by=director, now=timezone.now()) for given in givens]
    codes = in_threads([partial(refused_code, make) for make in makers])
    assert sorted(codes) == [""] * MOST + ["too_many_webhooks"] * 2
    assert Webhook.objects.count() == MOST


def test_trials_asked_for_at_once_keep_to_the_limit(club, director, webhook, monkeypatch):
    monkeypatch.setattr("outgoing.webhooks.setup.ask_for_standings", lambda *_which: None)
    ask = partial(try_webhook, club, webhook.pk, by=director, now=timezone.now())
    codes = in_threads([partial(refused_code, ask)] * (MOST_TRIALS + 2))
    assert sorted(codes) == [""] * MOST_TRIALS + ["webhook_too_many_trials"] * 2
    assert WebhookCall.objects.count() == MOST_TRIALS
