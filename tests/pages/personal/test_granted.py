"""A granted correction on the player's page: first that figures will follow, then the version that has them."""

import datetime as dt

import pytest
from django.utils import timezone

from evenings.plays.entering import annul_play, correct_result
from evenings.requests.deciding import accept_request, correct_as_requested
from pages.doors import session_url
from rankings.publication.publishing import SESSIONS
from tests import shared_evenings
from tests.evenings.requests.world import Four, visit
from tests.factories import garde, published_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import CorrectionRequest, Publication, Session
from tournaments.versions import DirectorWord

FOLLOWS = "The figures follow with the next version of the ranking"


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return published_session()


session = shared_evenings.evening_read_with_nothing_cached


@pytest.fixture
def four(session):
    return Four(session)


@pytest.fixture
def publish(session, director):
    def publish_now(now=None):
        return SESSIONS.publish(session.pk, DirectorWord(director, now or timezone.now(), "corrected"))

    return publish_now


@pytest.fixture
def correct(session, four, director):
    def correct_now(points=61, *, now=None):
        request = four.ask()
        play = four.play
        seen = play.entries.get(current=True).version
        told = {
            "entry": garde(play.etui.taker, points=points),
            "seen_version": seen,
            "reason": "misread",
            "by": director,
        }
        correct_as_requested(session_id=session.pk, request_id=request.pk, now=now or timezone.now(), **told)
        return request

    return correct_now


def link_to(session, version):
    return f'href="{session_url("ranking_version", session, version)}"'


def test_version_that_contains_it_is_named_once_there_is_one(session, four, correct, publish):
    correct()
    page = visit(four.asker)
    assert (FOLLOWS in words(page), link_to(session, 1) in page.content.decode()) == (True, False)
    publish()
    page = visit(four.asker)
    assert FOLLOWS not in words(page)
    assert "Version 2 of the ranking, of" in words(page)
    assert link_to(session, 2) in page.content.decode()


@pytest.mark.nightly("story")
def test_first_version_with_it_stays_named_when_others_follow(session, four, director, correct, publish):
    correct()
    publish()
    other = session.plays.exclude(pk=four.play.pk).first()
    told = {
        "entry": garde(other.etui.taker, points=61),
        "seen_version": 1,
        "reason": "misread",
        "by": director,
        "now": timezone.now(),
    }
    correct_result(play_id=other.pk, **told)
    publish()
    assert "Version 2 of the ranking, of" in words(visit(four.asker))


@pytest.mark.nightly("story")
def test_version_is_found_by_its_results_although_a_clock_was_wrong(four, correct, publish):
    correct(now=timezone.now() + dt.timedelta(hours=3))
    publish()
    assert "Version 2 of the ranking, of" in words(visit(four.asker))


def test_version_of_before_the_taking_back_is_not_named(session, four, director, correct, publish):
    correct()
    publish()
    SESSIONS.withdraw(session.pk, word=DirectorWord(director, timezone.now(), "étui 4"))
    annul_play(play_id=four.play.pk, reason="fouled", by=director, now=timezone.now())
    publish()
    page = visit(four.asker)
    assert "Version 4 of the ranking, of" in words(page)
    assert link_to(session, 2) not in page.content.decode()


def test_request_granted_before_versions_were_kept_is_found_by_its_time(four, correct, publish):
    request = correct()
    publish()
    CorrectionRequest.objects.filter(pk=request.pk).update(results_version=None)
    assert "Version 2 of the ranking, of" in words(visit(four.asker))


def grant_otherwise(session, request, director):
    accept_request(session_id=session.pk, request_id=request.pk, by=director, now=timezone.now(), answer="annulled")


@pytest.mark.nightly("story")
@pytest.mark.parametrize("ruled", ["before", "after"])
def test_request_granted_by_a_ruling_names_the_version_with_it(session, four, director, publish, ruled):
    request = four.ask()
    if ruled == "after":
        grant_otherwise(session, request, director)
        page = words(visit(four.asker))
        assert (FOLLOWS in page, "of the ranking, of" in page) == (False, False)  # no figure has changed yet
    annul_play(play_id=four.play.pk, reason="fouled", by=director, now=timezone.now())
    if ruled == "before":
        grant_otherwise(session, request, director)
    assert FOLLOWS in words(visit(four.asker))
    publish()
    page = words(visit(four.asker))
    assert (FOLLOWS in page, "Version 2 of the ranking, of" in page) == (False, True)


def test_ranking_that_is_not_shown_is_named_without_a_link(session, four, correct, publish):
    correct()
    publish()
    Session.objects.filter(pk=session.pk).update(shows_ranking=False)
    page = visit(four.asker)
    assert "Version 2 of the ranking, of" in words(page)
    assert link_to(session, 2) not in page.content.decode()


@pytest.mark.nightly("story")
def test_director_reads_the_same_of_a_granted_request(session, four, director, correct, publish):
    request = correct()
    address = session_url("session_request", session, request.pk)
    assert "with the next version of the ranking" in words(browser_of(director).get(address))
    publish()
    page = words(browser_of(director).get(address))
    assert ("with the next version" in page, "Version 2 of the ranking, of" in page) == (False, True)


@pytest.mark.nightly("story")
def test_versions_are_asked_for_once_whatever_was_granted(session, four, correct, publish, django_assert_num_queries):
    correct()
    publish()
    assert Publication.objects.count() == 2
    visit(four.asker)
    with django_assert_num_queries(7):  # link, session, publication, requests with players and answers, versions
        visit(four.asker)
    correct(62)
    with django_assert_num_queries(7):
        visit(four.asker)
