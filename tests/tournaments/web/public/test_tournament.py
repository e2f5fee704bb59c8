"""The public ranking of a tournament: what it says, to whom, when it is built, and what its director does with it."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_director, make_tournament
from tests.tournaments.browsing import browser_of
from tests.tournaments.events.invented import invent_standings
from tests.tournaments.events.several import published_sessions
from tests.tournaments.pages import words
from tournaments.events import publishing
from tournaments.models import TournamentPublication
from tournaments.publication.versions import Word

pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def tournament():
    return make_tournament()


@pytest.fixture
def director(tournament):
    return make_director(tournament.club)


def address(tournament, name="tournament_ranking", *rest):
    return reverse(name, args=[tournament.club.slug, tournament.slug, *rest])


def say(do, tournament, director, reason=""):
    return do(tournament_id=tournament.pk, word=Word(director, timezone.now(), reason))


@pytest.fixture
def published(tournament, director):
    published_sessions(tournament, by=director)
    return say(publishing.publish_tournament, tournament, director)


def test_readers_see_the_ranking_with_the_sessions_that_are_in(tournament, published):
    page = Client(headers=ENGLISH).get(address(tournament))
    assert page.status_code == 200
    text = words(page)
    assert "provisional" in text
    assert re.search("S1: [^,]+2026, version 1", text)
    first = published.data["players"][0]
    assert re.search(r"\b1\b", text)
    assert page.text.count("<tr") == 1 + len(published.data["players"])
    assert first["rank"] == 1
    assert address(tournament) in Client(headers=ENGLISH).get(address(tournament, "tournament")).text


def test_who_has_the_page_is_told_that_he_has_it(tournament, director, published, django_assert_num_queries):
    reader = Client(headers=ENGLISH)
    first = reader.get(address(tournament))
    with django_assert_num_queries(1):
        again = reader.get(address(tournament), headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    with django_assert_num_queries(1):
        assert reader.get(address(tournament)).content == first.content  # which is kept
    say(publishing.make_official, tournament, director)
    assert reader.get(address(tournament))["ETag"] != first["ETag"]
    french = reader.get(address(tournament), headers={"Accept-Language": "fr"})
    assert french["ETag"] != reader.get(address(tournament))["ETag"]


def test_nothing_is_shown_before_the_first_publication(tournament, director):
    published_sessions(tournament, by=director)
    page = Client(headers=ENGLISH).get(address(tournament))
    assert page.status_code == 404
    assert "has not been published" in words(page)
    assert Client(headers=ENGLISH).get(address(tournament, "tournament_version", 1)).status_code == 404


def test_what_is_taken_back_says_why_at_every_address_and_shows_no_figure(tournament, director, published):
    say(publishing.withdraw_ranking, tournament, director, "mauvais coefficient")
    for where in (address(tournament), address(tournament, "tournament_version", 1)):
        page = Client(headers=ENGLISH).get(where)
        assert page.status_code == 404
        assert "mauvais coefficient" in words(page)
        assert "<table" not in page.text
    assert address(tournament) not in Client(headers=ENGLISH).get(address(tournament, "tournament")).text


def test_an_older_version_says_that_it_is_replaced(tournament, director, published):
    published_sessions(tournament, by=director, count=1)
    say(publishing.publish_tournament, tournament, director)
    old = words(Client(headers=ENGLISH).get(address(tournament, "tournament_version", 1)))
    assert "version 2 replaces this one" in old
    versions = words(Client(headers=ENGLISH).get(address(tournament, "tournament_versions")))
    assert "Session 3 counts now" in versions
    assert "The first publication" in versions


@pytest.mark.parametrize(("players", "sessions"), [(8, 2), (300, 12)])
def test_the_page_costs_the_same_queries_for_any_tournament(
    tournament, director, players, sessions, django_assert_num_queries
):
    data = invent_standings(tournament, players=players, sessions=sessions)
    TournamentPublication.objects.create(
        tournament=tournament, version=1, results_version=1, published_at=timezone.now(), data=data, digest="a" * 64
    )
    with django_assert_num_queries(3):  # what it is, its figures, its names
        assert Client(headers=ENGLISH).get(address(tournament)).status_code == 200
    with django_assert_num_queries(1):
        assert Client(headers=ENGLISH).get(address(tournament)).status_code == 200


def test_a_director_publishes_and_makes_official(tournament, director):
    published_sessions(tournament, by=director)
    browser = browser_of(director)
    page = browser.get(address(tournament, "tournament_publish"))
    assert "It counts what readers are shown of each session" in words(page)
    assert browser.post(address(tournament, "tournament_publish")).url == address(tournament)
    page = browser.get(address(tournament, "tournament_publish"))
    assert "Nothing has changed since" in words(page)
    assert browser.post(address(tournament, "tournament_step", "official")).status_code == 302
    assert browser.post(address(tournament, "tournament_step", "withdraw"), {"reason": ""}).status_code == 302
    assert tournament.publications.first().status == "official"
    browser.post(address(tournament, "tournament_step", "withdraw"), {"reason": "relu"})
    assert tournament.publications.first().status == "withdrawn"
    assert browser.post(address(tournament, "tournament_step", "burn")).status_code == 404


def test_what_cannot_be_published_is_told(tournament, director):
    page = browser_of(director).post(address(tournament, "tournament_publish"))
    assert "A tournament of one session" in words(page)
    assert not tournament.publications.exists()


def test_official_figures_are_corrected_for_a_reason(tournament, director, published):
    say(publishing.make_official, tournament, director)
    published_sessions(tournament, by=director, count=1)
    browser = browser_of(director)
    assert browser.post(address(tournament, "tournament_publish"), {"reason": ""}).status_code == 200
    assert tournament.publications.first().version == 2
    browser.post(address(tournament, "tournament_publish"), {"reason": "troisième séance"})
    assert tournament.publications.first().reason == "troisième séance"
