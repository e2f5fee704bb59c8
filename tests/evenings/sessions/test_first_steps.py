"""The checklist of a new club: it follows from the club's rows, and ends with the first publication."""

import pytest
from django.urls import reverse

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.sessions.checklist import first_steps
from evenings.sessions.setup import create_session
from pages.doors import session_url
from tests.factories import (
    DATE,
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_tournament,
    publish,
    published_session,
)
from tests.factories import start as start_evening
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import Session

pytestmark = pytest.mark.django_db


def done(club):
    return [step.done for step in first_steps(club)]


@pytest.mark.nightly("story")
def test_new_club_begins_with_its_players():
    club = make_club()
    page = browser_of(make_director(club)).get(reverse("club", args=[club.slug]))
    assert done(club) == [True, *[False] * 4]
    assert "Your first evening, in five steps" in words(page)
    assert "Try it with invented players" in words(page)
    assert {reverse("players", args=[club.slug]), reverse("tournament_new", args=[club.slug])} <= set(read(page).links)


@pytest.mark.nightly("story")
def test_each_step_is_done_by_what_is_there():
    tournament = make_tournament()
    club = tournament.club
    add_players(club=club, lines=[RosterLine("Aubert", "Zoé")])
    assert done(club) == [True, True, *[False] * 3]
    create_session(tournament=tournament, date=DATE)
    assert done(club) == [*[True] * 3, False, False]
    draft_session(tournament)
    assert done(club) == [*[True] * 3, False, False]
    session = start_evening(tournament, None)
    assert done(club) == [*[True] * 4, False]
    director = make_director(club)
    page = browser_of(director).get(reverse("club", args=[club.slug]))
    assert session_url("prints", session) in read(page).links
    enter_all(session, by=director)
    assert done(club) == [*[True] * 4, False]
    publish(session, by=director)
    assert done(club) == []
    page = browser_of(director).get(reverse("club", args=[club.slug]))
    assert "Your first evening, in" not in words(page)


def test_nobody_else_sees_it():
    club = make_club()
    for client in (browser_of(make_director(make_club(), "ailleurs")),):
        page = words(client.get(reverse("club", args=[club.slug])))
        assert "Your first evening, in" not in page
        assert "invented players" not in page


@pytest.mark.nightly("story")
def test_page_on_the_way_names_its_step_until_the_first_evening_is_published():
    tournament = make_tournament()
    club, director = tournament.club, make_director(tournament.club)
    draft, browser = draft_session(tournament), browser_of(director)
    players = reverse("players", args=[club.slug])
    assert "Step 2 of 5" not in words(browser.get(players))
    browser.get(reverse("club", args=[club.slug]))
    for address, step in ((players, 2), (reverse("tournament_new", args=[club.slug]), 3)):
        assert f"Step {step} of 5" in words(browser.get(address))
    for name in ("session", "entrants", "etuis"):
        assert "Step 4 of 5" in words(browser.get(session_url(name, draft)))
    draft.delete()
    session = published_session(make_tournament(club, name="Autre"), by=director)
    assert "Step 5 of 5" in words(browser.get(session_url("prints", session)))
    browser.get(reverse("club", args=[club.slug]))
    assert "Step 5 of 5" not in words(browser.get(session_url("prints", session)))


def test_first_evening_is_a_tournament_and_its_session_in_one_form():
    club = make_club()
    browser = browser_of(make_director(club))
    browser.get(reverse("club", args=[club.slug]))
    given = {"name": "Vendredi", "auction": "imposed", "date": "2026-11-20", "starts_at": "19:30"}
    address = reverse("tournament_new", args=[club.slug])
    refused = browser.post(address, given | {"date": ""})
    assert (refused.status_code, Session.objects.count()) == (200, 0)
    answer = browser.post(address, given)
    session = Session.objects.get()
    assert answer["Location"] == session_url("session", session)
    assert (str(session.date), f"{session.starts_at:%H:%M}", session.tournament.name) == (
        "2026-11-20",
        "19:30",
        "Vendredi",
    )
