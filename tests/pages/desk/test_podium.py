"""The end of the evening: the podium on the hall screen, the desk, and the lists of sessions."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.models import Player
from evenings.plays.common import kept_common
from evenings.practice import make_practice
from evenings.sessions.running import close_session
from pages.desk.podium import PLACES, list_hall_places
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import enter_all, publish
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Publication, Session

pytestmark = pytest.mark.django_db
SITE = {"HTTP_HOST": "topage.example"}


@pytest.fixture(autouse=True)
def hosts(settings):
    settings.ALLOWED_HOSTS = ["*"]


session = shared_evenings.started_with_two_positions


@pytest.fixture
def published(session, director):
    enter_all(session, by=director)
    publish(session, by=director)
    return Session.objects.select_related("tournament__club").get(pk=session.pk)


def look(session, language="en", **asked):
    return Client(headers={"accept-language": language}).get(session_url("hall", session), asked, **SITE)


def first_names(session):
    data = session.publications.first().data["players"]
    firsts = sorted((player for player in data if player["rank_alterne"] <= 3), key=lambda each: each["rank_alterne"])
    people = session.entrants.select_related("player").in_bulk()
    return [people[player["id"]].name for player in firsts]


@pytest.mark.nightly("story")
def test_hall_turns_to_the_podium_when_published(published):
    page = look(published)
    told = words(page)
    assert "The ranking, provisional" in told
    places = [told.index(name) for name in first_names(published)]
    assert places == sorted(places)
    assert "Who sits where" not in page.content.decode()
    assert re.search(r"<svg[^>]*>.*</svg>", page.content.decode(), re.S)
    assert "Le classement, provisoire" in words(look(published, "fr"))


@pytest.mark.nightly("story")
def test_who_asks_for_the_tables_still_finds_them(published):
    assert "Table 2" in words(look(published, by="table"))
    assert "Nom001" in words(look(published, q="Nom001"))


def test_code_is_left_out_where_no_phone_would_find_the_site(published):
    page = Client().get(session_url("hall", published), HTTP_HOST="localhost")
    assert "hall-code" not in page.content.decode()


def test_podium_names_everybody_by_the_name_of_today(published):
    first = first_names(published)[0]
    entrant = next(each for each in published.entrants.select_related("player") if each.name == first)
    Player.objects.filter(pk=entrant.player_id).update(first_name="Anne-Éléonore", last_name="De La Rochefoucauld")
    kept_common.cache_clear()
    assert "Anne-Éléonore" in words(look(published))


def set_session(session, **values):
    row = Session.objects.get(pk=session.pk)
    Session.objects.filter(pk=session.pk).update(revision=row.revision + 1, **values)


def test_ranking_that_is_not_shown_is_not_shown_here(published):
    set_session(published, shows_ranking=False)
    told = words(look(published))
    assert "Thank you, and good night." in told
    assert first_names(published)[0] not in told


@pytest.mark.nightly("story")
def test_ranking_that_is_taken_back_leaves_the_screen(published, director):
    first = published.publications.get()
    given = {name: getattr(first, name) for name in ("session", "results_version", "data", "digest")}
    given |= {"published_by": director, "published_at": timezone.now()}
    Publication.objects.create(version=2, status="withdrawn", reason="étui 4 relu", **given)
    set_session(published)
    told = words(look(published))
    assert "The results are being checked." in told
    assert first_names(published)[0] not in told
    Publication.objects.create(version=3, status="official", **given)
    set_session(published)
    assert "The ranking, official" in words(look(published))


def test_evening_that_is_closed_before_its_publication_says_so_everywhere(session, director):
    close_session(session_id=session.pk, by=director, now=timezone.now())
    assert "The results are being checked." in words(look(session))
    assert "The evening is over" in words(look(session))
    desk = browser_of(director).get(session_url("session", session))
    assert "closed at" in words(desk)
    assert "Call position" not in words(desk)
    for page in (
        desk,
        Client(headers={"accept-language": "en"}).get(f"/clubs/club/tournaments/{session.tournament.slug}/"),
    ):
        assert "over" in words(page)
        assert "under way" not in words(page)


@pytest.mark.nightly("story")
def test_desk_closes_the_evening_and_opens_it_again(session, director):
    browser, address = browser_of(director), session_url("closing", session)
    page = browser.get(session_url("session", session))
    assert "10 results are missing." in words(page)
    page = browser.post(address, {"do": "close"}, follow=True)
    assert "Open the evening again" in words(page)
    page = browser.post(address, {"do": "reopen", "reason": " "}, follow=True)
    assert "The reason is missing" in words(page)
    assert Session.objects.get(pk=session.pk).closed_at is not None
    browser.post(address, {"do": "reopen", "reason": "étui oublié"}, follow=True)
    assert Session.objects.get(pk=session.pk).closed_at is None
    assert "Evening reopened; reason: étui oublié" in words(browser.get(session_url("log", session)))


def test_equals_share_their_place_on_the_podium(published):
    outcome = kept_outcome(published)
    ranks = [1, 1, 3, 3, 3, 6, *[7] * 100]
    by_entrant = {
        player.id: replace(player, rank_alterne=rank) for player, rank in zip(outcome.players, ranks, strict=False)
    }
    outcome = outcome._replace(by_entrant=by_entrant)
    podium = list_hall_places(common(published), outcome, PLACES)
    assert [place.rank for place in podium] == [1, 1, 3, 3, 3]


def common(session):
    return kept_common(session.pk, 0, 0)


def kept_outcome(session):
    kept_common.cache_clear()
    return common(session).outcome


@pytest.mark.nightly("story")
def test_screen_that_waits_costs_one_query_and_the_podium_few(published, django_assert_num_queries):
    page = look(published)
    seen = re.search(r"seen=(\w+)", page.content.decode())[1]
    headers = {"hx-request": "true"}
    with django_assert_num_queries(1):
        answer = Client(headers=headers | {"accept-language": "en"}).get(
            session_url("hall", published), {"seen": seen}, **SITE
        )
    assert answer.status_code == 204
    kept_common.cache_clear()
    with CaptureQueriesContext(connection) as asked:
        look(published)
    assert len(asked) <= 12


@pytest.mark.nightly("story")
def test_practice_has_its_podium_without_a_code(session, director):
    practice = make_practice(club=session.tournament.club, by=director, now=timezone.now())
    enter_all(practice, by=director, plays=practice.plays.filter(entries=None, is_replay=False).select_related("etui"))
    publish(practice, by=director, allow_missing=True)
    close_session(session_id=practice.pk, by=director, now=timezone.now())
    page = browser_of(director).get(session_url("hall", practice), **SITE)
    assert "The ranking, provisional" in words(page)
    assert "This is a practice evening" in words(page)
    assert "hall-code" not in page.content.decode()
    assert look(practice).status_code == 404


def test_whole_ranking_is_there_for_the_screen_that_asks(published, director):
    names = [entrant.public_name for entrant in published.entrants.select_related("player__person")]
    told = words(look(published, ranking=""))
    assert [name for name in names if name not in told] == []
    places = [told.index(name) for name in first_names(published)]
    assert places == sorted(places)
    assert names[0] not in words(look(published)) or names[0] in first_names(published)
    set_session(published, shows_ranking=False)
    told = words(look(published, ranking=""))
    assert [name for name in names if name in told] == []
