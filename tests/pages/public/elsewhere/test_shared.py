"""The parts of a page that readers pass on: a line of text with its address, and a calendar to subscribe to."""

import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import Visibility
from clubs.shown import Way, choose_shown
from pages.doors import session_url
from tests import shared_evenings
from tests.pages.browsing import browser_of
from tests.pages.reading import read

pytestmark = pytest.mark.django_db


session = shared_evenings.published_with_no_page_cached


def line_of(address):
    page = browser_of().get(address).content.decode()
    (line,) = re.findall(r'data-share="([^"]*)"', page)
    return unescape(line)


def test_ranking_is_shared_with_its_first_three(session):
    line = line_of(session_url("ranking", session))
    report = session.publications.get().data
    first = next(player for player in report["players"] if player["rank_general"] == 1)
    name = session.entrants.get(pk=first["id"]).name
    assert line.startswith("Duplicate d’été, session 1, 20 November 2026 – 1. ")
    assert f"{name} (" in line
    assert not re.search(r"  | [,)]|\( ", line)


def test_feuille_is_shared_with_its_figure(session):
    player = session.publications.get().data["players"][0]
    name = session.entrants.get(pk=player["id"]).name
    line = line_of(session_url("feuille", session, 1, player["id"]))
    assert line.startswith(f"{name}, Duplicate d’été, session 1, 20 November 2026: ")
    assert line.endswith("%, rank 1")


def test_who_is_hidden_is_in_no_line(session):
    player = session.publications.get().data["players"][0]
    entrant = session.entrants.get(pk=player["id"])
    said = {"way": Way.DIRECTOR, "by": None, "now": timezone.now()}
    choose_shown(player=entrant.player, shown=Visibility.HIDDEN, **said)
    for address in (session_url("ranking", session), session_url("feuille", session, 1, entrant.pk)):
        assert entrant.player.last_name not in line_of(address)


@pytest.mark.parametrize(("query", "path"), [("", "/calendar.ics"), ("?club=club", "/clubs/club/calendar.ics")])
def test_public_calendars_are_subscribed_to_by_a_click(session, query, path):
    links = read(browser_of().get(reverse("calendar") + query)).links
    assert f"webcal://testserver{path}" in links
    assert path in links
