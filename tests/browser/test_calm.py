"""The general rules of calm pages: few links, fields and words, one way forward, nothing sideways, two themes."""

import re

import pytest
from django.db import transaction
from django.urls import reverse

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.factories import make_club
from tests.test_access import PAGES, address
from tests.world import make_world

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

# For each page: the most links, fields and words of its main part, and its greatest height on a phone. Lower them.
BUDGETS = """
home 14 0 330 2200
club 18 0 80 1200
tournament 12 0 80 1400
ranking 39 1 440 2750
ranking_version 39 1 440 2750
tournament_ranking 36 1 290 2550
versions 3 0 60 950
published_etuis 8 0 90 1100
published_etui 33 0 310 3000
feuille 29 0 240 2700
player 6 0 130 2800
leaderboards 1 0 40 950
club_leaderboards 1 0 40 950
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
session 43 0 410 2800
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
"""
MEASURE = """() => {
    const main = document.querySelector("main");
    const shown = (selector) => [...main.querySelectorAll(selector)].filter((each) => each.checkVisibility()).length;
    return {
        links: shown("a"),
        fields: shown("input:not([type=hidden]), select, textarea"),
        words: main.innerText.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length,
        height: document.documentElement.scrollHeight,
        primaries: shown(".button-primary"),
        underlined: [...main.querySelectorAll(":is(td, th, .list-main, nav) > a")]
            .filter((each) => getComputedStyle(each).textDecorationLine !== "none").length,
    };
}"""
# What no page may show: the empty choice of a list, a time of no minutes, the code of a profile.
RAW = re.compile(r"-----|dans 0 minute|\bgarde-1-south\b")


def read_budgets():
    rows = [line.split() for line in BUDGETS.strip().splitlines()]
    return {
        name: dict(zip(("links", "fields", "words", "height"), map(int, most), strict=True)) for name, *most in rows
    }


@pytest.fixture
def world():
    with transaction.atomic():
        return make_world(make_club(), ["director"])


def test_forty_pages_keep_their_budgets_and_the_general_rules(phone, live_server, world):
    cookie = world["clients"]["director"].cookies["sessionid"].value
    phone.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    wrong = {}
    for name, most in read_budgets().items():
        phone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        phone.emulate_media(color_scheme="light")
        phone.goto(address(world, name) if name in PAGES else reverse(name))
        found = phone.evaluate(MEASURE)
        faults = [f"{each} {found[each]} > {limit}" for each, limit in most.items() if found[each] > limit]
        faults += [
            f"{each} {found[each]}" for each, limit in (("primaries", 1), ("underlined", 0)) if found[each] > limit
        ]
        faults += RAW.findall(phone.inner_text("main"))
        faults += axe(phone)
        for size, scheme in ((PHONE, "dark"), (LAPTOP, "dark")):
            phone.set_viewport_size({"width": size[0], "height": size[1]})
            phone.emulate_media(color_scheme=scheme)
            faults += ["sideways"] * (width_of(phone) > size[0])
        faults += axe(phone)
        if faults:
            wrong[name] = faults
    assert wrong == {}
