"""A deal replayed trick by trick in a page of the handbook: by keyboard alone, with motion or not, without a script."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
FIRST, SECOND = "#petit-hunted-trick-14", "#petit-hunted-trick-15"
DURATION = "getComputedStyle(document.querySelector('.is-last')).animationName"


def open_petit(page, anchor=""):
    page.goto(reverse("rules_page", args=["petit"]) + anchor)


def played(page):
    """Return the cards on the table, as text, in the order played."""
    cards = page.locator("[data-replay] [data-row]:not(.is-away) [data-played]:not(.to-come)")
    return [card.get_attribute("data-played") for card in cards.all()]


def test_deal_is_gone_through_by_keyboard_alone(phone):
    open_petit(phone)
    assert played(phone) == ["17"]
    phone.locator("[data-go=on]").focus()
    phone.keyboard.press("Enter")
    assert played(phone) == ["17", "6"]
    expect(phone.locator("[data-said]")).to_have_text("Ouest\N{NO-BREAK SPACE}: 6 d’atout.")
    assert phone.locator(".to-play .is-legal").evaluate_all("all => all.map(each => each.dataset.card)") == ["14", "1"]
    phone.keyboard.press("ArrowLeft")
    assert played(phone) == ["17"]
    phone.keyboard.press("Shift+ArrowRight")
    assert played(phone) == ["17", "6", "14", "10"]
    expect(phone.locator("[data-said]")).to_have_text("Est\N{NO-BREAK SPACE}: 10 d’atout. Nord fait le pli.")
    phone.keyboard.press("End")
    assert played(phone) == ["20", "12", "1", "♣8"]
    assert phone.url.endswith(SECOND)
    phone.keyboard.press("ArrowRight")
    expect(phone.locator("[data-go=on]")).to_have_attribute("aria-disabled", "true")
    phone.keyboard.press("Home")
    assert played(phone) == []
    expect(phone.locator("[data-said]")).to_have_text("Pli 14. Nord doit jouer.")
    phone.locator("[data-choose]").select_option("Pli 15")
    assert played(phone) == ["20", "12", "1", "♣8"]


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_replay_fits_and_axe_finds_nothing(phone, size, scheme):
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    phone.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    open_petit(phone, FIRST)
    assert played(phone) == ["17", "6", "14", "10"]
    phone.locator("[data-go=back]").click()
    assert axe(phone) == []
    assert width_of(phone) <= size[0]


def test_card_moves_only_for_readers_who_want_motion(phone):
    phone.emulate_media(reduced_motion="no-preference")
    open_petit(phone)
    assert phone.evaluate(DURATION) == "card-played"
    phone.emulate_media(reduced_motion="reduce")
    assert phone.evaluate(DURATION) == "none"


def test_finger_swipes_to_the_next_card(phone):
    open_petit(phone)
    swipe = """(element, across) => {
        const at = (x) => [new Touch({ identifier: 1, target: element, clientX: x, clientY: 300 })];
        const send = (name, touches, changedTouches) =>
            element.dispatchEvent(new TouchEvent(name, { bubbles: true, touches, changedTouches }));
        send("touchstart", at(200), at(200));
        send("touchend", [], at(200 + across));
    }"""
    table = phone.locator("[data-row]:not(.is-away) .round")
    table.evaluate(swipe, -80)
    assert played(phone) == ["17", "6"]
    table.evaluate(swipe, 80)
    assert played(phone) == ["17"]
    table.evaluate(swipe, -20)
    assert played(phone) == ["17"]


def test_address_of_a_trick_opens_it(phone):
    open_petit(phone, SECOND)
    assert played(phone) == ["20", "12", "1", "♣8"]
    phone.evaluate(f"location.hash = '{FIRST}'")
    expect(phone.locator(FIRST)).to_be_visible()
    assert played(phone) == ["17", "6", "14", "10"]


def test_without_a_script_and_on_paper_every_trick_is_there(open_page):
    with open_page(PHONE, scripts=False) as page:
        open_petit(page)
        for anchor in (FIRST, SECOND):
            expect(page.locator(f"{anchor} .round > li")).to_have_count(4)
            expect(page.locator(anchor)).to_be_visible()
        expect(page.locator("[data-bar]")).to_be_hidden()
        page.locator(f"{FIRST} summary").click()
        expect(page.locator(f"{FIRST} [data-legal='6']")).to_have_text("12 6")
        assert width_of(page) <= PHONE[0]
    with open_page(LAPTOP) as page:
        open_petit(page)
        page.emulate_media(media="print")
        expect(page.locator(f"{SECOND} .round > li").last).to_be_visible()
        expect(page.locator("[data-bar]")).to_be_hidden()
