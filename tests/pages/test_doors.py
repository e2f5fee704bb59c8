"""The doors of pages: in which state of a session a page opens, where a refusal leads, and the queries about roles."""

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pages.doors import session_url
from tests.factories import draft_session, enter, make_director, make_helper, started_session
from tests.pages.browsing import browser_of

pytestmark = pytest.mark.django_db
BEGUN = ("standings", "penalties", "changes", "tables", "prints", "publish", "bulk", "hall", "session_plan")


@pytest.fixture
def draft():
    return draft_session()


@pytest.fixture
def running():
    return started_session()


def told(answer):
    return [str(message) for message in get_messages(answer.wsgi_request)]


def director_of(session):
    return browser_of(make_director(session.tournament.club))


@pytest.mark.parametrize("name", BEGUN)
def test_page_of_a_session_under_way_leads_back_before_its_start_and_says_why(draft, name):
    answer = director_of(draft).get(session_url(name, draft))
    assert (answer.status_code, answer.url) == (302, session_url("session", draft))
    assert told(answer) == ["The session has not started: start it first."]


@pytest.mark.parametrize("name", ["plan_choose", "entrants"])
def test_page_of_the_preparation_leads_to_the_session_after_its_start(running, name):
    answer = director_of(running).get(session_url(name, running))
    assert (answer.status_code, answer.url) == (302, session_url("session", running))
    assert len(told(answer)) == 1


@pytest.mark.parametrize("name", ["progress", "running_head", "hall"])
def test_refresh_before_the_start_takes_the_whole_page_along(draft, name):
    answer = director_of(draft).get(session_url(name, draft), headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (200, session_url("session", draft))


def test_stranger_is_led_to_the_session_without_a_word(draft):
    answer = browser_of().get(session_url("hall", draft))
    assert (answer.status_code, answer.url, told(answer)) == (302, session_url("session", draft), [])


def test_refused_action_leads_back_to_its_page_with_the_reason(running):
    director = director_of(running)
    answer = director.post(session_url("change_undo", running), {"seen": 99})
    assert (answer.status_code, answer.url) == (302, session_url("changes", running))
    assert len(told(answer)) == 1


@pytest.mark.nightly("story")
@pytest.mark.parametrize("name", ["session", "progress", "running_head", "bulk"])
@pytest.mark.parametrize("make", [make_director, make_helper])
def test_a_page_asks_for_nobodys_role_by_a_query_of_its_own(running, name, make):
    user = make(running.tournament.club)
    enter(running.plays.first(), by=make_director(running.tournament.club, "autre"))
    browser = browser_of(user)
    with CaptureQueriesContext(connection) as asked:
        browser.get(session_url(name, running))
    roles = [query["sql"] for query in asked if "clubs_membership" in query["sql"]]
    assert len([each for each in roles if "FROM clubs_user" in each]) == 1  # the account comes with its roles
    assert len(roles) == 1 + (name != "bulk")  # the desk and its polls read the role with the session's state, too
