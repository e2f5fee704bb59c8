"""The desk once every result is in: the steps that are left, and what the page Publication says then."""

import re

import pytest

from evenings.plays import desk_state
from pages.doors import session_url
from tests.factories import enter_all, make_director, publish, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]


@pytest.fixture
def evening(tournament):
    """Return a session that has begun, a director, and the director's browser."""
    user = make_director(tournament.club)
    return started_session(tournament), user, browser_of(user)


def read_steps(desk, session):
    """Return what the desk says after "After the evening", or "" before, and the id of its primary link."""
    desk_state.kept.clear()  # the results of these tests are stored without a new version
    page = desk.get(session_url("session", session))
    text = words(page)
    after = text.split("After the evening")[-1] if "After the evening" in text else ""
    primary = re.findall(r'id="([\w-]+)"\s+class="button button-primary"', page.content.decode())
    return after, primary


def test_desk_shows_the_steps_that_are_left_and_one_next_step(evening):
    session, user, desk = evening
    assert read_steps(desk, session)[0] == ""
    enter_all(session, by=user)
    after, primary = read_steps(desk, session)
    left = r" To look at \d+ See the first Publish {} Put up and print Papers "
    assert re.match(left.format("not published Publish"), after)
    assert primary == ["after-doubts"]
    publish(session, by=user)
    after, primary = read_steps(desk, session)
    assert re.match(left.format("version 1 Publication") + "Make it official provisional by itself on ", after)
    assert primary == ["after-doubts"]


def test_publication_announces_nothing_where_nothing_would_be_published(evening):
    session, user, desk = evening
    enter_all(session, by=user)
    due = words(desk.get(session_url("publish", session)))
    assert "What happens" in due
    assert "The published ranking" not in due
    publish(session, by=user)
    page = desk.get(session_url("publish", session))
    text = words(page)
    assert "What happens" not in text
    assert "Nothing has changed since: readers see this version." in text
    assert "button-primary" not in page.content.decode().split("<main")[1]
    places = [
        text.index(said) for said in ("The published ranking", "Files", "What readers see", "Make it official now")
    ]
    assert places == sorted(places)
