"""An evening with fees and prizes in the browser, in both languages: payments, giving back, prizes, the sheet."""

import pytest
from django.utils import timezone

from clubs.house import change_settings
from pages.doors import session_url
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import log_in
from tests.browser.test_languages import choose_language
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session
from tournaments.models import Payment, PrizeHanded

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

PHONE = (390, 844)
LONG = "Montgolfier-Saint-Exupéry de la Roche-Guyon"
AMOUNTS = {"fr": ("12,50\u00a0€", "40,00\u00a0€"), "en": ("€12.50", "€40.00")}


@pytest.fixture
def club():
    club = make_club()
    club.by = make_director(club)
    change_settings(club, {"keeps_cash": True}, now=timezone.now(), by=club.by)
    return club


@pytest.fixture
def session(club):
    session = draft_session(make_tournament(club))
    set_registration(accepts_at_once=True, session_id=session.pk, by=club.by, now=timezone.now())
    for name in (LONG, "Petit"):
        register(session_id=session.pk, asked=NewApplicant(name, "Zoé"), now=timezone.now())
    return session


def look_at(page, session, name):
    """Open a page of the cash box. Check that it fits on a phone and that a screen reader can read it."""
    page.goto(session_url(name, session))
    assert width_of(page) <= PHONE[0]
    assert axe(page) == []


@pytest.mark.parametrize("language", ["fr", "en"])
def test_an_evening_with_fees_and_prizes(open_page, club, session, language):
    won = published_session(make_tournament(club, name="Finale"), by=club.by)
    fee, prize = AMOUNTS[language]
    with open_page(PHONE) as page:
        log_in(page, club.by.username)
        page.goto(session_url("cash_fees", session))
        choose_language(page, language)
        look_at(page, session, "cash_fees")
        page.fill("[name=name]", "Plein tarif")
        page.fill("[name=cents]", "12,50")
        page.click("#fee .button-primary")
        page.wait_for_selector(f"li:has-text('{fee}')")
        look_at(page, session, "cash")
        page.click(f"#expected li:has-text('{LONG}') button[name=fee]")
        page.wait_for_selector(f"#paid li:has-text('{LONG}')")
        assert list(Payment.objects.values_list("cents", "turn")) == [(1250, 0)]
        page.click(f"#paid li:has-text('{LONG}') a.button")
        page.fill("#back-reason", "malade")
        page.click("#paid .button-danger")
        page.wait_for_selector(f"#owing li:has-text('{LONG}')")
        assert axe(page) == []
        page.click(f"#owing li:has-text('{LONG}') button[name=fee]")
        page.wait_for_selector(f"#paid li:has-text('{LONG}')")
        assert sorted(Payment.objects.values_list("cents", flat=True)) == [-1250, 1250, 1250]
        look_at(page, session, "cash_sheet")
        page.fill("[name=counted]", "112,50")
        page.fill("[name=float_cents]", "100")
        page.click("#count .button-primary")
        page.wait_for_selector(".notice-success")
        assert fee in page.inner_text("main")
        look_at(page, won, "cash_prizes")
        page.fill("[name=added]", "100")
        page.fill("[name=lines]", "1: 40 %\n2: 40 %")
        page.click("#plan button.button")
        page.wait_for_selector(f"#prizes li:has-text('{prize}') button[name=seen]")
        page.click("#prizes li button.button-primary")
        page.wait_for_selector("#prizes .state-done")
        assert axe(page) == []
        assert width_of(page) <= PHONE[0]
        assert PrizeHanded.objects.get().cents == 4000
