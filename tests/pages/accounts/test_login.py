"""The log-in: the page to which it leads, and the cache headers of pages for accounts."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from api.tokens import make_api_token
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import (
    PASSWORD,
    draft_session,
    enter_all,
    make_club,
    make_helper,
    make_tournament,
    make_user,
    publish,
    started_session,
)
from tournaments.models import Session

pytestmark = pytest.mark.django_db


def landing(user, **more):
    answer = Client().post(reverse("login"), {"username": user.username, "password": PASSWORD} | more)
    assert answer.status_code == 302
    return answer["Location"]


@pytest.fixture
def club():
    return make_club()


director = shared_evenings.director_of_club


def tonight(session, **when):
    Session.objects.filter(pk=session.pk).update(
        date=timezone.localdate(timezone.now() - dt.timedelta(hours=6)), **when
    )
    return session


def test_log_in_leads_to_the_club_where_there_is_nothing_tonight(club, director):
    started_session(make_tournament(club))
    assert landing(director) == reverse("club", args=[club.slug])


@pytest.mark.nightly("story")
def test_log_in_leads_to_the_session_of_tonight(club, director):
    draft = tonight(draft_session(make_tournament(club)))
    assert landing(director) == session_url("session", draft)
    helper = make_helper(club)
    assert landing(helper) == reverse("club", args=[club.slug])
    running = tonight(started_session(make_tournament(club, name="Autre")))
    assert [landing(user) for user in (director, helper)] == [session_url("session", running)] * 2


@pytest.mark.nightly("story")
def test_log_in_leads_to_the_session_that_is_not_yet_published(club, director):
    afternoon = tonight(started_session(make_tournament(club, name="Après-midi")))
    enter_all(afternoon, by=director)
    publish(afternoon, by=director)
    assert landing(director) == session_url("session", afternoon)
    evening = tonight(draft_session(make_tournament(club, name="Soirée")))
    assert landing(director) == session_url("session", evening)


@pytest.mark.nightly("story")
def test_log_in_leads_to_no_session_of_another_club_or_that_is_put_away(club, director):
    tonight(started_session(make_tournament(make_club("ailleurs", "Ailleurs"))))
    tonight(started_session(make_tournament(club)), put_away_at=timezone.now())
    assert landing(director) == reverse("club", args=[club.slug])


def test_log_in_leads_to_all_clubs_where_there_are_several_or_none(club, director):
    director.memberships.create(club=make_club("autre", "Autre"), role="director")
    assert landing(director) == reverse("home")
    assert landing(make_user("nobody")) == reverse("home")


def test_log_in_leads_back_to_the_page_that_asked_for_it(club, director):
    tonight(draft_session(make_tournament(club)))
    assert landing(director, next="/rules/") == "/rules/"


@pytest.mark.nightly("story")
def test_pages_of_who_is_logged_in_are_private_and_those_of_readers_are_not(club, director):
    session = started_session(make_tournament(club))
    enter_all(session, by=director)
    publish(session, by=director)
    reader, client = Client(), Client()
    client.force_login(director)
    for path in ("/", session_url("ranking", session), reverse("club", args=[club.slug])):
        assert "private" in client.get(path)["Cache-Control"]
        assert "private" not in reader.get(path).get("Cache-Control", "")


@pytest.mark.nightly("story")
def test_answers_of_the_api_to_an_account_are_not_stored(club, director):
    session = started_session(make_tournament(club))
    client = Client()
    client.force_login(director)
    program = Client(headers={"authorization": f"Token {make_api_token(director)}"})
    for path in ("clubs/", f"sessions/{session.pk}/", f"tournaments/{session.tournament_id}/"):
        assert "no-store" in client.get(f"/api/v1/{path}")["Cache-Control"]
        assert "no-store" not in Client().get(f"/api/v1/{path}").get("Cache-Control", "")
        assert "no-store" in client.head(f"/api/v1/{path}")["Cache-Control"]
        assert "no-store" in program.get(f"/api/v1/{path}")["Cache-Control"]
