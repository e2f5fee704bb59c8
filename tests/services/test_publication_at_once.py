"""A ranking published, and made official, by several at once, on connections of their own: each is done once."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import enter_all, make_director, published_session, started_session
from tests.services.test_standings_jobs import in_threads
from tests.services.waiting import wait_until
from tournaments.models import Publication
from tournaments.publication.publishing import publish_session
from tournaments.publication.standing import settle_session
from tournaments.web.doors import session_url

pytestmark = pytest.mark.django_db(transaction=True)


def end_window():
    Publication.objects.update(official_from=timezone.now() - dt.timedelta(hours=1))


def told(session):
    return list(session.publications.order_by("version").values_list("version", "status"))


def test_session_published_twice_at_once_has_one_version():
    session = started_session()
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    now = timezone.now()

    def publish():
        return publish_session(session_id=session.pk, by=director, now=now).version

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
    in_threads([lambda: settle_session(session.pk)] * 6)
    assert told(session) == [(1, "provisional"), (2, "official")]


def test_sweep_makes_official_what_nobody_looks_at(start_worker):
    session = published_session()
    end_window()
    start_worker(sweep_seconds=1)
    wait_until(lambda: len(told(session)) == 2, what="the sweep")
    assert told(session)[-1] == (2, "official")
