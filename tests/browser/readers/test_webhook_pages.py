"""The pages of webhooks in a real browser: long addresses on a phone and on a laptop, in both languages."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Webhook
from outgoing.webhooks.setup import EVENTS, WebhookGiven, make_webhook
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import log_in
from tests.browser.test_languages import switch
from tests.factories import make_club, make_director

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
LONG = "https://www.club-de-tarot-montmorency-vaudreuil.example/" + "classements" * 20 + "?cle=" + "x" * 60


@pytest.fixture
def webhook():
    """Return a webhook that is switched off, with a long address and calls of each kind."""
    club = make_club()
    given = WebhookGiven(LONG, frozenset(EVENTS))
    webhook, _secret = make_webhook(club, given, by=make_director(club), now=timezone.now())
    now = timezone.now()
    told = {"kind": "session", "owner": 1, "made_at": now, "tried_at": now}
    webhook.calls.create(event="published", version=1, tries=1, code=204, **told)
    webhook.calls.create(event="corrected", version=2, tries=2, code=503, fault="answer", next_at=now, **told)
    webhook.calls.create(event="official", version=3, tries=5, fault="redirect", code=301, **told)
    Webhook.objects.update(off_at=now, off_reason="unreached")
    return webhook


def test_no_page_of_webhooks_scrolls_sideways_in_either_language(phone, webhook):
    log_in(phone, "directrice")
    place = [webhook.club.slug]
    addresses = [reverse("webhooks", args=place), reverse("webhook", args=[*place, webhook.pk])]
    wide = []
    for language in ("fr", "en"):
        if language == "en":
            switch(phone, language)
        for address in addresses:
            phone.goto(address)
            assert phone.get_attribute("html", "lang") == language
            for width, height in (LAPTOP, PHONE):
                phone.set_viewport_size({"width": width, "height": height})
                if width_of(phone) > width:
                    wide.append((language, address, width))
            assert axe(phone) == []
    assert wide == []


def test_webhook_is_made_by_keyboard_and_its_secret_is_shown(phone, webhook):
    log_in(phone, "directrice")
    phone.goto(reverse("webhooks", args=[webhook.club.slug]))
    phone.get_by_label("Adresse").fill("club.example/topage")
    phone.keyboard.press("Enter")
    phone.get_by_text("Voici le secret du webhook").wait_for()
    assert width_of(phone) <= PHONE[0]
    assert Webhook.objects.filter(url="https://club.example/topage").exists()
