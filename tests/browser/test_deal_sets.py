"""The pages of deal sets in a real browser: creating, typing with checks, printing in parts, verifying."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from deals.domain.deal import dumps
from deals.domain.dealing import deal_etui
from deals.sets import create_deal_set, create_set_dealt_at_table, reveal_deal_set, seal_deal_set
from tests.browser.devices import width_of
from tests.browser.test_evening import log_in
from tests.factories import SEED, make_club

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
SETS = "/clubs/club/etuis/"


@pytest.fixture
def club():
    return make_club()


def fits(page: Page) -> bool:
    return width_of(page) <= page.viewport_size["width"]


def test_director_makes_and_seals_a_set_on_a_phone(phone, director, club):
    log_in(phone, "directrice")
    phone.goto(f"{SETS}new/")
    phone.fill("[name=name]", "Été")
    expect(phone.locator("[name=value_name]")).to_be_visible()
    phone.check("[name=how][value=table]")
    expect(phone.locator("[name=value_name]")).to_be_hidden()
    phone.check("[name=how][value=generated]")
    assert fits(phone)
    phone.locator("main form button").first.click()
    expect(phone.locator("h1")).to_have_text("Été")
    phone.locator("form[action$='/seal/'] button").click()
    expect(phone.locator(".digest code")).to_have_text(club.deal_sets.get().commitment)
    assert fits(phone)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "laptop"])
def test_check_follows_what_is_typed(open_page, director, club, size):
    table = create_set_dealt_at_table(club=club, name="Tables", count=1, now=timezone.now(), by=None)
    deal = dumps(deal_etui(SEED, 1).deal)
    with open_page(size) as page:
        log_in(page, "directrice")
        page.goto(f"{SETS}{table.pk}/type/1/")
        for place, hand in zip([*"NESW", "chien"], deal.split(" "), strict=True):
            page.fill(f"[name={place}]", hand)
        expect(page.locator("#typed .state-done")).to_have_count(6)
        page.fill("[name=N]", "T8732.R8.9.T96.17-10-8-7-5*")
        expect(page.locator("#typed .literal")).to_have_text("4")
        expect(page.locator("[name=N]")).to_be_focused()
        assert fits(page)
        page.fill("[name=N]", deal.split(" ")[0])
        page.locator("main form button").click()
        expect(page.locator("h1")).to_have_text("Tables")
    assert table.etuis.get().cards == deal


def test_parts_tell_which_are_done(laptop, director, club):
    large = create_deal_set(club=club, name="Grand", count=150, now=timezone.now(), by=None, seed=SEED)
    log_in(laptop, "directrice")
    laptop.goto(f"{SETS}{large.pk}/print/")
    laptop.locator("main form button").first.click()
    laptop.wait_for_url("**/print/?**")
    with laptop.expect_download() as download:
        laptop.click("#part-145")
    assert download.value.suggested_filename == "grand-diagrams-145-150.pdf"
    expect(laptop.locator("#parts .state-done")).to_have_count(1)


@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "laptop"])
def test_public_pages_fit_and_break_nothing(open_page, director, club, size):
    deal_set = create_deal_set(club=club, name="x", count=36, now=timezone.now(), by=None, profile="garde-1")
    seal_deal_set(deal_set=deal_set, now=timezone.now())
    reveal_deal_set(deal_set=deal_set, now=timezone.now())
    with open_page(size) as page:
        for address in ("/verify/", f"/verify/{deal_set.commitment}/", "/profiles/garde-1/"):
            page.goto(address)
            assert fits(page)
        assert page.locator(".profile-chart").count() == 3
