"""The pages on which a team leaves a running session or comes late."""

import pytest

from pages.doors import session_url
from tests.evenings.teams.evening import make_teams
from tests.pages.reading import words
from tournaments.models import Team

pytestmark = pytest.mark.django_db


@pytest.mark.guard("a team leaves during an evening")
def test_team_leaves_once_its_consequences_were_seen(session, browser):
    assert "Une équipe s’en va" in words(browser.get(session_url("changes", session)))
    url, who = session_url("change", session, "leave"), session.entrants.get(number=2)
    page = words(browser.post(url, {"who": who.pk, "after": 0, "go": 1})).replace("\xa0", " ")
    assert "Conséquences" in page
    assert session.plans.count() == 1
    assert "Position 1 : repos pour" in page
    browser.post(url, {"who": who.pk, "after": 0, "go": 1, "shown": f"{who.pk}-0", "seen": 1})
    page = words(browser.get(session_url("changes", session)))
    assert "Les Bouts ne joue pas." in page
    browser.post(session_url("change_undo", session), {"seen": 2})
    assert session.entrants.get(number=2).last_position is None


@pytest.mark.nightly("story")
def test_late_team_is_chosen_from_those_that_can_play(session, browser):
    url = session_url("change", session, "arrive")
    assert "Aucune autre équipe ne peut jouer" in words(browser.get(url))
    make_teams(session.tournament, 1, first=9)
    late = Team.objects.get(number=9)
    page = words(browser.post(url, {"who": late.pk, "after": 1})).replace("\xa0", " ")
    assert "Position 2 : repos pour" in page
    browser.post(url, {"who": late.pk, "after": 1, "go": 1, "shown": f"{late.pk}-1", "seen": 1})
    assert "Équipe 9 joue à partir de la position 2." in words(browser.get(session_url("changes", session)))


def test_page_seen_before_another_change_shows_the_consequences_again(session, browser):
    url, who = session_url("change", session, "leave"), session.entrants.get(number=2)
    page = words(browser.post(url, {"who": who.pk, "after": 0, "go": 1, "shown": f"{who.pk}-0", "seen": 7}))
    assert "Quelque chose a changé entre-temps" in page
    assert session.entrants.get(number=2).last_position is None


@pytest.mark.nightly("story")
def test_unknown_change_is_no_page(session, browser):
    assert browser.get(session_url("change", session, "substitute")).status_code == 404
