"""The lobby of rooms in a real browser: two widths, two languages, by keyboard, without scripts."""

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from rooms.models import RoomSeat, Visitor
from rooms.visitors.finding import VISITOR_COOKIE
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_languages import choose_language
from tests.rooms.lobby_world import ETUIS, draw_same_seeds, make_lobby_world
from tests.rooms.tables import NOON

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
LONG = "Jean-Baptiste de La Rochefoucauld-Lianco"


@pytest.fixture
def world(monkeypatch, settings):
    """Return the world at noon, in which a guest has a long name."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
    settings.ROOMS, settings.ROOM_LEVEL, settings.ROOM_ETUIS = True, 0, ETUIS
    draw_same_seeds(monkeypatch)
    made = make_lobby_world()
    Visitor.objects.filter(pk=made.visitors["guest"].pk).update(name=LONG)
    return made


@pytest.fixture
def pages(world):
    return {
        "lobby": reverse("rooms"),
        "to come": reverse("room", args=[world.next.pk]),
        "open": reverse("room", args=[world.open.pk]),
        "closed": reverse("room", args=[world.closed.pk]),
        "étui": reverse("room_etui", args=[world.closed.pk, 1]),
        "me": reverse("rooms_me"),
        "best": reverse("rooms_best"),
        "account": reverse("rooms_account"),
    }


def be_guest(page, world):
    """Let the browser be the guest's device."""
    cookie = world.clients["guest"].cookies[VISITOR_COOKIE].value
    page.goto(reverse("favicon"))
    page.context.add_cookies([{"name": VISITOR_COOKIE, "value": cookie, "url": page.url}])


@pytest.mark.parametrize("language", ["fr", "en"])
def test_pages_of_rooms_fit_both_widths_and_axe_finds_no_fault(phone, world, pages, language):
    be_guest(phone, world)
    phone.goto(pages["lobby"])
    if language == "en":
        choose_language(phone, "en")
    wide, faults = {}, {}
    for name, url in pages.items():
        phone.goto(url)
        faults[name] = axe(phone)
        for width, height in (PHONE, LAPTOP):
            phone.set_viewport_size({"width": width, "height": height})
            wide[name, width] = width_of(phone) > width
        phone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert {where for where, is_wide in wide.items() if is_wide} == set()
    assert {name: found for name, found in faults.items() if found} == {}


def test_countdown_stands_beside_the_hour(phone, world, pages):
    phone.goto(pages["lobby"])
    until = phone.locator(".room-main .room-until")
    expect(until).to_contain_text("13:29")
    expect(until.locator("[data-until]")).to_have_text(re.compile(r"· encore 2[34]:\d\d"))


def test_stranger_joins_by_keyboard_alone(phone, world, pages):
    phone.goto(pages["lobby"])
    name = phone.get_by_label("Votre nom ici").first
    expect(name).not_to_have_value("")
    name.focus()
    phone.keyboard.press("ControlOrMeta+a")
    phone.keyboard.type("Zoé")
    phone.keyboard.press("Tab")
    expect(phone.get_by_role("button", name="Jouer maintenant").first).to_be_focused()
    phone.keyboard.press("Enter")
    phone.wait_for_url("**/play/**")
    assert RoomSeat.objects.filter(room=world.open, visitor__name="Zoé").count() == 1


def test_lobby_works_without_scripts(open_page, world, pages):
    with open_page(PHONE, scripts=False) as page:
        page.goto(pages["lobby"])
        expect(page.locator(".room-main .room-until time")).to_have_text("13:29")
        expect(page.locator("[data-until]").first).to_be_hidden()
        page.get_by_label("Votre nom ici").first.fill("@")
        page.get_by_role("button", name="Jouer maintenant").first.click()
        expect(page.get_by_text("Choisissez un nom d’au moins 2 lettres.")).to_be_visible()
        page.get_by_label("Votre nom ici").fill("Merle")
        page.get_by_role("button", name="Jouer maintenant").click()
        page.wait_for_url("**/play/**")
    assert Visitor.objects.filter(name="Merle").exists()


def test_replay_of_a_table_moves_card_by_card(phone, world, pages):
    be_guest(phone, world)
    phone.goto(pages["étui"])
    said = phone.locator("[data-said]")
    before = said.text_content()
    phone.get_by_role("button", name="Carte suivante").click()
    expect(said).not_to_have_text(before)
    assert LONG in phone.get_by_label("Table à revoir").text_content()


def test_second_tap_makes_no_second_guest(phone, world, pages):
    phone.goto(pages["lobby"])
    before = Visitor.objects.count()
    phone.get_by_role("button", name="Jouer maintenant").first.dblclick()
    phone.wait_for_url("**/play/**")
    assert Visitor.objects.count() == before + 1
