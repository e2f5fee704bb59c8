"""Every page of an evening with étuis for three or five, as each role finds it by its links: nothing fails."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import Club
from evenings.sessions.running import call_position
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS
from tests.etui_games import draft_etui_session, make_etui_tournament, play_etuis, start_etui_session
from tests.evenings.free.crawling import crawl
from tests.evenings.tables.phones import tokens_of
from tests.factories import make_club, make_director, make_helper
from tests.pages.browsing import browser_of
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]

# Words of other formats that mean nothing here.
ABSURD = re.compile(
    r"\b(donnes? libres?|four players|quatre joueurs|alternat\w+|altern[ée]\w*|the four hands)\b", re.IGNORECASE
)
LEFT_OUT = {"tournament_rules", "tournament_new"}  # these pages speak of every format


@pytest.fixture(params=[(3, "en"), (3, "fr"), (5, "en"), (5, "fr")], ids=["3-en", "3-fr", "5-en", "5-fr"])
def evening(request):
    size, language = request.param
    club = make_club()
    Club.objects.filter(pk=club.pk).update(name="Club de tarot")
    club = Club.objects.get(pk=club.pk)
    return size, language, make_etui_tournament(size, club), make_director(club)


def starts(session):
    tournament = session.tournament
    base = reverse("tournament", args=[tournament.club.slug, tournament.slug])
    return [base, session_url("session", session), session_url("hall", session)]


def find_absurd(pages):
    found = {}
    for (name, _url), text in pages.items():
        if name not in LEFT_OUT and (
            hits := [text[max(0, hit.start() - 40) : hit.end() + 25] for hit in ABSURD.finditer(text)]
        ):
            found.setdefault(name, []).extend(hits[:5])
    return found


def clients(club, director):
    return {"director": browser_of(director), "helper": browser_of(make_helper(club)), "reader": Client()}


def crawl_all(session, by, language):
    for browser in clients(session.tournament.club, by).values():
        assert find_absurd(crawl(browser, starts(session), language)) == {}


def test_evening_in_preparation(evening):
    size, language, tournament, by = evening
    crawl_all(draft_etui_session(size, 2, by=by, tournament=tournament), by, language)


def test_evening_under_way(evening):
    size, language, tournament, by = evening
    session = start_etui_session(size, 3, by=by, tournament=tournament)
    call_position(session_id=session.pk, position=1, by=by, now=timezone.now())
    play_etuis(session, by, most=7)
    crawl_all(session, by, language)
    tables = [reverse("table_screen", args=[token]) for token in tokens_of(session).values()]
    assert find_absurd(crawl(Client(), tables, language)) == {}


def test_published_evening(evening):
    size, language, tournament, by = evening
    session = start_etui_session(size, 3, by=by, tournament=tournament)
    play_etuis(session, by)
    SESSIONS.publish(session.pk, DirectorWord(by, timezone.now()))
    crawl_all(session, by, language)
