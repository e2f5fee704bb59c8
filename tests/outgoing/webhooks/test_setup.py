"""The pages of webhooks: made with a secret that is shown once, tried, switched, removed; wrong addresses refused."""

import datetime as dt
import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from archives.privacy.periods import forget_what_is_over
from clubs.errors import AccountRefused
from clubs.log import say_entry
from clubs.models import Club, Webhook, WebhookCall
from outgoing.webhooks.calling import mail_about_dead_webhook, switch_dead_webhook_off
from outgoing.webhooks.posting import derive_webhook_secret
from outgoing.webhooks.setup import (
    EVENTS,
    MOST,
    MOST_TRIALS,
    WebhookGiven,
    WebhookRefused,
    change_webhook,
    check_webhook_url,
    make_webhook,
    remove_webhook,
    renew_webhook_secret,
    switch_webhook,
    try_webhook,
)
from tests.factories import make_club, make_director, make_helper
from tests.outgoing.webhooks.conftest import URL
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
SECRET = re.compile(r"whsec_[\w-]{43}")
ALL = frozenset(EVENTS)


def page_of(club, webhook=None):
    return reverse("webhook", args=[club.slug, webhook.pk]) if webhook else reverse("webhooks", args=[club.slug])


def step(club, webhook, act):
    return reverse("webhook_step", args=[club.slug, webhook.pk, act])


def fields(**given):
    return {"url": URL, "events": list(EVENTS)} | given


def log_of(club):
    return [row.action for row in club.log.order_by("pk")]


def test_secret_is_shown_once_and_stands_in_no_row(club, director):
    browser = browser_of(director)
    made = browser.post(page_of(club), fields(events=["published"]))
    (secret,) = set(SECRET.findall(made.content.decode()))
    assert "no-store" in made["Cache-Control"]
    webhook = Webhook.objects.get()
    assert (webhook.url, webhook.on_published, webhook.on_corrected, webhook.off_at) == (URL, True, False, None)
    assert secret == derive_webhook_secret(webhook)
    assert secret.removeprefix("whsec_") not in str([*Webhook.objects.values_list(), *club.log.values_list()])
    for page in (page_of(club), page_of(club, webhook)):
        assert not SECRET.search(browser.get(page).content.decode())
    assert log_of(club) == ["webhook_made"]


def test_secret_depends_on_the_site(webhook, settings):
    before = derive_webhook_secret(webhook)
    settings.SECRET_KEY = "another" * 8
    assert derive_webhook_secret(webhook) != before


def test_new_secret_is_shown_once_and_ends_the_old_one(club, director, webhook):
    before = derive_webhook_secret(webhook)
    page = browser_of(director).post(page_of(club, webhook), {"renew": "1"})
    (secret,) = set(SECRET.findall(page.content.decode()))
    webhook.refresh_from_db()
    assert secret == derive_webhook_secret(webhook) != before
    assert log_of(club) == ["webhook_made", "webhook_renewed"]


@pytest.mark.parametrize(
    "typed",
    [
        *("", "http://club.example/", "ftp://club.example/", "https://", "https://localhost/", "https://club/"),
        *("https://127.0.0.1/", "https://[::1]/", "https://user:pass@club.example/", "https://user@club.example/"),
        *("https://club.example:0/", "https://club.example:99999/", "https://club.example/ a", "//club.example"),
        *("https://club.example/\r\nX: y", "https://club.example\\@10.0.0.1/", "javascript:alert(1)"),
    ],
)
def test_address_is_refused(typed):
    with pytest.raises(WebhookRefused, match="webhook_address"):
        check_webhook_url(typed)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("club.example", "https://club.example/"),
        (" https://Club.Example/Topage?a=1&b=é#top ", "https://club.example/Topage?a=1&b=%C3%A9"),
        ("https://club.example:8443/x", "https://club.example:8443/x"),
        ("https://étuis.example/", "https://xn--tuis-9oa.example/"),
        ("HTTPS://club.example:443/a%20b", "https://club.example/a%20b"),
    ],
)
def test_address_is_kept_in_one_form(typed, kept):
    assert check_webhook_url(typed) == kept
    assert kept.isascii()


def test_wrong_address_keeps_what_was_typed(club, director):
    page = browser_of(director).post(page_of(club), fields(url="http://club.example/é", events=["official"]))
    assert 'value="http://club.example/é"' in page.content.decode()
    assert "Type an https address" in words(page)
    assert page.context["form"]["events"].value() == ["official"]
    assert not Webhook.objects.exists()


def test_no_event_and_a_long_address_are_refused(club, director):
    browser = browser_of(director)
    assert "required" in words(browser.post(page_of(club), fields(events=[])))
    assert browser.post(page_of(club), fields(url="https://club.example/" + "é" * 200)).status_code == 200
    assert not Webhook.objects.exists()
    with pytest.raises(WebhookRefused, match="webhook_without_event"):
        make_webhook(club, WebhookGiven(URL, frozenset()), by=director, now=timezone.now())


def test_same_address_twice_and_too_many_are_refused(club, director, webhook):
    with pytest.raises(WebhookRefused, match="webhook_twice"):
        make_webhook(club, WebhookGiven("club.example/topage", ALL), by=director, now=timezone.now())
    for number in range(MOST - 1):
        make_webhook(club, WebhookGiven(f"{URL}/{number}", ALL), by=director, now=timezone.now())
    with pytest.raises(WebhookRefused, match="too_many_webhooks"):
        make_webhook(club, WebhookGiven(f"{URL}/x", ALL), by=director, now=timezone.now())
    with pytest.raises(WebhookRefused, match="webhook_twice"):
        change_webhook(club, webhook.pk, WebhookGiven(f"{URL}/1", ALL), by=director, now=timezone.now())


def test_change_is_logged_only_if_something_changes(club, director, webhook):
    browser = browser_of(director)
    assert browser.post(page_of(club, webhook), fields()).status_code == 302
    assert log_of(club) == ["webhook_made"]
    assert browser.post(page_of(club, webhook), fields(events=["withdrawn"])).status_code == 302
    webhook.refresh_from_db()
    assert (webhook.on_withdrawn, webhook.on_published) == (True, False)
    assert log_of(club) == ["webhook_made", "webhook_changed"]


def test_only_directors_of_the_club_write(club, webhook):
    ended = make_director(club, "ancienne")
    ended.memberships.update(ends_on=dt.date(2026, 1, 1))
    for user in (make_director(make_club("autre"), "autre"), make_helper(club, "aide"), ended):
        with pytest.raises(AccountRefused, match="directs_no_longer"):
            remove_webhook(club, webhook.pk, by=user, now=timezone.now())
    assert Webhook.objects.exists()


def test_webhook_of_another_club_is_unknown(director, webhook):
    other = make_club("autre")
    user = make_director(other, "autre")
    browser = browser_of(user)
    for path in (page_of(other, webhook), step(other, webhook, "remove")):
        answer = browser.post(path, fields()) if path.endswith("remove/") else browser.get(path)
        assert answer.status_code == 404
    with pytest.raises(WebhookRefused, match="webhook_gone"):
        remove_webhook(other, webhook.pk, by=user, now=timezone.now())


def test_steps_from_the_page(club, director, webhook):
    browser = browser_of(director)
    assert "Not called yet" in words(browser.get(page_of(club, webhook)))
    for act in ("trial", "off", "on", "on"):
        assert browser.post(step(club, webhook, act)).status_code == 302
    webhook.refresh_from_db()
    assert webhook.off_at is None
    assert browser.post(step(club, webhook, "nothing")).status_code == 404
    assert browser.get(step(club, webhook, "remove")).status_code == 302
    assert Webhook.objects.exists()
    assert browser.post(step(club, webhook, "remove"))["Location"] == page_of(club)
    assert not Webhook.objects.exists()
    assert log_of(club) == ["webhook_made", "webhook_tried", "webhook_off", "webhook_on", "webhook_removed"]
    assert "No webhook yet" in words(browser.get(page_of(club)))


def test_page_shows_the_last_calls_with_their_answers(club, director, webhook):
    now = timezone.now()
    told = {"kind": "session", "owner": 1, "made_at": now, "tried_at": now}
    webhook.calls.create(event="published", version=1, tries=1, code=204, **told)
    webhook.calls.create(event="corrected", version=2, tries=2, code=503, fault="answer", next_at=now, **told)
    webhook.calls.create(event="official", version=3, tries=5, fault="private", **told)
    page = words(browser_of(director).get(page_of(club, webhook)))
    for text in ("accepted (204)", "not a success (503)", "try 2 of 5", "private network", "A failed call is tried"):
        assert text in page
    Webhook.objects.update(off_at=now, off_reason="unreached")
    for page in (page_of(club, webhook), page_of(club)):
        assert "five tries over a day have failed" in words(browser_of(director).get(page))
    french = Client(headers={"accept-language": "fr"})
    french.force_login(director)
    assert "cinq essais en un jour ont échoué" in words(french.get(page_of(club, webhook)))


def test_page_of_a_practice_club_leads_to_the_real_one(club, director):
    practice = Club.every.create(name="Essai", slug="essai", practice_of=club, created_at=timezone.now())
    assert browser_of(director).get(page_of(practice))["Location"] == page_of(club)


def test_trials_are_limited(club, director, webhook):
    now = timezone.now()
    for _number in range(MOST_TRIALS):
        try_webhook(club, webhook.pk, by=director, now=now)
    with pytest.raises(WebhookRefused, match="webhook_too_many_trials"):
        try_webhook(club, webhook.pk, by=director, now=now)
    try_webhook(club, webhook.pk, by=director, now=now + dt.timedelta(hours=2))


def test_old_calls_are_deleted_and_new_ones_stay(webhook):
    now = timezone.now()
    for number, days in enumerate((31, 29), start=1):
        then = now - dt.timedelta(days=days)
        webhook.calls.create(event="trial", kind="trial", owner=0, version=number, made_at=then)
    forget_what_is_over(now)
    assert [call.version for call in WebhookCall.objects.all()] == [2]


def test_database_refuses_two_calls_about_one_version_and_a_webhook_without_event(webhook):
    told = {"event": "published", "kind": "session", "owner": 1, "version": 1, "made_at": timezone.now()}
    webhook.calls.create(**told)
    with pytest.raises(IntegrityError), transaction.atomic():
        webhook.calls.create(**told)
    silent = dict.fromkeys(("on_published", "on_corrected", "on_official", "on_withdrawn"), False)
    with pytest.raises(IntegrityError), transaction.atomic():
        Webhook.objects.update(**silent)


def test_log_and_mail_have_the_host_of_an_address_alone(club, director, webhook, settings, mails_at_once):
    settings.MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    EmailAddress.objects.create(user=director, email="d@example.org", verified=True, primary=True)
    secret = "https://hooks.example:8443/T0/geheim?token=geheim"
    change_webhook(club, webhook.pk, WebhookGiven(secret, frozenset(EVENTS)), by=director, now=timezone.now())
    try_webhook(club, webhook.pk, by=director, now=timezone.now())
    renew_webhook_secret(club, webhook.pk, by=director, now=timezone.now())
    for on in (False, True):
        switch_webhook(club, webhook.pk, on=on, by=director, now=timezone.now())
    webhook.refresh_from_db()
    assert webhook.url == secret
    switch_dead_webhook_off(webhook, timezone.now())
    mail_about_dead_webhook(webhook, timezone.now())
    remove_webhook(club, webhook.pk, by=director, now=timezone.now())
    lines = [say_entry(row) for row in club.log.order_by("pk")]
    assert len(lines) == 8
    assert [line for line in lines if "geheim" in line or "/T0" in line] == []
    assert sum("https://hooks.example:8443" in line for line in lines) == 7
    assert "geheim" not in mail.outbox[0].body
    assert "https://hooks.example:8443" in mail.outbox[0].body


def test_webhook_that_gets_more_events_is_told_only_of_what_happens_from_then_on(club, director, webhook):
    less, more = (webhook.since + dt.timedelta(days=days) for days in (1, 2))
    change_webhook(club, webhook.pk, WebhookGiven(URL, frozenset({"published"})), by=director, now=less)
    assert Webhook.objects.get().since == webhook.since
    change_webhook(club, webhook.pk, WebhookGiven(URL, ALL), by=director, now=more)
    assert Webhook.objects.get().since == more
