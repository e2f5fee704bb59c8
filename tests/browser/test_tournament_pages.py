"""The ranking of a tournament and its directors' pages in a real browser: on a phone, on a laptop, on paper."""

import pytest
from django.urls import reverse
from django.utils import timezone

from rankings.events.publishing import TOURNAMENTS
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import width_of
from tests.browser.test_evening import log_in
from tests.browser.test_languages import switch
from tests.factories import make_director, make_tournament
from tests.rankings.events.invented import invent_standings
from tests.rankings.events.several import published_sessions
from tournaments.models import Tournament, TournamentPublication
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
PAGES = ("ranking", "versions", "publish", "rules", "standings", "sections")


@pytest.fixture
def tournament():
    """Publish a tournament with two versions of a long ranking, long names and lots to draw."""
    tournament = make_tournament(name="Championnat de printemps en duplicate")
    director = make_director(tournament.club)
    published_sessions(tournament, by=director)
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    Tournament.objects.filter(pk=tournament.pk).update(counting="mean", ties=["attack", "draw"])
    TOURNAMENTS.publish(tournament.pk, DirectorWord(director, timezone.now()))
    tournament.refresh_from_db()
    data = invent_standings(tournament, players=40, sessions=4)
    TournamentPublication.objects.filter(version=2).update(data=data)
    return tournament


def test_no_page_of_a_tournament_scrolls_sideways_in_either_language(phone, tournament):
    log_in(phone, "directrice")
    phone.goto("/")
    wide = []
    for language in ("fr", "en"):
        if language == "en":
            switch(phone, language)
        for name in PAGES:
            address = name if name == "sections" else f"tournament_{name}"
            phone.goto(reverse(address, args=[tournament.club.slug, tournament.slug]))
            assert phone.get_attribute("html", "lang") == language
            for width, height in (PHONE, LAPTOP):
                phone.set_viewport_size({"width": width, "height": height})
                if width_of(phone) > width:
                    wide.append((language, name, width))
    assert wide == []


def test_a_printed_ranking_has_every_column_and_nothing_to_press(laptop, tournament):
    laptop.goto(reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug]))
    laptop.emulate_media(media="print")
    laptop.set_viewport_size({"width": 718, "height": 1000})  # the width of A4 with its margins
    assert laptop.locator(".ranking thead th:visible").count() == 4 + 4 + 2
    assert laptop.locator("main button:visible, main form:visible").count() == 0
    assert width_of(laptop) <= laptop.viewport_size["width"]
