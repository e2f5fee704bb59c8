"""The places where a director chooses a form of teams: the first page, the club's usual evening, the API."""

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.house import change_settings
from clubs.models import ClubSettings
from evenings.sessions.setup import create_session, create_tournament
from tests.api.conftest import Client
from tests.evenings.teams.evening import make_teams
from tests.factories import DATE, make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return make_director(make_club())


@pytest.fixture
def club(user):
    return user.memberships.get().club


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("triplettes", "two teams meet at each table"),
        ("quadrettes", "one of them attacks all session"),
    ],
)
def test_first_page_creates_a_tournament_of_teams(club, user, form, said):
    page = browser_of(user).get(reverse("tournament_new", args=[club.slug]))
    assert said in words(page)
    browser_of(user).post(reverse("tournament_new", args=[club.slug]), {"name": "Été", "auction": form})
    assert Tournament.objects.get().format == form


@pytest.mark.parametrize("form", ["triplettes", "quadrettes"])
def test_clubs_usual_evening_may_be_one_of_teams(club, user, form):
    change_settings(club, {"format": form}, now=timezone.now(), by=user)
    assert ClubSettings.objects.get(club=club).format == form
    page = browser_of(user).get(reverse("club_settings_usual", args=[club.slug]))
    assert page.context["form"]["auction"].value() == form
    page = browser_of(user).get(reverse("tournament_new", args=[club.slug]))
    assert page.context["form"]["auction"].value() == form


@pytest.mark.parametrize("form", ["triplettes", "quadrettes"])
def test_api_creates_a_form_of_teams_and_changes_it_while_nobody_is_there(club, user, form):
    director = Client(user)
    made = director.post("clubs/club/tournaments/", {"name": "Été", "format": form}, status=201)
    assert (made["format"], made["auction"]) == (form, "imposed")
    path = f"tournaments/{made['id']}/"
    assert director("PATCH", path, {"auction": "imposed"})["format"] == form
    assert director("PATCH", path, {"format": "individual"})["format"] == "individual"
    assert director("PATCH", path, {"format": form})["format"] == form
    wrong = {"name": "Été", "format": form, "auction": "free"}
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
