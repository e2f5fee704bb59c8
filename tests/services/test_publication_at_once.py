"""The publishing of a ranking by several people at once, and its becoming official: each happens once."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pages.doors import session_url
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS
from tests.factories import enter_all, make_director, make_tournament, published_session, started_session
from tests.rankings.events.several import published_sessions
from tests.services.test_standings_jobs import in_threads
from tests.services.waiting import wait_until
from tournaments.models import Publication, TournamentPublication
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


def end_window(versions=Publication):
    versions.objects.update(official_from=timezone.now() - dt.timedelta(hours=1))


def told(published):
    """Return the versions of a session or of a tournament."""
    return list(published.publications.order_by("version").values_list("version", "status"))


@pytest.fixture
def tournament():
    """Publish two sessions of a tournament with a director, and return the tournament."""
    tournament = make_tournament()
    published_sessions(tournament, by=make_director(tournament.club))
    return tournament


def publish_ranking(tournament):
    word = DirectorWord(tournament.club.memberships.get().user, timezone.now())
    return TOURNAMENTS.publish(tournament.pk, word).version


def test_session_published_twice_at_once_has_one_version():
    session = started_session()
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    now = timezone.now()

    def publish():
        return SESSIONS.publish(session.pk, DirectorWord(director, now)).version

    assert in_threads([publish] * 4) == [1] * 4
    assert told(session) == [(1, "provisional")]
    assert session.log.filter(action="published").count() == 1


def test_two_visits_at_once_after_the_window_make_it_official_once():
    session = published_session()
    end_window()
    url = session_url("ranking", session)
    answers = in_threads([lambda: Client().get(url).status_code] * 6)
    assert answers == [200] * 6
    assert told(session) == [(1, "provisional"), (2, "official")]
    assert session.log.filter(action="ranking_official").count() == 1


def test_sweeps_at_once_make_it_official_once():
    session = published_session()
    end_window()
    in_threads([lambda: SESSIONS.settle(session.pk)] * 6)
    assert told(session) == [(1, "provisional"), (2, "official")]


def test_sweep_makes_official_what_nobody_looks_at(start_worker):
    session = published_session()
    end_window()
    start_worker(sweep_seconds=1)
    wait_until(lambda: len(told(session)) == 2, what="the sweep")
    assert told(session)[-1] == (2, "official")


def lines(tournament, action):
    return [session.log.filter(action=action).count() for session in tournament.sessions.order_by("number")]


def test_tournament_published_by_several_at_once_has_one_version(tournament):
    assert in_threads([lambda: publish_ranking(tournament)] * 4) == [1] * 4
    assert told(tournament) == [(1, "provisional")]
    assert lines(tournament, "tournament_published") == [1, 1]


def test_visits_and_sweeps_at_once_after_its_window_make_a_tournament_official_once(tournament):
    publish_ranking(tournament)
    end_window(TournamentPublication)
    url = reverse("tournament_ranking", args=[tournament.club.slug, tournament.slug])
    visits = [lambda: Client().get(url).status_code] * 4
    answers = in_threads([*visits, *[lambda: TOURNAMENTS.settle(tournament.pk)] * 2])
    assert answers[:4] == [200] * 4
    assert told(tournament) == [(1, "provisional"), (2, "official")]
    assert lines(tournament, "tournament_official") == [1, 1]
