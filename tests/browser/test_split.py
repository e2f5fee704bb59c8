"""The form by which a director splits an étui within a position, by the keyboard, on a phone."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from evenings.standings import computing
from pages.doors import session_url
from tests.browser.conftest import PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import log_in
from tests.factories import enter_all, make_director, started_session
from tournaments.models import EtuiRuling

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def test_tables_that_played_before_are_ticked_by_the_keyboard(phone, db):
    session = started_session()
    enter_all(session, by=make_director(session.tournament.club))
    plays = session.plays.filter(etui__number=1).order_by("position", "table__number")
    plays.filter(position__in=(2, 3, 4)).update(position=2)
    for player in session.tournament.club.players.all():
        player.first_name = "Marie-Françoise de La Rochefoucauld"
        player.save()
    computing.refresh(session.pk, now=timezone.now())
    log_in(phone, "directrice")
    phone.goto(session_url("live_etui", session, 1))
    phone.get_by_text("Décisions sur cet étui").click()
    phone.get_by_label("Faussé à partir de la position").focus()
    phone.keyboard.press("2")
    phone.keyboard.press("Tab")
    phone.keyboard.press("Space")
    expect(phone.locator('input[name="before"]').first).to_be_checked()
    assert width_of(phone) <= PHONE[0]
    assert axe(phone) == []
    phone.get_by_label("Motif").fill("Carte égarée")
    phone.get_by_role("button", name="Le comparer séparément").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Comparer l’étui 1 séparément ?")
    assert width_of(phone) <= PHONE[0]
    assert axe(phone) == []
    assert not EtuiRuling.objects.exists()
    phone.get_by_role("button", name="Appliquer").click()
    expect(phone.get_by_text("après son passage à la table")).to_be_visible()
    ruling = EtuiRuling.objects.get()
    table = plays.filter(position=2).first().table.number
    assert (ruling.from_position, ruling.played_before) == (2, [table])
