"""The form for notes that an arbiter fixes: a button fills in the usual ones; without scripts they are typed."""

import pytest
from playwright.sync_api import expect

from pages.doors import session_url
from tests.browser.conftest import LAPTOP
from tests.browser.test_evening import log_in
from tests.factories import enter_all, make_director, started_session
from tournaments.models import Ruling

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


@pytest.fixture
def address():
    session = started_session()
    enter_all(session, by=make_director(session.tournament.club))
    return session_url("play_adjust", session, session.plays.order_by("pk").first().pk)


def values(page):
    names = [f"{what}_{side}" for side in ("attack", "defence") for what in ("fix", "note")]
    return [page.locator(f"[name={name}]").input_value() for name in names]


def test_button_fills_both_notes_and_clears_those_of_players(open_page, address):
    with open_page(LAPTOP) as page:
        log_in(page, "directrice")
        page.goto(address)
        page.evaluate("document.querySelector('[name=fix_N]').value = 'figure'")
        page.evaluate("document.querySelector('[name=note_N]').value = '10'")
        for fill in ("40/60", "60/60", "60/40"):
            page.focus(f"[data-fill='{fill}']")
            page.keyboard.press("Enter")
            attack, defence = fill.split("/")
            assert values(page) == ["figure", attack, "figure", defence]
        assert page.locator("[name=note_N]").input_value() == ""
        page.fill("[name=reason]", "Étui mal refait")
        page.keyboard.press("Enter")
        page.wait_for_selector("[name=apply]")
        page.keyboard.press("Enter")
        page.wait_for_selector(".notice")
        ruling = Ruling.objects.get()
        assert sorted(ruling.notes.values()) == ["40", "40", "40", "60"]


def test_without_scripts_no_button_stands_there_and_notes_are_typed(open_page, address):
    with open_page(LAPTOP, scripts=False) as page:
        log_in(page, "directrice")
        page.goto(address)
        expect(page.locator("[data-fills]")).to_be_hidden()
        page.select_option("[name=fix_attack]", "figure")
        page.fill("[name=note_attack]", "60")
