"""The public ranking of a tournament: what it shows, who may read it, when it is built, and the director's steps."""

import re

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from rankings.events import publishing
from rankings.publication.publishing import SESSIONS, switch_parts
from tests import shared_evenings
from tests.factories import publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.events.invented import invent_standings
from tests.rankings.events.several import published_sessions
from tournaments.models import Session, TournamentPublication
from tournaments.published import Shows
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en"}


director = shared_evenings.director_of_tournament


def address(tournament, name="tournament_ranking", *rest):
    return reverse(name, args=[tournament.club.slug, tournament.slug, *rest])


def say(do, tournament, director, reason=""):
    return do(tournament.pk, word=DirectorWord(director, timezone.now(), reason))


@pytest.fixture
def published(tournament, director):
    published_sessions(tournament, by=director)
    return say(publishing.TOURNAMENTS.publish, tournament, director)


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
        assert reader.get(address(tournament)).content == first.content  # this answer comes from the cache
    say(publishing.TOURNAMENTS.make_official, tournament, director)
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
    say(publishing.TOURNAMENTS.withdraw, tournament, director, "mauvais coefficient")
    for where in (address(tournament), address(tournament, "tournament_version", 1)):
        page = Client(headers=ENGLISH).get(where)
        assert page.status_code == 404
        assert "mauvais coefficient" in words(page)
        assert "<table" not in page.text
    assert address(tournament) not in Client(headers=ENGLISH).get(address(tournament, "tournament")).text


@pytest.mark.nightly("story")
def test_an_older_version_says_that_it_is_replaced(tournament, director, published):
    published_sessions(tournament, by=director, count=1)
    say(publishing.TOURNAMENTS.publish, tournament, director)
    old = words(Client(headers=ENGLISH).get(address(tournament, "tournament_version", 1)))
    assert "version 2 replaces this one" in old
    versions = words(Client(headers=ENGLISH).get(address(tournament, "tournament_versions")))
    assert "Session 3 now counts" in versions
    assert "The first publication" in versions


@pytest.mark.nightly("story")
def test_page_of_versions_and_its_api_ask_as_much_for_six_as_for_two(tournament, director, published):
    places = address(tournament, "tournament_versions"), f"/api/v1/tournaments/{tournament.pk}/publications/"
    reader = Client(headers=ENGLISH)

    def count():
        caches["pages"].clear()
        asked = []
        for place in places:
            with CaptureQueriesContext(connection) as queries:
                assert reader.get(place).status_code == 200
            asked.append(len(queries))
        return asked

    def publish_again():
        published_sessions(tournament, by=director, count=1)
        say(publishing.TOURNAMENTS.publish, tournament, director)

    publish_again()
    few = count()
    for _version in range(4):
        publish_again()
    assert len(reader.get(places[1]).json()) == 6
    assert count() == few


@pytest.mark.nightly("story")
def test_nothing_is_told_of_versions_that_were_taken_back(tournament, director, published):
    published_sessions(tournament, by=director, count=1)
    say(publishing.TOURNAMENTS.publish, tournament, director)
    say(publishing.TOURNAMENTS.withdraw, tournament, director, "mauvais coefficient")
    say(publishing.TOURNAMENTS.publish, tournament, director)
    page = Client(headers=ENGLISH).get(address(tournament, "tournament_versions"))
    text = words(page)
    assert "mauvais coefficient" in text
    assert "Session 3 now counts" not in text
    assert [address(tournament, "tournament_version", number) in page.text for number in (1, 2, 3, 4)] == [
        *[False] * 3,
        True,
    ]
    api = Client(headers=ENGLISH).get(f"/api/v1/tournaments/{tournament.pk}/publications/").json()
    assert [each["changes"] for each in api if each["version"] < 4] == [[], [], []]


def hide(session, director):
    word = DirectorWord(director, timezone.now(), "à revoir")
    switch_parts(session_id=session.pk, shows=Shows(ranking=False), word=word)


def take_back(session, director):
    word = DirectorWord(director, timezone.now(), "à revoir")
    SESSIONS.withdraw(session.pk, word=word)


def show_again(session, director):
    word = DirectorWord(director, timezone.now())
    switch_parts(session_id=session.pk, shows=Shows(), word=word)
    publish(session, by=director)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("close", [hide, take_back])
def test_versions_tell_nothing_until_each_counted_ranking_is_shown(tournament, director, close):
    one, other, third = published_sessions(tournament, by=director, count=3)
    take_back(third, director)
    say(publishing.TOURNAMENTS.publish, tournament, director)
    show_again(third, director)
    say(publishing.TOURNAMENTS.publish, tournament, director)  # version 2 counts all three sessions
    api = f"/api/v1/tournaments/{tournament.pk}/publications/"
    places = [address(tournament), address(tournament, "tournament_versions"), f"{api}latest/"]
    places += [address(tournament, "tournament_version", number) for number in (1, 2)] + [f"{api}1/", f"{api}2/"]
    reader = Client(headers=ENGLISH)
    tag = reader.get(places[0])["ETag"]

    close(third, director)
    assert reader.get(places[0], headers={"If-None-Match": tag}).status_code == 404
    shut = {place for place in places if reader.get(place).status_code == 404}
    assert shut == {places[0], places[1], places[2], address(tournament, "tournament_version", 2), f"{api}2/"}
    assert "counts a session whose own ranking is not shown" in words(reader.get(places[0]))
    assert not re.search(r"\d%|<table", "".join(reader.get(place).text for place in shut))
    assert [each["changes"] for each in reader.get(api).json()] == [[], []]

    say(publishing.TOURNAMENTS.publish, tournament, director)  # version 3 counts two sessions only
    assert tournament.publications.first().sessions.keys() == {str(one.pk), str(other.pk)}
    page, versions = reader.get(places[0]), reader.get(places[1])
    assert "What changed in version 3" not in words(page)  # the changes would tell what version 2 counted
    assert "S3" not in words(page)
    assert address(tournament, "tournament_version", 2) not in versions.text
    assert "It counts a session whose ranking is not shown" in words(versions)
    assert "The changes are not shown" in words(versions)
    assert [each["changes"] for each in reader.get(api).json()] == [[], [], []]
    assert reader.get(f"{api}latest/").json()["version"] == 3

    show_again(third, director)
    for place in (address(tournament, "tournament_version", 2), f"{api}2/"):
        assert reader.get(place).status_code == 200
    assert "What changed in version 3" in words(reader.get(places[0]))
    assert all(each["changes"] for each in reader.get(api).json()[:2])


def test_a_session_whose_ranking_is_off_is_counted_once_it_is_on(tournament, director):
    one, other = published_sessions(tournament, by=director)
    hide(one, director)
    version = say(publishing.TOURNAMENTS.publish, tournament, director)
    assert version.sessions.keys() == {str(other.pk)}
    hide(other, director)
    assert "Readers do not see the ranking of any session" in words(
        browser_of(director).post(address(tournament, "tournament_publish"))
    )
    for session in (one, other):
        show_again(session, director)
    assert say(publishing.TOURNAMENTS.publish, tournament, director).sessions.keys() == {str(one.pk), str(other.pk)}


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize(("players", "sessions"), [(8, 2), (300, 12)])
def test_the_page_costs_the_same_queries_for_any_tournament(
    tournament, director, players, sessions, django_assert_num_queries
):
    data = invent_standings(tournament, players=players, sessions=sessions)
    TournamentPublication.objects.create(
        tournament=tournament, version=1, results_version=1, published_at=timezone.now(), data=data, digest="a" * 64
    )
    with django_assert_num_queries(3):  # the tournament, its figures, its names
        assert Client(headers=ENGLISH).get(address(tournament)).status_code == 200
    with django_assert_num_queries(1):
        assert Client(headers=ENGLISH).get(address(tournament)).status_code == 200


@pytest.mark.nightly("story")
def test_a_director_publishes_and_makes_official(tournament, director):
    published_sessions(tournament, by=director)
    browser = browser_of(director)
    page = browser.get(address(tournament, "tournament_publish"))
    assert "It counts what readers see of each session" in words(page)
    assert browser.post(address(tournament, "tournament_publish")).url == address(tournament)
    page = browser.get(address(tournament, "tournament_publish"))
    assert "Nothing has changed since" in words(page)
    assert browser.post(address(tournament, "tournament_step", "official")).status_code == 302
    assert browser.post(address(tournament, "tournament_step", "withdraw"), {"reason": ""}).status_code == 302
    assert tournament.publications.first().status == "official"
    browser.post(address(tournament, "tournament_step", "withdraw"), {"reason": "relu"})
    assert tournament.publications.first().status == "withdrawn"
    assert browser.post(address(tournament, "tournament_step", "burn")).status_code == 404


@pytest.mark.nightly("story")
def test_page_of_a_tournament_leads_to_no_ranking_that_is_held_back(tournament, director):
    session, _other = published_sessions(tournament, by=director)
    publishing.TOURNAMENTS.publish(tournament.pk, word=DirectorWord(director, timezone.now()))
    url = address(tournament, "tournament")
    assert "Tournament ranking" in words(Client(headers=ENGLISH).get(url))
    word = DirectorWord(director, timezone.now(), "relu")
    SESSIONS.withdraw(session.pk, word=word)
    assert "Tournament ranking" not in words(Client(headers=ENGLISH).get(url))
    publish(session, by=director)
    assert "Tournament ranking" in words(Client(headers=ENGLISH).get(url))


def test_page_asks_why_a_ranking_is_reopened_or_taken_back(tournament, director):
    published_sessions(tournament, by=director)
    browser = browser_of(director)
    browser.post(address(tournament, "tournament_publish"))
    browser.post(address(tournament, "tournament_step", "official"))
    page = browser.get(address(tournament, "tournament_publish")).content.decode()
    assert ('id="reopen_reason"' in page, 'id="withdraw_reason"' in page) == (True, True)


def test_what_cannot_be_published_is_told(tournament, director):
    page = browser_of(director).post(address(tournament, "tournament_publish"))
    assert "With one session" in words(page)
    assert not tournament.publications.exists()


@pytest.mark.nightly("story")
def test_official_figures_are_corrected_for_a_reason(tournament, director, published):
    say(publishing.TOURNAMENTS.make_official, tournament, director)
    published_sessions(tournament, by=director, count=1)
    Session.objects.filter(tournament=tournament, number=1).update(coefficient=2)
    browser = browser_of(director)
    assert browser.post(address(tournament, "tournament_publish"), {"reason": ""}).status_code == 200
    assert tournament.publications.first().version == 2
    browser.post(address(tournament, "tournament_publish"), {"reason": "coefficient oublié"})
    assert tournament.publications.first().reason == "coefficient oublié"
