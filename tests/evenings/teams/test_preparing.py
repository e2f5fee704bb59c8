"""The pages that prepare a session of triplettes, from its teams to its start."""

import pytest
from django.utils import timezone

from pages.doors import session_url
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.test_starting import prepare
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Session, Team

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Session:
    session = prepare(make_team_tournament(teams=6), positions=3)
    session.entrants.all().delete()
    return session


def test_evening_goes_from_teams_to_start_by_its_pages(session, browser):
    assert "Aucune équipe n’a de numéro" in words(browser.get(session_url("session", session)))
    page = words(browser.get(session_url("entrants", session)))
    assert "Les Bouts" in page
    assert "Prénom01 Fam101" in page
    teams = list(Team.objects.values_list("pk", flat=True))
    browser.post(session_url("entrants", session), {"team": teams, "action": "number"})
    assert session.entrants.count() == 6
    page = words(browser.get(session_url("plan_choose", session)))
    assert "chaque équipe rencontre les autres" in page.lower()
    assert "12 étuis à remplir" in page
    browser.post(session_url("start", session))
    session.refresh_from_db()
    assert session.status == Session.Status.RUNNING


def test_director_chooses_another_movement_and_cancels_it(session, browser):
    teams = list(Team.objects.values_list("pk", flat=True))
    browser.post(session_url("entrants", session), {"team": teams, "action": "draw"})
    url = session_url("plan_choose", session)
    browser.post(url, {"action": "choose", "choice": 1, "shape": "6-3-4-0"})
    assert session.plans.get().code == "two_lines"
    assert "Choisi" in words(browser.get(url))
    browser.post(url, {"action": "forget"})
    assert not session.plans.exists()


@pytest.mark.nightly("story")
def test_teams_that_lack_a_member_are_named_and_cannot_be_chosen(session, browser):
    team = Team.objects.get(number=3)
    member = team.members.get(place=2)
    member.ended_at = timezone.now()
    member.save()
    page = words(browser.get(session_url("entrants", session)))
    assert "Équipes qui attendent un joueur" in page
    answer = browser.post(session_url("entrants", session), {"team": [team.pk], "action": "number"})
    assert answer.status_code == 409
    assert "Équipe 3 compte 2 joueurs" in words(answer)
    assert not session.entrants.exists()


@pytest.mark.nightly("crawl")
def test_numbers_that_no_team_has_are_refused_and_no_error(session, browser):
    """Check it for a number of more digits than Python reads, too."""
    for sent in ("999999999", "9" * 5000, "-1", "x"):
        answer = browser.post(session_url("entrants", session), {"team": [sent], "action": "number"})
        assert answer.status_code in (302, 409)
        assert not session.entrants.exists()


@pytest.mark.nightly("story")
def test_without_teams_the_pages_say_what_is_missing(session, browser):
    for team in Team.objects.all():
        team.left_at = timezone.now()
        team.save()
    assert "Aucune équipe ne peut encore jouer" in words(browser.get(session_url("entrants", session)))
    assert "dépendent du nombre d’équipes" in words(browser.get(session_url("plan_choose", session)))


def test_pages_ask_the_database_as_often_for_more_teams(django_assert_max_num_queries):
    session = prepare(make_team_tournament(teams=12), positions=3)
    browser = browser_of(make_director(session.tournament.club))
    for name in ("entrants", "plan_choose"):
        with django_assert_max_num_queries(16):
            browser.get(session_url(name, session))
