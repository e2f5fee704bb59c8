"""A club's seasons, made and changed on its pages, and the lines about them in its log."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from clubs.log import say_entry
from clubs.models import Season
from rankings.careers.seasons import first_day_of, season_of
from tests.factories import make_club, make_director, make_tournament
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
FIRST, LAST = dt.date(2026, 9, 1), dt.date(2027, 8, 31)


@pytest.fixture
def director(club):
    return browser_of(make_director(club))


@pytest.fixture
def season(club):
    return Season.objects.create(club=club, name="2026-2027", starts_on=FIRST, ends_on=LAST)


def address(club, name="seasons", *rest):
    return reverse(name, args=[club.slug, *rest])


def say_log(club):
    with translation.override("en"):
        return [say_entry(entry) for entry in club.log.order_by("pk")]


def test_first_season_is_offered_as_the_sporting_year_and_made_with_one_click(club, director):
    assert address(club) in director.get(reverse("club_settings", args=[club.slug])).text
    year = season_of(timezone.localdate())
    given = fields(director.get(address(club)))
    assert (given["name"], given["starts_on"]) == (f"{year}-{year + 1}", f"{year}-09-01")
    assert director.post(address(club), given).url == address(club)
    made = club.seasons.get()
    assert (made.name, made.starts_on, made.ends_on) == (
        f"{year}-{year + 1}",
        first_day_of(year),
        first_day_of(year + 1) - dt.timedelta(days=1),
    )
    assert fields(director.get(address(club)))["name"] == f"{year + 1}-{year + 2}"
    assert made.name in director.get(reverse("tournament_new", args=[club.slug])).text


def test_season_is_renamed_given_its_dates_and_deleted_and_the_log_says_who(club, director, season):
    asked = f"{address(club)}?change={season.pk}"
    given = fields(director.get(asked))
    assert given["name"] == "2026-2027"
    director.post(asked, given | {"name": "Saison 12", "ends_on": "2027-06-30"})
    director.post(asked, given | {"name": "Saison 12", "ends_on": "2027-06-30"})  # the same again changes nothing
    season.refresh_from_db()
    assert (season.name, season.ends_on) == ("Saison 12", dt.date(2027, 6, 30))
    assert director.post(address(club, "season_delete", season.pk)).status_code == 302
    assert not club.seasons.exists()
    assert say_log(club) == [
        "changed the season 2026-2027 to Saison 12, from 1 Sep 2026 to 30 Jun 2027",
        "deleted the season Saison 12",
    ]
    assert {entry.author.username for entry in club.log.all()} == {"directrice"}


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"name": "2026-2027"}, "already has a season 2026-2027"),
        ({"ends_on": "2026-01-01"}, "The last day is before the first"),
        ({"starts_on": ""}, "This field is required"),
        ({"starts_on": "0001-01-01"}, "At least"),
    ],
)
def test_what_cannot_be_is_refused_and_what_was_typed_stays(club, director, season, wrong, text):
    given = {"name": "Autre", "starts_on": "2027-09-01", "ends_on": "2028-08-31"} | wrong
    page = director.post(address(club), given)
    assert text in words(page)
    assert {name: fields(page)[name] for name in given} == given
    assert list(club.seasons.all()) == [season]


def test_season_with_tournaments_stays(club, director, season):
    tournament = make_tournament(club)
    tournament.season = season
    tournament.save()
    url = address(club, "season_delete", season.pk)
    assert url not in director.get(address(club)).text
    assert "has tournaments" in words(director.post(url, follow=True))
    assert club.seasons.get() == season


def test_season_of_another_club_is_nobody_s_here(club, director):
    foreign = Season.objects.create(club=make_club("autre"), name="x", starts_on=FIRST, ends_on=LAST)
    director.post(address(club, "season_delete", foreign.pk))
    given = {"name": "y", "starts_on": "2027-09-01", "ends_on": "2028-08-31"}
    assert "This season does not exist" in words(director.post(f"{address(club)}?change={foreign.pk}", given))
    foreign.refresh_from_db()
    assert foreign.name == "x"
    assert not club.seasons.exists()
