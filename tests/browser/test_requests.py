"""A correction, from the code on a guide card to the next version of the ranking, on a phone, in few taps."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from pages.doors import session_url
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import Table, axe, width_of
from tests.browser.test_evening import log_in
from tests.evenings.requests.world import Four, only
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_director, make_tournament, published_session
from tests.services.waiting import PATIENCE, wait_until
from tournaments.models import RequestAnswer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

MOST_TAPS = 4


class Finger:
    """A finger on a phone's page, with its taps counted. Wide pages and faults of accessibility fail the test."""

    def __init__(self, page, address):
        self.page, self.taps = page, 0
        page.goto(address)

    def tap(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()
        self.taps += 1

    def looks_well(self):
        assert width_of(self.page) <= self.page.viewport_size["width"]
        assert axe(self.page) == []


@pytest.fixture
def four():
    tournament = make_tournament()
    session = published_session(tournament, by=make_director(tournament.club), cards=True)
    play = session.plays.filter(entries__kind="facts").select_related("etui", "table").order_by("pk").first()
    return Four(session, play)


def own_page(link):
    return reverse("personal", args=[link.token])


def ask(finger, etui):
    """Fill in the request on the scanned page, and send it."""
    finger.page.get_by_role("link", name=re.compile(rf"Signaler une erreur.*étui {etui}$")).click()
    finger.taps += 1
    finger.page.get_by_label("Le score est faux").check()
    finger.taps += 1
    finger.tap("Envoyer au directeur")


def test_request_three_agreements_decision_and_next_version(open_page, phone, four):
    etui = four.play.etui.number
    finger = Finger(phone, own_page(four.asker))
    finger.looks_well()
    ask(finger, etui)
    expect(phone.get_by_text("le directeur n’a pas encore décidé")).to_be_visible()
    assert finger.taps <= MOST_TAPS
    finger.looks_well()
    assert only().text == "Le score est faux"

    for link in four.others:
        with open_page(PHONE) as page:
            other = Finger(page, own_page(link))
            other.looks_well()
            other.tap("Je suis d’accord")
            expect(page.get_by_text("Vous êtes d’accord", exact=True)).to_be_visible()
            assert other.taps == 1

    with open_page(LAPTOP) as page:
        log_in(page, "directrice")
        page.goto(session_url("session", four.session))
        page.locator("#to-requests").click()
        page.get_by_role("link", name=f"Étui {etui}, position", exact=False).click()
        expect(page.get_by_text("est d’accord", exact=True)).to_have_count(3)
        Finger(page, page.url).looks_well()
        page.locator("#grant").click()
        expect(page.locator("#id_reason")).to_have_value(
            f"Demandé par {four.asker.entrant.name} : Le score est faux".replace(" :", "\N{NO-BREAK SPACE}:")
        )
        page.locator("#id_points").fill("61")
        expect(page.locator("#preview")).to_contain_text("+90")
        assert axe(page) == []  # with the players who move in the ranking
        page.locator("#save").click()
        expect(page).to_have_url(re.compile("/requests/$"))
        page.goto(session_url("publish", four.session))
        page.locator("main form button.button-primary").first.click()
        expect(page).to_have_url(re.compile("/ranking/"))
    assert only().accepted
    assert four.session.publications.first().version == 2

    phone.goto(own_page(four.asker))
    expect(phone.get_by_text("Accordée", exact=True)).to_be_visible()
    finger.looks_well()
    told = Finger(phone, session_url("versions", four.session))
    expect(phone.locator("main")).to_contain_text(
        re.compile(rf"Étui {etui}, table {four.play.table.number}\s: \S+ devient \+90")
    )
    told.looks_well()


def test_without_scripts_and_by_the_keyboard_alone_it_is_sent_too(open_page, four):
    with open_page((390, 844), scripts=False) as page:
        page.goto(reverse("personal_play", args=[four.asker.token, four.play.pk]))
        page.locator("input[name=what]").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.type("C’était Zoé")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.get_by_text("le directeur n’a pas encore décidé")).to_be_visible()
    assert only().text == "Le preneur est faux – C’était Zoé"


def test_the_tables_own_phone_tells_it_and_takes_the_others_words(table, four):
    session = four.session
    request = four.ask()
    with table(reverse("table_screen", args=[tokens_of(session)[four.play.table.number]])) as phone:
        assert isinstance(phone, Table)
        expect(phone.page.get_by_text(request.text)).to_be_visible()
        assert axe(phone.page) == []
        phone.page.locator("[data-key^='agrees-']").first.click()
        expect(phone.page.locator("[data-key^='agrees-']").first).to_have_attribute("aria-pressed", "true")
        wait_until(RequestAnswer.objects.exists, PATIENCE, "the site has heard it")
    assert [(word.agrees, bool(word.device)) for word in RequestAnswer.objects.all()] == [(True, True)]
