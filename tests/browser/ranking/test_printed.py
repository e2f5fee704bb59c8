"""A printed ranking of sixty players: one sheet of A4 with its club, state and address, without buttons or links."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.players import raise_names_version
from rankings.events.publishing import TOURNAMENTS
from tests.browser.devices import width_of
from tests.factories import make_director, make_tournament
from tests.pages.public.test_pages import address
from tests.rankings.events.several import published_sessions
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]

SHEET = (703, 1017)  # A4 without its margins, in CSS pixels


@pytest.fixture
def session():
    """Publish a session of sixty players with names of thirty letters, the second one of a published tournament."""
    tournament = make_tournament(name="Championnat de printemps en duplicate")
    director = make_director(tournament.club)
    _first, session = published_sessions(tournament, by=director, tables=15)
    for number, player in enumerate(tournament.club.players.order_by("pk")):
        player.first_name, player.last_name = "Marie-Françoise", f"Bouteville-{number:03}"
        player.category = ("senior", "veteran", "")[number % 3]
        player.save()
    assert len(player.name) == 30
    raise_names_version(tournament.club_id)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    return session


def sheets(page):
    return int(re.findall(rb"/Type /Pages\s*/Count (\d+)", page.pdf(format="A4", prefer_css_page_size=True))[0])


def test_rankings_of_sixty_take_one_sheet_each(laptop, session):
    ranking, place = address("ranking", session), session.tournament
    several = reverse("tournament_ranking", args=[place.club.slug, place.slug])
    urls = [f"{ranking}?by={by}" for by in ("alterne", "general", "line", "category")]
    taken = {}
    for url in [*urls, f"{ranking}?sort=-attack", several, f"{several}?by=category"]:
        laptop.goto(url)
        assert laptop.locator("table.ranking tbody tr").count() >= 40
        taken[url] = sheets(laptop)
    assert taken == dict.fromkeys(taken, 1)


def test_printed_ranking_says_where_it_comes_from_and_offers_nothing_to_press(laptop, session):
    laptop.goto(address("ranking", session))
    laptop.set_viewport_size({"width": SHEET[0], "height": SHEET[1]})
    laptop.emulate_media(media="print")
    text = laptop.inner_text("body")
    publication = session.publications.get()
    version = address("ranking_version", session, version=1)
    for told in ("Club des Étuis", "20 novembre 2026", "provisoire", version, publication.digest[:16]):
        assert told in text
    assert "http" not in text
    seen = laptop.locator("button:visible, form:visible, nav:visible, [data-me-here]:visible, .firsts:visible")
    assert seen.count() == 0
    assert width_of(laptop) <= SHEET[0]


def test_usual_evening_takes_one_sheet(laptop):
    tournament = make_tournament(name="Duplicate du vendredi")
    session, _next = published_sessions(tournament, by=make_director(tournament.club), tables=8)
    for by in ("alterne", "general", "line"):
        laptop.goto(f"{address('ranking', session)}?by={by}")
        assert laptop.locator("table.ranking tbody tr").count() == 32
        assert sheets(laptop) == 1
