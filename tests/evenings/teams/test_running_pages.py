"""The pages of a running session of triplettes for its director and for readers: desk, plan, hall, prints, log."""

import pytest

from pages.doors import session_url
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.nightly("story")

FOR_DIRECTORS = (
    "session",
    "session_plan",
    "hall",
    "prints",
    "log",
    "bulk",
    "personal_links",
    "session_edit",
)


@pytest.mark.parametrize("name", FOR_DIRECTORS)
def test_pages_of_the_desk_answer(session, browser, name):
    assert browser.get(session_url(name, session)).status_code == 200


@pytest.mark.parametrize("name", ["session", "session_plan", "hall"])
def test_pages_for_readers_answer(session, name):
    assert browser_of().get(session_url(name, session)).status_code == 200


def test_plan_names_both_teams_of_a_table_and_their_sides(session, browser):
    page = words(browser.get(session_url("session_plan", session)))
    assert "Nord-Sud" in page
    assert "Est-Ouest" in page
    assert page.count("Les Bouts") >= session.positions
