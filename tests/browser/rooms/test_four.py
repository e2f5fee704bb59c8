"""A table for four in four browsers: everybody sits at the bottom, one leaves and comes back, a phrase is heard."""

import datetime as dt

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from deals.domain.cards import Seat
from referee.terms import DealPhase
from rooms.classic.looking import say_phrase
from rooms.classic.sitting import take_seat
from rooms.models import Game, RoomSeat
from rooms.visitors.finding import VISITOR_COOKIE
from rooms.visitors.guests import make_guest
from tests.browser.conftest import LAPTOP
from tests.browser.devices import axe, width_of
from tests.rooms.classic.fours import Four, make_room_for_four
from tests.rooms.conftest import same_seeds  # noqa: F401

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
PHONE = (390, 844)
NAMES = {"S": "Zoé", "N": "Marc-Antoine de la Fontaine-Dubreuil", "E": "Inès", "W": "Paul"}
QUICK = "localStorage.setItem('topage-room-quick', 'yes')"
LEGAL = "[data-play] button[name=move]:not([aria-disabled])"


@pytest.fixture(autouse=True)
def _with_rooms(settings):
    settings.ROOMS = True


@pytest.fixture
def four():
    """Return the id of a table with four guests, and their cookies by seat."""
    now = timezone.now()
    room, tokens, table = make_room_for_four(now, clock=0), {}, None
    for letter, name in NAMES.items():
        visitor, tokens[letter] = make_guest(name=name, now=now)
        where = (table and table.number, letter)
        table = take_seat(room_id=room.pk, visitor=visitor, now=now, where=where, link=room.terms.link)
    return table.pk, tokens


def come_in(page, site, table, token):
    page.context.add_cookies([{"name": VISITOR_COOKIE, "value": token, "url": site}])
    page.context.add_init_script(QUICK)
    page.goto(reverse("room_four", args=[table]))


def asked(pages):
    """Return the letter and the page of the player who is asked."""
    for _try in range(60):
        for letter, page in pages.items():
            if page.locator("[data-room-table]:not([data-busy])").count() and page.locator(LEGAL).count():
                return letter, page
        next(iter(pages.values())).wait_for_timeout(250)
    raise AssertionError("nobody is asked")


def press(pages):
    """Let whoever is asked answer by the first legal button, and wait until it is stored."""
    letter, page = asked(pages)
    length = Game.objects.latest("pk").length
    page.locator(LEGAL).first.click()
    for _try in range(60):
        if Game.objects.latest("pk").length > length:
            break
        page.wait_for_timeout(100)
    expect(page.locator("[data-room-table]:not([data-busy])")).to_be_attached()
    return letter


WORDS = {
    "fr": ("Vous", "Quitter la table", "robot pour", "Dire quelque chose", "Bonjour"),
    "en": ("You", "Leave the table", "bot for", "Say something", "Hello!"),
}


@pytest.mark.parametrize("language", WORDS)
def test_four_people_play_and_one_leaves_and_comes_back(open_page, live_server, four, language):
    table, tokens = four
    you, leave, bot_for, say, hello = WORDS[language]
    site = live_server.url
    with (
        open_page(PHONE) as south,
        open_page(LAPTOP) as north,
        open_page(PHONE) as east,
        open_page(PHONE) as west,
    ):
        pages = {"S": south, "N": north, "E": east, "W": west}
        for letter, page in pages.items():
            page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": site}])
            come_in(page, site, table, tokens[letter])
        expect(south.locator("[data-hand] [data-card]")).to_have_count(18)
        for letter, page in pages.items():
            expect(page.locator(".seat-s .plate-name")).to_contain_text(you)
            expect(page.locator(f".slot-s[data-slot={letter}]")).to_be_attached()
        first = press(pages)
        for page in pages.values():
            expect(page.locator("[data-play]")).to_have_attribute("data-length", "1")
        assert width_of(south) <= PHONE[0]
        assert axe(south) == []
        leaver = next(letter for letter in "SEW" if letter != first)
        gone = pages.pop(leaver)
        gone.locator("summary", has_text=leave).click()
        gone.locator("[data-key=away]").click()
        expect(gone.locator("[data-key=back]")).to_be_visible()
        assert RoomSeat.objects.get(letter=leaver, left_at=None).away_at is not None
        expect(north.locator(".four-totals")).to_contain_text(f"{bot_for} {NAMES[leaver]}")
        gone.locator("[data-key=back]").click()
        expect(gone.locator("[data-key=away]")).to_be_attached()
        expect(north.locator(".four-totals")).not_to_contain_text(bot_for)
        north.locator("summary", has_text=say).click()
        north.locator("[data-key=say-hello]").click()
        for page in (south, east, west):
            expect(page.locator(".four-said")).to_contain_text(hello)


@pytest.fixture
def taker():
    """Return the id of a table whose taker makes the écart, the taker's cookie, and somebody else of the table."""
    now, table = timezone.now(), None
    room, guests = make_room_for_four(now, clock=0), {}
    for letter, name in NAMES.items():
        guests[letter] = make_guest(name=name, now=now)
        where = (table and table.number, letter)
        table = take_seat(room_id=room.pk, visitor=guests[letter][0], now=now, where=where, link=room.terms.link)
    four = Four(room, table, {Seat(letter): visitor for letter, (visitor, _token) in guests.items()}, now)
    four.drive()
    letter, _token = four.token()
    four.move(letter, "G")
    while four.held.hold(letter).position.state.phase == DealPhase.AUCTION:
        four.move(four.waited(), "-")
    others = [visitor for seat, visitor in four.people.items() if seat != letter]
    return table.pk, guests[str(letter)][1], others[0]


def test_ticked_cards_of_the_ecart_stay_when_somebody_says_something(open_page, live_server, taker):
    table, token, other = taker
    with open_page(PHONE) as page:
        come_in(page, live_server.url, table, token)
        boxes = page.locator("input[name=ecart]")
        for place in (0, 2):
            boxes.nth(place).check()
        page.locator("summary", has_text="Dire quelque chose").click()
        say_phrase(table_id=table, visitor=other, code="hello", now=timezone.now())
        expect(page.locator(".four-said")).to_contain_text("Bonjour")
        expect(page.locator("input[name=ecart]:checked")).to_have_count(2)
        expect(page.locator("[data-count]")).to_have_text("2/6")
        expect(page.locator("[data-key=say-thanks]")).to_be_visible()
        assert [boxes.nth(place).is_checked() for place in range(3)] == [True, False, True]


def test_guest_sits_down_by_keyboard_and_begins_with_bots(open_page):
    with open_page(PHONE) as page:
        page.goto(reverse("rooms_classic"))
        assert width_of(page) <= PHONE[0]
        assert axe(page) == []
        name = page.locator("input[name=name]:visible").first
        name.focus()
        name.fill("Zoé")
        page.keyboard.press("Enter")
        expect(page.locator("[data-key=next]")).to_be_visible()
        page.locator("[data-key=next]").focus()
        page.keyboard.press("Enter")
        expect(page.locator("[data-hand] [data-card]")).to_have_count(18)


def test_table_without_scripts(open_page, live_server, four):
    table, tokens = four
    with open_page(PHONE, scripts=False) as page:
        page.context.add_cookies([{"name": VISITOR_COOKIE, "value": tokens["S"], "url": live_server.url}])
        page.goto(reverse("room_four", args=[table]))
        expect(page.locator("[data-hand] [data-card]")).to_have_count(18)
        assert Game.objects.get().begun_at <= timezone.now() + dt.timedelta(seconds=1)
