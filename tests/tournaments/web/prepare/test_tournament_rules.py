"""The page of a tournament's settings."""

import pytest
from django.urls import reverse

from tests.factories import make_director, make_tournament
from tests.tournaments.browsing import browser_of, fields
from tests.tournaments.pages import words
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return make_tournament()


@pytest.fixture
def director(tournament):
    return browser_of(make_director(tournament.club))


def address(tournament, name="tournament_rules"):
    return reverse(name, args=[tournament.club.slug, tournament.slug])


def test_settings_begin_with_what_is_usual_and_are_kept(tournament, director):
    assert address(tournament) in director.get(address(tournament, "tournament")).content.decode()
    given = fields(director.get(address(tournament)))
    assert (given["least_share"], given["window_hours"], given["tie_1"]) == ("50", "48", "")
    assert "substitutes_ranked" in given
    del given["substitutes_ranked"]
    changed = given | {"least_share": "40", "tie_1": "defence", "tie_3": "draw", "window_hours": "0"}
    assert director.post(address(tournament), changed).url == address(tournament, "tournament")
    kept = Tournament.objects.get(pk=tournament.pk)
    assert (kept.least_share, kept.substitutes_ranked, kept.window_hours) == (40, False, 0)
    assert kept.ties == ["defence", "draw"]
    again = fields(director.get(address(tournament)))
    assert (again["tie_1"], again["tie_2"], again["tie_3"]) == ("defence", "draw", "")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"least_share": "101"}, "No more than 100"),
        ({"least_share": ""}, "This field is required"),
        ({"window_hours": "99999999"}, "No more than 720"),
        ({"tie_1": "tops", "tie_2": "tops"}, "chosen twice"),
        ({"tie_1": "height"}, "not, or no longer, in the list"),
    ],
)
def test_what_cannot_be_is_refused_and_kept_in_the_form(tournament, director, wrong, said):
    page = director.post(address(tournament), fields(director.get(address(tournament))) | wrong)
    assert page.status_code == 200
    assert said in words(page)
    name, value = next(iter(wrong.items()))
    assert page.context["form"][name].value() == value
    assert Tournament.objects.get(pk=tournament.pk).ties == []
