"""The general rules of calm pages: few links, fields and words, one way forward, nothing sideways, two themes.

Each page is opened once in each language, in French and light, in English and dark, and keeps its budget in both. There
axe examines it at both widths, its contrast on a phone. Then the page gets the other theme without being loaded again,
which changes its colours only, and axe examines its contrast on a laptop. So every theme meets both languages and both
widths.
"""

import re

import pytest
from django.conf import settings
from django.db import transaction
from django.urls import reverse

from rooms.visitors.finding import VISITOR_COOKIE
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, find_faint, width_of
from tests.factories import make_club
from tests.rooms.lobby_world import ETUIS, draw_same_seeds, make_lobby_world
from tests.rooms.tables import NOON
from tests.test_access import PAGES, address
from tests.world import make_world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

# For each page: the most links, fields and words of its main part, and its greatest height on a phone. Lower them.
BUDGETS = """
home 14 0 330 2200
club 18 0 80 1200
tournament 12 0 80 1400
ranking 39 1 440 2750
tournament_ranking 36 1 290 2550
versions 3 0 60 950
published_etuis 8 0 90 1100
published_etui 33 0 310 3000
feuille 29 0 240 2700
player 6 0 130 2800
leaderboards 1 0 40 950
calendar 11 1 70 950
rules 37 19 790 5750
rules_page 14 1 310 2800
exercises 28 0 550 4700
search 1 1 30 950
choose_other 23 1 170 1900
head_to_head 8 0 150 1400
guide 17 0 5930 23900
verify 7 1 260 1850
privacy 4 0 2030 9100
session 36 0 410 2800
publish 4 4 190 1600
standings 34 1 390 2350
bulk 21 0 120 1300
tables 12 0 280 2400
prints 3 6 190 1850
entrants 25 11 270 2800
changes 9 0 210 1650
penalties 20 15 300 2500
log 80 10 900 6000
etuis 6 5 200 2050
session_edit 3 6 110 1550
session_new 3 7 140 1800
tournament_new 3 6 120 1300
players 32 6 180 2900
seasons 4 3 70 1200
login 6 4 90 1100
rooms 12 1 240 2100
rooms_me 5 2 100 1250
rooms_best 8 3 120 1100
rooms_classic 4 0 130 1400
room_next 3 0 80 950
room_open 4 1 90 1050
room_closed 5 0 160 1750
room_etui 6 3 540 3900
"""
MEASURE = """() => {
    const main = document.querySelector("main");
    const shown = (selector) => [...main.querySelectorAll(selector)].filter((each) => each.checkVisibility()).length;
    return {
        links: shown("a[href]"),
        fields: shown("input:not([type=hidden]), select, textarea"),
        words: main.innerText.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length,
        height: document.documentElement.scrollHeight,
        primaries: shown(".button-primary"),
        underlined: [...main.querySelectorAll(":is(td, th, .list-main, nav) > a")]
            .filter((each) => getComputedStyle(each).textDecorationLine !== "none").length,
    };
}"""
# What no page may show: the empty choice of a list, a time of no minutes, the code of a profile.
RAW = re.compile(r"-----|dans 0 minute|in 0 minutes|\bgarde-1-south\b")
THEMES = {"fr": ("light", "dark"), "en": ("dark", "light")}  # the theme of the whole examination, the other one


def read_budgets():
    rows = [line.split() for line in BUDGETS.strip().splitlines()]
    return {
        name: dict(zip(("links", "fields", "words", "height"), map(int, most), strict=True)) for name, *most in rows
    }


@pytest.fixture
def visit(phone, live_server):
    """Return a function that opens pages in a language and its theme, and returns the faults of each page."""

    def visit_all(urls, language, cookies):
        cookies |= {settings.LANGUAGE_COOKIE_NAME: language}
        phone.context.add_cookies(
            [{"name": name, "value": value, "url": live_server.url} for name, value in cookies.items()]
        )
        budgets = read_budgets()
        faults = {name: find_faults(phone, url, language, budgets[name]) for name, url in urls.items()}
        return {name: found for name, found in faults.items() if found}

    return visit_all


def find_faults(page, url, language, most):
    """Return what a page has more of than its budget allows, and what no page may have."""
    first, other = THEMES[language]
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.emulate_media(color_scheme=first)
    page.goto(url)
    assert page.get_attribute("html", "lang") == language
    found = page.evaluate(MEASURE)
    limits = most | {"primaries": 1, "underlined": 0}
    faults = [f"{each} {found[each]} > {limit}" for each, limit in limits.items() if found[each] > limit]
    faults += RAW.findall(page.inner_text("main"))
    for width, height in (PHONE, LAPTOP):
        page.set_viewport_size({"width": width, "height": height})
        faults += axe(page) + [f"wider than {width}"] * (width_of(page) > width)
    page.emulate_media(color_scheme=other)
    return faults + find_faint(page)


@pytest.mark.parametrize("language", THEMES)
def test_pages_of_clubs_keep_their_budgets_and_the_general_rules(visit, language):
    with transaction.atomic():
        world = make_world(make_club(), ["director"])
    names = [name for name in read_budgets() if not name.startswith("room")]
    urls = {name: address(world, name) if name in PAGES else reverse(name) for name in names}
    assert visit(urls, language, {"sessionid": world["clients"]["director"].cookies["sessionid"].value}) == {}


@pytest.mark.parametrize("language", THEMES)
def test_pages_of_rooms_keep_their_budgets_and_the_general_rules(visit, language, monkeypatch, settings):
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
    settings.ROOMS, settings.ROOM_LEVEL, settings.ROOM_ETUIS = True, 0, ETUIS
    draw_same_seeds(monkeypatch)
    world = make_lobby_world()
    rooms = {"next": world.next, "open": world.open, "closed": world.closed}
    urls = {name: reverse(name) for name in read_budgets() if name.startswith("rooms")}
    urls |= {f"room_{name}": reverse("room", args=[room.pk]) for name, room in rooms.items()}
    urls["room_etui"] = reverse("room_etui", args=[world.closed.pk, 1])
    assert visit(urls, language, {VISITOR_COOKIE: world.clients["guest"].cookies[VISITOR_COOKIE].value}) == {}


def test_header_has_five_ways_on_a_phone_and_a_ranking_begins_on_the_first_screen(phone, live_server, settings):
    settings.ROOMS = True
    with transaction.atomic():
        world = make_world(make_club(), ["director"])
    for (width, height), lowest in ((PHONE, 400), (LAPTOP, 460)):
        phone.set_viewport_size({"width": width, "height": height})
        phone.goto(live_server.url + address(world, "ranking"))
        ways = phone.locator("header :is(a, button):visible")
        boxes = [each.bounding_box() for each in ways.all()][-5:]
        assert [ways.nth(place).get_attribute("href") for place in range(-5, -1)] == [
            reverse(name) for name in ("calendar", "rooms", "rules", "search")
        ]
        assert ways.last.get_attribute("popovertarget") == "site-menu"
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] < 60 for box in boxes)
        assert phone.locator("table.ranking tbody tr").first.bounding_box()["y"] <= lowest


def test_forty_pages_have_a_budget_rooms_among_them():
    names = list(read_budgets())
    assert len(names) >= 40
    assert sum(name.startswith("room") for name in names) == 8
