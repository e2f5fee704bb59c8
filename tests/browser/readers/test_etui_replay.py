"""The replay on the page of an étui in a real browser: one table, two side by side, without a script, on paper."""

import pytest
from playwright.sync_api import expect

from clubs.models import Player
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.factories import make_director, make_tournament, started_session
from tests.pages.public.test_etui_replay import record_evening, recorded_plays
from tests.pages.public.test_pages import address

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
TABLE = "[data-row]:not(.is-away)"


@pytest.fixture
def session():
    tournament = make_tournament()
    session = record_evening(started_session(tournament, cards=True), make_director(tournament.club))
    for player in Player.objects.filter(entries__session=session):
        player.last_name = f"{'W' * 50}{player.pk}"  # a name without a place to break the line
        player.save()
    return session


def url_of(session):
    return address("published_etui", session, version=1, etui=1)


def test_table_is_chosen_and_compared_by_keyboard(laptop, session):
    whole, part, _lead = recorded_plays(session)
    laptop.goto(url_of(session))
    expect(laptop.locator("[data-played]:not(.to-come)").first).to_be_visible()
    assert laptop.locator(".replay-hand:visible").count() == 4
    laptop.locator("#replay-beside").focus()
    laptop.keyboard.press("ArrowDown")
    laptop.keyboard.press("ArrowDown")
    laptop.keyboard.press("Tab")
    laptop.keyboard.press("Enter")
    laptop.wait_for_url(f"**?replay={whole.pk}&beside=*")
    beside = laptop.locator("#replay-beside").input_value()
    expect(laptop.locator(".replay-parting")).to_be_visible()
    expect(laptop.locator(f"{TABLE} .round")).to_have_count(2)
    laptop.locator("[data-go=trick-on]").focus()
    laptop.keyboard.press("Enter")
    laptop.keyboard.press("Shift+ArrowRight")
    laptop.wait_for_url(f"**?replay={whole.pk}&beside={beside}#trick-2")
    assert part.pk != whole.pk


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_one_table_and_two_fit_and_axe_finds_nothing(phone, session, size):
    whole, part, lead = recorded_plays(session)
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    for asked in (f"?replay={whole.pk}#trick-5", f"?replay={whole.pk}&beside={part.pk}#trick-3", f"?replay={lead.pk}"):
        phone.goto(url_of(session) + asked)
        expect(phone.locator(f"{TABLE} .round").first).to_be_visible()
        assert axe(phone) == []
        assert width_of(phone) <= size[0]


def test_link_to_a_trick_names_its_table_and_opens_it(phone, session):
    whole = recorded_plays(session)[0]
    phone.goto(url_of(session))
    phone.locator("[data-choose]").select_option("Pli 4")
    expect(phone.locator(f"{TABLE} .round > li:not(.to-come)")).to_have_count(4)
    told = phone.url
    assert told.endswith(f"?replay={whole.pk}#trick-4")
    phone.goto("about:blank")
    phone.goto(told)
    expect(phone.locator("#trick-4")).to_be_visible()
    expect(phone.locator("[data-choose]")).to_be_in_viewport()
    expect(phone.locator("#trick-3")).to_be_hidden()


def test_without_a_script_and_on_paper_every_trick_is_there(open_page, session):
    whole, part, _lead = recorded_plays(session)
    with open_page(PHONE, scripts=False) as page:
        page.goto(url_of(session))
        page.locator(".lead-found a").first.click()
        page.wait_for_url("**?replay=*#replay")
        page.goto(url_of(session) + f"?replay={whole.pk}")
        expect(page.locator("[data-row]:visible")).to_have_count(18)
        expect(page.locator(".replay .so-far:visible")).to_have_count(18)
        page.locator("#replay-beside").select_option(str(part.pk))
        page.locator(".replay-form button").click()
        expect(page.locator(".round:visible")).to_have_count(21)
        assert width_of(page) <= PHONE[0]
    with open_page(LAPTOP) as page:
        page.goto(url_of(session))
        page.emulate_media(media="print")
        expect(page.locator("[data-row]:visible")).to_have_count(18)
        assert page.locator(".round").last.bounding_box()["width"] > 150
        assert width_of(page) <= LAPTOP[0]
