"""The checklist of a new club: it follows from the club's rows, and ends with the first publication."""

import pytest
from django.urls import reverse

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.checklist import first_steps
from evenings.sessions.setup import create_session
from pages.doors import session_url
from tests.factories import DATE, draft_session, enter_all, make_club, make_director, make_tournament, publish
from tests.factories import start as start_evening
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words

pytestmark = pytest.mark.django_db


def done(club):
    return [step.done for step in first_steps(club)]


@pytest.mark.nightly("story")
def test_new_club_begins_with_its_players():
    club = make_club()
    page = browser_of(make_director(club)).get(reverse("club", args=[club.slug]))
    assert done(club) == [False] * 7
    assert "Until your first evening is published" in words(page)
    assert "Try it with invented players" in words(page)
    assert {reverse("players", args=[club.slug]), reverse("tournament_new", args=[club.slug])} <= set(read(page).links)


@pytest.mark.nightly("story")
def test_each_step_is_done_by_what_is_there():
    tournament = make_tournament()
    club = tournament.club
    add_players(club=club, lines=[RosterLine("Aubert", "Zoé")])
    assert done(club) == [True, *[False] * 6]
    create_session(tournament=tournament, date=DATE)
    assert done(club) == [True, True, *[False] * 5]
    draft_session(tournament)
    assert done(club) == [True, True, True, True, False, False, False]
    session = start_evening(tournament, None)
    assert done(club) == [*[True] * 5, False, False]
    director = make_director(club)
    page = browser_of(director).get(reverse("club", args=[club.slug]))
    assert session_url("session", session) in read(page).links
    enter_all(session, by=director)
    assert done(club) == [*[True] * 6, False]
    publish(session, by=director)
    assert done(club) == []
    page = browser_of(director).get(reverse("club", args=[club.slug]))
    assert "Until your first evening" not in words(page)


def test_nobody_else_sees_it():
    club = make_club()
    for client in (browser_of(make_director(make_club(), "ailleurs")),):
        page = words(client.get(reverse("club", args=[club.slug])))
        assert "Until your first evening" not in page
        assert "invented players" not in page
