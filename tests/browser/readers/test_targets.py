"""The links of a podium and of a player's page: high enough for a thumb, on the narrowest phone too."""

import pytest
from django.urls import reverse

from clubs.players import raise_names_version
from tests.browser.conftest import PHONE
from tests.browser.devices import axe, width_of
from tests.pages.public.test_pages import address
from tests.rankings.careers.world import played, players_of, repeat

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

LEAST = 24
NARROW = (320, 640)
# Links inside a sentence are only as high as its lines.
TOO_SMALL = """(links, least) => links.filter(link => {
    const box = link.getBoundingClientRect();
    return box.width > 0 && !link.closest("p, caption") && Math.min(box.width, box.height) < least;
}).map(link => `${link.textContent.trim()} ${link.getBoundingClientRect().height}`)"""


@pytest.fixture
def session():
    session = played()
    for player in players_of(session)[:8]:
        player.last_name = f"de La Rochefoucauld-Montmorency-Bouteville {player.last_name}"
        player.save()
    raise_names_version(session.tournament.club_id)
    repeat(session, 6, *players_of(session)[:2])
    return session


@pytest.mark.parametrize("size", [PHONE, NARROW])
def test_links_of_podiums_and_players_are_high_and_nothing_scrolls_sideways(phone, session, size):
    phone.set_viewport_size({"width": size[0], "height": size[1]})
    person = players_of(session)[0].pk
    pages = {
        "player": (reverse("player", args=[person]), "main a, main summary"),
        "home": (reverse("home"), ".winners a"),
        "club": (reverse("club", args=["club"]), ".winners a"),
        "ranking": (address("ranking", session), "main summary"),
    }
    for name, (url, links) in pages.items():
        phone.goto(url)
        found = phone.locator(links)
        assert found.count() >= 2, name
        assert (name, found.evaluate_all(TOO_SMALL, LEAST)) == (name, [])
        assert (name, width_of(phone) <= size[0]) == (name, True)
    assert axe(phone) == []


def test_latest_sessions_stand_second_on_the_page_of_a_player(phone, session):
    phone.goto(reverse("player", args=[players_of(session)[0].pk]))
    heads = phone.locator("main h2").all_inner_texts()
    assert heads[1] == "Tournois et séances"
    assert heads[2] == "D’une séance à l’autre"


def test_name_on_the_podium_leads_to_the_feuille(laptop, session):
    laptop.goto(address("ranking", session))
    first = laptop.locator(".firsts a").first
    name = first.inner_text()
    first.click()
    laptop.wait_for_selector(".feuille")
    assert laptop.locator("h1").inner_text() == name
