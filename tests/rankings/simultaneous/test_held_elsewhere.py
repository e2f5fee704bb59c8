"""The kept pages, webhooks and mails have nothing of the étuis of a simultaneous before its public hour."""

import datetime as dt
import json

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.utils import timezone

from clubs.models import Player, Webhook
from clubs.shown import Way, choose_shown
from outgoing.mailing.feuilles import find_unsent, send_feuilles
from outgoing.mailing.places import FIELD_KIND, find_places_to_tell, send_place_letters
from outgoing.mailing.wishes import want_feuilles
from outgoing.webhooks.calling import call_webhooks, note_new_calls
from outgoing.webhooks.posting import Answer
from outgoing.webhooks.setup import EVENTS, WebhookGiven, make_webhook
from rankings.careers.keeping import refresh
from tests.factories import make_user
from tests.rankings.simultaneous import test_held
from tests.rankings.simultaneous.test_held import CLOSED, MARK, shown_results
from tests.test_access import PAGES, visit
from tournaments.models import Session, Simultaneous
from tournaments.permissions import Can

pytestmark = pytest.mark.django_db
HOUR = dt.timedelta(hours=1)
OF_EVENINGS = sorted(name for name, (method, need, _) in PAGES.items() if method == "GET" and need == Can.READ)

held = test_held.held


def move_hour(held, until):
    """Let the étuis be secret until this hour, or open them with None."""
    session = held["published"].pk
    Session.objects.filter(pk=session).update(held_until=until)
    hour = until or timezone.now()
    Simultaneous.objects.filter(clubs__session=session).update(closes_at=hour, public_at=hour)
    refresh(session)


def read_twice(held):
    """Return the second answer of each page to a reader without account: a kept one, where pages are kept."""
    for name in OF_EVENINGS:
        visit(held, name, "anonymous")
    return {name: visit(held, name, "anonymous") for name in OF_EVENINGS}


@pytest.mark.nightly("story")
def test_kept_page_shows_no_result_before_the_hour_and_all_from_then_on(held):
    """Keep each page while the étuis are open, then as closed, then as open: each time the present one is shown."""
    for _time in range(2):
        move_hour(held, None)
        opened = read_twice(held)
        assert shown_results(opened) >= {"feuille", "published_etuis", "published_etui"}
        move_hour(held, timezone.now() + HOUR)
        closed = read_twice(held)
        assert shown_results(closed) == set()
        assert {name for name, answer in closed.items() if answer.status_code == 404} == CLOSED


@pytest.fixture
def told_by_webhooks(held, settings):
    """Return a function that lets the sweep call a webhook of the club, and returns the bodies that it got."""
    settings.SITE_URL = "https://tarot.example.org"
    director = held["club"].memberships.filter(role="director").first().user
    Webhook.objects.all().delete()
    now = timezone.now() - HOUR
    make_webhook(held["club"], WebhookGiven("https://club.example/topage", frozenset(EVENTS)), by=director, now=now)
    Webhook.objects.update(since=now)
    bodies = []

    def keep(_url, body, _headers):
        bodies.append(body.decode())
        return Answer(200, "")

    def sweep():
        for _time in range(20):
            note_new_calls(timezone.now())
            call_webhooks(find_now=timezone.now, post=keep)
        return bodies

    return sweep


@pytest.mark.nightly("story")
def test_webhooks_tell_addresses_and_versions_and_nothing_of_a_deal(held, told_by_webhooks):
    bodies = told_by_webhooks()
    kinds = {json.loads(body)["kind"] for body in bodies}
    assert {"session", "field"} <= kinds
    names = set(Player.objects.filter(club=held["club"]).values_list("last_name", flat=True))
    seeds = {held["published"].deal_set.seed, held["published"].deal_set.seed_digest} - {""}
    cards = {etui.cards for etui in held["published"].deal_set.etuis.all()} - {""}
    for body in bodies:
        assert not [word for word in (MARK, *seeds, *cards, *names) if word in body], body


def want_letters(player):
    user = make_user(f"compte{player.pk}")
    EmailAddress.objects.create(user=user, email=f"{user.username}@example.org", verified=True, primary=True)
    Player.objects.filter(pk=player.pk).update(account=user)
    assert want_feuilles(user, now=timezone.now() - HOUR)


@pytest.mark.nightly("crawl")
def test_mails_have_no_deal_and_no_hidden_name_before_the_hour(held, settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    session, now = held["published"], timezone.now()
    director = held["club"].memberships.filter(role="director").first().user
    players = [entrant.player for entrant in session.entrants.order_by("pk")]
    hidden = players[-1]
    for player in (players[0], hidden):
        want_letters(player)
    choose_shown(player=hidden, shown="hidden", way=Way.DIRECTOR, by=director, now=now)
    assert (send_feuilles(session.pk, now=now), find_unsent(now)) == (0, [])
    for pk in find_places_to_tell(FIELD_KIND, now):
        send_place_letters(FIELD_KIND, pk, now=now)
    told = "".join(letter.subject + letter.body for letter in mail.outbox)
    assert MARK not in told
    assert f"{hidden.last_name} {hidden.first_name}" not in told
    mail.outbox.clear()
    move_hour(held, None)
    assert send_feuilles(session.pk, now=timezone.now()) == 2
    assert MARK in "".join(letter.body for letter in mail.outbox).replace("\N{NARROW NO-BREAK SPACE}", "")
