"""The places where a director chooses triplettes: the first page, the club's usual evening, the API."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import ClubSettings
from tests.factories import DATE, make_club, make_director
from tests.tournaments.api.conftest import Client
from tests.tournaments.browsing import browser_of
from tests.tournaments.pages import words
from tests.tournaments.teams.evening import make_teams
from tournaments.models import Tournament
from tournaments.sessions.setup import create_session, create_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return make_director(make_club())


@pytest.fixture
def club(user):
    return user.memberships.get().club


def test_first_page_creates_a_tournament_of_triplettes(club, user):
    page = browser_of(user).get(reverse("tournament_new", args=[club.slug]))
    assert "two teams of three players meet at each table" in words(page)
    browser_of(user).post(reverse("tournament_new", args=[club.slug]), {"name": "Été", "auction": "triplettes"})
    assert Tournament.objects.get().format == "triplettes"


def test_clubs_usual_evening_may_be_triplettes(club, user):
    change_settings(club, {"format": "triplettes"}, now=timezone.now(), by=user)
    assert ClubSettings.objects.get(club=club).format == "triplettes"
    page = browser_of(user).get(reverse("club_settings", args=[club.slug]))
    assert page.context["form"]["auction"].value() == "triplettes"
    page = browser_of(user).get(reverse("tournament_new", args=[club.slug]))
    assert page.context["form"]["auction"].value() == "triplettes"


def test_api_creates_triplettes_and_changes_them_while_nobody_is_there(club, user):
    director = Client(user)
    made = director.post("clubs/club/tournaments/", {"name": "Été", "format": "triplettes"}, status=201)
    assert (made["format"], made["auction"]) == ("triplettes", "imposed")
    path = f"tournaments/{made['id']}/"
    assert director("PATCH", path, {"auction": "imposed"})["format"] == "triplettes"
    assert director("PATCH", path, {"format": "individual"})["format"] == "individual"
    assert director("PATCH", path, {"format": "triplettes"})["format"] == "triplettes"
    wrong = {"name": "Été", "format": "triplettes", "auction": "free"}
    assert director.refused("POST", "clubs/club/tournaments/", wrong, status=400) == "unknown_value"
    assert director.refused("POST", "clubs/club/tournaments/", {"name": "É", "format": "duo"}, status=400) == "invalid"


def test_teams_that_are_there_keep_the_tournament_one_of_teams(club, user):
    tournament = create_tournament(club=club, name="Été", format="triplettes", now=timezone.now())
    create_session(tournament=tournament, date=DATE)
    make_teams(tournament, 1)
    answer = Client(user).refused("PATCH", f"tournaments/{tournament.pk}/", {"format": "individual"}, status=422)
    assert answer == "format_has_players"
    address = reverse("tournament_rules", args=[club.slug, tournament.slug])
    form = browser_of(user).get(address).context["form"]
    given = {field.name: "" if (value := field.value()) is None else value for field in form}
    page = browser_of(user).post(address, given | {"auction": "imposed"})
    assert "create another tournament for this format" in words(page)
    tournament.refresh_from_db()
    assert tournament.format == "triplettes"
