"""A ranking on a phone: its table begins high, rows are low whatever the names, seasons are folded."""

import datetime as dt
from decimal import Decimal

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from clubs.players import raise_names_version
from evenings.plays.penalties import Sanction, give_penalty
from tests.browser.conftest import PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_languages import switch
from tests.factories import make_club, make_tournament, published_session
from tests.pages.public.test_pages import address, correct_and_publish
from tests.rankings.events.invented import invent_standings
from tournaments.models import Publication, TournamentPublication

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

LONGEST = 48  # pixels of the highest row
NAMES = [
    ("de La Rochefoucauld-Montmorency-Bouteville", "Marie-Françoise Élisabeth"),
    ("Durand", "Zoé"),
    ("Bouteville-Montmorency", "Jean-Christophe"),
    ("Le Goff", "Anne"),
    ("Vandenbroucke-Lefèvre", "Marguerite"),
]


def rename(club):
    """Give the players names of every length."""
    for number, player in enumerate(club.players.order_by("pk")):
        family, given = NAMES[number % len(NAMES)]
        player.last_name, player.first_name = family, f"{given} {'ABCDEFGHIJKLMNOPQRST'[number]}"
        player.save()
    raise_names_version(club.pk)


@pytest.fixture
def session():
    """Publish a session with long names: corrected once, still provisional, with a penalty."""
    club = make_club(name="Association tarotique intercommunale de Saint-Rémy-en-Bouzemont")
    session = published_session(make_tournament(club, name="Championnat de printemps en duplicate"), cards=True)
    rename(club)
    director = club.memberships.get(role="director").user
    for place, points in ((0, "12.25"), (3, "2")):
        said = {"session_id": session.pk, "entrant_id": session.entrants.order_by("pk")[place].pk, "by": director}
        kind = "bonus" if place else "penalty"
        give_penalty(sanction=Sanction(kind, Decimal(points)), reason="attente", now=timezone.now(), **said)
    correct_and_publish(session)
    Publication.objects.filter(session=session, version=2).update(
        status="provisional", official_from=timezone.now() + dt.timedelta(days=2)
    )
    publication = Publication.objects.get(session=session, version=2)
    for player in publication.data["players"][3:6]:
        player["rank_alterne"] = player["rank_general"] = 4
    publication.save()
    raise_names_version(club.pk)
    return session


@pytest.fixture
def season():
    """Publish a tournament of thirty sessions and sixty players, three of whom have the same name."""
    tournament = make_tournament(name="Championnat de la saison 2026-2027 en duplicate")
    data = invent_standings(tournament, players=60, sessions=30)
    TournamentPublication.objects.create(
        tournament=tournament, version=1, results_version=1, published_at=timezone.now(), data=data, digest="a" * 64
    )
    return tournament


def rows(page):
    return page.locator("table.ranking tbody tr").evaluate_all(
        "rows => rows.map(row => { const box = row.getBoundingClientRect(); return [box.top, box.height] })"
    )


def in_language(page, language):
    """Switch the page to this language. Pages begin in French."""
    page.goto(reverse("home"))
    if language != "fr":
        switch(page, language)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_first_row_stands_on_the_first_screen_and_rows_are_low(phone, session, language):
    in_language(phone, language)
    for by in ("alterne", "general", "line"):
        phone.goto(f"{address('ranking', session)}?by={by}")
        found = rows(phone)
        assert len(found) == 20
        assert found[0][0] + found[0][1] <= PHONE[1]
        assert {height for _top, height in found if height > LONGEST} == set()
    phone.goto(address("ranking_version", session, version=1))
    assert phone.locator(".notice-warning").is_visible()
    assert rows(phone)[0][0] <= PHONE[1] - LONGEST


@pytest.mark.parametrize("language", ["fr", "en"])
def test_season_of_thirty_sessions_is_folded_under_each_name(phone, season, language):
    in_language(phone, language)
    phone.goto(reverse("tournament_ranking", args=[season.club.slug, season.slug]))
    found = rows(phone)
    assert len(found) == 57
    assert found[0][0] + found[0][1] <= PHONE[1]
    assert {height for _top, height in found if height > LONGEST} == set()
    assert phone.evaluate("document.documentElement.scrollHeight") < 57 * LONGEST + 2 * PHONE[1]
    row = phone.locator("table.ranking tbody tr").nth(1)
    summary = row.locator("summary")
    assert "/30" in summary.inner_text()
    told = {"fr": "séances jouées sur 30", "en": "sessions of 30 played"}[language]
    assert told in summary.text_content()
    box = summary.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    summary.click()
    expect(row.locator(".rounds p")).to_be_visible()
    assert row.locator(".rounds p").inner_text().count("·") == 29


def test_table_begins_high_and_what_is_said_of_it_stands_below(phone, laptop, session):
    for page, highest in ((phone, 400), (laptop, 460)):
        page.goto(address("ranking", session))
        first, _height = rows(page)[0]
        assert (first <= highest, first) == (True, first)
        last = rows(page)[-1][0]
        for below in ("#find", "text=/Publié le/", "text=Fichiers pour un tableur"):
            assert page.locator(below).first.bounding_box()["y"] > last, below
        assert axe(page) == []
    assert laptop.locator(".firsts").is_visible()
    assert not phone.locator(".firsts").is_visible()
    laptop.fill("#find", "durand")
    laptop.keyboard.press("Enter")
    expect(laptop.locator("#found")).to_be_visible()


def test_order_that_a_phone_has_no_head_for_is_a_tap_away(phone, session):
    phone.goto(address("ranking", session))
    part = phone.locator("details", has=phone.locator("> summary", has_text="Trier par"))
    part.locator("> summary").click()
    part.get_by_role("link", name="Attaque").click()
    expect(part.get_by_role("link", name="Attaque")).to_have_attribute("aria-current", "true")
    assert part.bounding_box()["y"] < rows(phone)[0][0]


def test_no_name_is_cut_on_the_narrowest_phone(phone, session, season):
    for url in (address("ranking", session), reverse("tournament_ranking", args=[season.club.slug, season.slug])):
        for size in (PHONE, (360, 780), (320, 640)):
            phone.set_viewport_size({"width": size[0], "height": size[1]})
            phone.goto(url)
            assert width_of(phone) <= size[0]
            cut = phone.locator("table.ranking [data-who]").evaluate_all(
                """names => names.filter(name => {
                    const { right, bottom } = name.closest("th").getBoundingClientRect();
                    return [...name.getClientRects()].some(box => box.right > right + 1 || box.bottom > bottom + 1);
                }).map(name => name.textContent)"""
            )
            assert cut == []
