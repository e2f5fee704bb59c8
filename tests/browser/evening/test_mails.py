"""The page on which a director writes to the people who signed up, in a browser: two widths and languages, progress."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from pages.doors import session_url
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import log_in
from tests.browser.test_languages import choose_language
from tests.outgoing.mailing.evening import make_evening, sign_up, write
from tournaments.models import EveningMail, EveningMailRecipient

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
LONG = "de La Rochefoucauld-Montmorency-Bouteville"


@pytest.fixture
def session(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    session = make_evening(places=3)
    for name in ("Adam", "Brun", "Élisabeth"):
        sign_up(session, name)
    sign_up(session, LONG, user=False)
    return session


def test_director_previews_and_sends_by_keyboard(phone, session):
    log_in(phone, "directrice")
    phone.goto(session_url("evening_mails", session))
    faults = {"form": axe(phone)}
    phone.get_by_label("La séance a lieu à un autre moment").focus()
    phone.keyboard.press("Space")
    phone.get_by_label("Votre texte").fill("La salle est fermée.\n" + "x" * 80)
    phone.get_by_role("button", name="Voir un aperçu du courriel").press("Enter")
    expect(phone.get_by_text(LONG)).to_be_visible()
    faults["preview"] = axe(phone)
    assert width_of(phone) <= PHONE[0]
    phone.get_by_role("button", name="Envoyer 3 courriels").press("Enter")
    expect(phone.get_by_text("3 envoyés sur 3")).to_be_visible()
    faults["sent"] = axe(phone)
    assert width_of(phone) <= PHONE[0]
    assert {name: found for name, found in faults.items() if found} == {}
    assert EveningMail.objects.get().ended_at is not None


def test_progress_moves_by_itself(laptop, session, monkeypatch):
    monkeypatch.setattr("outgoing.mailing.evenings.queue_evening_mail", lambda pk: None)
    mail = write(session)
    log_in(laptop, "directrice")
    laptop.goto(session_url("evening_mails", session))
    choose_language(laptop, "en")
    expect(laptop.get_by_text("0 of 3")).to_be_visible()
    EveningMailRecipient.objects.filter(pk=mail.recipients.first().pk).update(outcome="sent")
    expect(laptop.get_by_text("1 of 3")).to_be_visible()
    mail.recipients.update(outcome="sent")
    EveningMail.objects.update(ended_at=timezone.now())
    expect(laptop.get_by_text("3 of 3 sent")).to_be_visible()


@pytest.mark.parametrize("language", ["fr", "en"])
def test_page_without_scripts_fits_both_widths(open_page, session, language):
    with open_page(PHONE, scripts=False) as page:
        log_in(page, "directrice")
        page.goto(session_url("evening_mails", session))
        choose_language(page, language)
        for width, height in (PHONE, LAPTOP):
            page.set_viewport_size({"width": width, "height": height})
            page.locator("#id_kind_0").check()
            page.locator("button[value=preview]").click()
            expect(page.locator("#preview")).to_contain_text("Adam")
            assert page.locator("#preview").bounding_box()["width"] <= width
