"""The links that people are given, whose pages have forms: a browser can send them, even if it hides its origin."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from clubs.accounts.players import make_player_link
from clubs.house import change_settings
from registration.people.applicants import NewApplicant
from registration.people.registration import register, set_registration
from tests import shared_evenings
from tests.factories import draft_session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


@pytest.fixture
def session():
    return draft_session()


director = shared_evenings.director_of_session


def test_who_has_put_himself_down_withdraws(phone, session, director):
    set_registration(accepts_at_once=True, session_id=session.pk, by=director, now=timezone.now())
    applicant = register(session_id=session.pk, asked=NewApplicant("Aubert"), now=timezone.now())
    phone.goto(reverse("registered", args=[applicant.token]))
    phone.locator("main a[href*='?withdraw']").click()
    assert applicant.withdrawn_at is None  # the page asks once before it withdraws anybody
    phone.locator("main form button").click()
    expect(phone.locator("main form")).to_have_count(0)
    applicant.refresh_from_db()
    assert applicant.withdrawn_at is not None


def test_who_has_an_account_already_logs_in_from_his_link(phone, session, director):
    club = session.tournament.club
    change_settings(club, {"player_accounts": "open"}, now=timezone.now(), by=director)
    token = make_player_link(club.players.first(), now=timezone.now(), by=director)
    phone.goto(reverse("player_link", args=[token]))
    phone.locator("button[name=log_in]").click()
    expect(phone.locator("#id_username")).to_be_visible()
