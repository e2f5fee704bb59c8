"""A phone that knows its reader: they say it once, and their line is marked on every page without moving anything."""

import pytest
from django.urls import reverse

from tests.browser.conftest import PHONE
from tests.browser.devices import axe
from tests.factories import published_session
from tests.pages.public.test_pages import address

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

# Counts layout shifts after the first paint, except those that follow an action of the reader.
SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def session():
    return published_session(tables=8, positions=4)


@pytest.fixture
def last(session):
    """Return the player in the last place, far below the first screen of a phone."""
    report = session.publications.get().data
    return max(report["players"], key=lambda player: player["rank_alterne"])


def say_it(page, session, player):
    page.goto(address("feuille", session, version=1, entrant=player["id"]))
    page.get_by_role("button", name="C’est moi").click()


def test_said_on_the_feuille_it_marks_the_line_in_the_ranking_and_leads_there(phone, session, last):
    phone.add_init_script(SHIFTS)
    say_it(phone, session, last)
    assert phone.get_by_role("button", name="C’est moi").get_attribute("aria-pressed") == "true"
    phone.goto(address("ranking", session))
    line = phone.locator(f"#player-{last['player']}")
    assert "me" in line.get_attribute("class").split()
    assert phone.locator("tr.me").count() == 1
    name = line.locator("[data-who]").inner_text()
    strip = phone.locator("[data-me-here]")
    assert strip.get_by_role("link").all_inner_texts() == [name]
    assert phone.evaluate("window.shifts") == 0
    assert not phone.locator("[data-me-pill]").is_visible()
    strip.get_by_role("link", name=name).click()
    phone.wait_for_function("document.querySelector('tr.me').getBoundingClientRect().bottom < innerHeight")
    phone.evaluate("scrollTo(0, 0)")
    assert axe(phone) == []


def test_way_to_the_line_floats_only_while_the_line_is_out_of_sight(phone, session, last):
    say_it(phone, session, last)
    phone.goto(address("ranking", session))
    pill = phone.locator("[data-me-pill]")
    phone.locator("tbody tr").nth(6).evaluate("row => row.scrollIntoView({ block: 'start' })")
    pill.wait_for(state="visible")
    assert pill.get_attribute("data-towards") == "down"
    pill.click()
    pill.wait_for(state="hidden")
    box = phone.locator("tr.me").bounding_box()
    assert 0 <= box["y"] <= PHONE[1] - box["height"]


def test_shared_phone_forgets_and_a_press_takes_back(phone, session, last):
    say_it(phone, session, last)
    phone.goto(address("ranking", session))
    phone.get_by_role("button", name="Ce n’est pas moi").click()
    assert phone.locator(".me").count() == 0
    assert not phone.locator("[data-me-here]").is_visible()
    assert phone.evaluate("localStorage.length") == 0
    say_it(phone, session, last)
    phone.get_by_role("button", name="C’est moi").click()
    assert phone.get_by_role("button", name="C’est moi").get_attribute("aria-pressed") == "false"
    phone.goto(address("ranking", session))
    assert phone.locator(".me").count() == 0


def test_other_tab_hears_of_it(phone, session, last):
    phone.goto(address("ranking", session))
    other = phone.context.new_page()
    say_it(other, session, last)
    phone.locator("tr.me").wait_for()
    other.close()


def test_who_is_not_in_a_list_is_told_so(phone, session):
    phone.goto(address("ranking", session))
    phone.evaluate("localStorage.setItem('topage.me', '999999')")
    phone.reload()
    assert phone.locator("[data-me-here] p > :visible").all_inner_texts() == [
        "Vous\N{NO-BREAK SPACE}:",
        "pas dans cette liste",
    ]


@pytest.mark.parametrize("kept", ["<b>", "12 ", "1e9", "[]"])
def test_what_is_no_number_of_a_player_is_nobody(phone, session, kept):
    phone.goto(address("ranking", session))
    phone.evaluate("kept => localStorage.setItem('topage.me', kept)", kept)
    phone.reload()
    assert not phone.locator("[data-me-here]").is_visible()


def test_phone_that_keeps_nothing_shows_no_button(phone, session, last):
    phone.add_init_script("""
        Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });
    """)
    phone.goto(address("feuille", session, version=1, entrant=last["id"]))
    assert phone.locator("[data-me]").count() == 1
    assert not phone.locator("[data-me]").is_visible()
    phone.goto(reverse("home"))


def test_without_script_nothing_of_it_is_seen(open_page, session, last):
    with open_page((390, 844), scripts=False) as page:
        for url in (address("ranking", session), address("feuille", session, version=1, entrant=last["id"])):
            page.goto(url)
            assert page.locator("[data-me-here]:visible, [data-me]:visible, [data-me-pill]:visible").count() == 0
