"""The pages of leaderboards in a real browser: two widths, two languages, by keyboard, on paper."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Player
from rankings.careers.keeping import refresh
from rankings.leaderboards.keeping import make_leaderboards_anew
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_languages import choose_language
from tests.factories import make_club, make_tournament, published_session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

LONG = "de La Rochefoucauld-Montmorency-Bouteville"


@pytest.fixture
def session():
    club = make_club(name="Association tarotique intercommunale de Saint-Rémy-en-Bouzemont")
    session = published_session(make_tournament(club), etuis_per_position=4)
    for player in Player.objects.order_by("pk")[::3]:
        player.first_name, player.last_name = "Marie-Françoise Élisabeth", f"{LONG} {player.pk}"
        player.country = "République démocratique du Congo"
        player.save()
    refresh(session.pk)
    make_leaderboards_anew(timezone.now())
    return session


@pytest.fixture
def pages(session):
    month, club = f"{session.date:%Y-%m}", reverse("club_leaderboards", args=["club"])
    player = Player.objects.order_by("pk").first()
    return {
        "ratings": reverse("leaderboards"),
        "means": reverse("leaderboards") + "?by=mean",
        "means of a month": reverse("leaderboards") + f"?by=mean&period={month}",
        "club": club + "?by=deals",
        "player": reverse("player", args=[player.pk]),
    }


def test_no_leaderboard_scrolls_sideways_and_all_contrasts_are_enough(phone, pages):
    wide, faults = {}, {}
    for name, url in pages.items():
        phone.goto(url)
        faults[name] = axe(phone)
        for width, height in (PHONE, LAPTOP, (320, 640)):
            phone.set_viewport_size({"width": width, "height": height})
            wide[name, width] = width_of(phone) > width
        phone.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert {where for where, is_wide in wide.items() if is_wide} == set()
    assert {name: found for name, found in faults.items() if found} == {}


@pytest.mark.parametrize("scripts", [True, False])
def test_english_lists_fit_both_widths_with_and_without_scripts(open_page, pages, scripts):
    wide, faults = {}, {}
    with open_page(PHONE, scripts=scripts) as page:
        page.goto(pages["ratings"])
        choose_language(page, "en")
        for name, url in pages.items():
            for width, height in (PHONE, LAPTOP):
                page.set_viewport_size({"width": width, "height": height})
                page.goto(url)
                wide[name, width] = page.locator("body").bounding_box()["width"] > width
                faults[name, width] = axe(page) if scripts else []
        page.goto(pages["means"])
        assert "does not compare players of different clubs" in page.locator("main").inner_text()
    assert {where for where, is_wide in wide.items() if is_wide} == set()
    assert {where: found for where, found in faults.items() if found} == {}


def test_list_and_period_are_chosen_by_keyboard_without_a_script(laptop, pages, session):
    laptop.goto(pages["ratings"])
    laptop.get_by_role("link", name="Présence").focus()
    laptop.keyboard.press("Enter")
    laptop.wait_for_url("**by=presence**")
    laptop.get_by_label("Période").select_option(f"{session.date:%Y-%m}")
    laptop.get_by_label("Période").press("Tab")
    laptop.keyboard.press("Enter")
    laptop.wait_for_url(f"**period={session.date:%Y-%m}**")
    assert "Présence" in laptop.locator("caption").inner_text()


def test_printed_list_has_no_menus(laptop, pages):
    laptop.goto(pages["ratings"])
    laptop.emulate_media(media="print")
    assert laptop.locator("table").is_visible()
    assert not laptop.get_by_label("Période").is_visible()
    assert not laptop.get_by_role("link", name="CSV").is_visible()
