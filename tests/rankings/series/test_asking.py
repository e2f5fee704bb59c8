"""The questions to other clubs: how often they are asked, the answer that is no, and what each club logs."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.log import say_entry
from clubs.models import ClubLogEntry
from rankings.series.membership import (
    MOST_ASKS_A_DAY,
    MOST_OPEN_ASKS,
    QUIET,
    agree_to_series,
    ask_club,
    leave_series,
    take_club_out,
)
from rankings.series.setup import SeriesRefused
from tests.factories import make_club, make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.series import season
from tests.rankings.series.seasons import make_series
from tournaments.models import SeriesClub

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 10, 1, 18, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)

club = season.club
director = season.director


@pytest.fixture
def other(db):
    return make_club("voisins", "Voisins")


@pytest.fixture
def neighbour(other):
    return make_director(other, "voisine")


def ask(series, other, by, now=NOW):
    return ask_club(series_id=series.pk, slug=other.slug, by=by, now=now)


@pytest.mark.nightly("story")
def test_owner_asks_ten_clubs_a_day_at_most_over_all_its_series(club, director):
    two = [make_series(club, director, title=title) for title in ("Un", "Deux")]
    for number in range(MOST_ASKS_A_DAY):
        ask(two[number % 2], make_club(f"club-{number}"), director)
    last = make_club("dernier")
    for series in two:
        with pytest.raises(SeriesRefused, match="series_asked_often"):
            ask(series, last, director, NOW + DAY - dt.timedelta(minutes=1))
    assert ask(two[0], last, director, NOW + DAY).club == last


def test_director_of_two_clubs_asks_no_more_than_of_one(club, director):
    series, own = make_series(club, director), make_club("autre")
    for number in range(MOST_ASKS_A_DAY):
        ask(series, make_club(f"club-{number}"), director)
    last = make_club("dernier")
    second = make_series(own, director)
    with pytest.raises(SeriesRefused, match="series_asked_often"):
        ask(second, last, director)
    assert ask(second, last, make_director(own, "adjoint")).club == last


def test_club_that_declined_is_left_in_peace_for_a_month(club, director, other, neighbour):
    one, two = (make_series(club, director, title=title) for title in ("Un", "Deux"))
    row = ask(one, other, director)
    leave_series(club=other, row_id=row.pk, by=neighbour, now=NOW + DAY)
    for series in (one, two):
        with pytest.raises(SeriesRefused, match="series_asked_lately"):
            ask(series, other, director, NOW + QUIET)
    elsewhere = make_club("ailleurs")
    assert ask(make_series(elsewhere, director), other, make_director(elsewhere, "ailleurs"), NOW + 2 * DAY)
    assert ask(one, other, director, NOW + QUIET + DAY)


def test_question_that_the_owner_took_back_is_not_asked_at_once_again(club, director, other):
    series = make_series(club, director)
    row = ask(series, other, director)
    take_club_out(series_id=series.pk, row_id=row.pk, reason="erreur", by=director, now=NOW + DAY)
    with pytest.raises(SeriesRefused, match="series_asked_lately"):
        ask(series, other, director, NOW + 2 * DAY)


def test_club_that_took_part_and_left_may_be_asked_to_come_back(club, director, other, neighbour):
    series = make_series(club, director)
    row = ask(series, other, director)
    agree_to_series(club=other, row_id=row.pk, by=neighbour, now=NOW)
    leave_series(club=other, row_id=row.pk, by=neighbour, now=NOW + DAY)
    assert ask(series, other, director, NOW + 2 * DAY).pk != row.pk


def test_club_with_unanswered_questions_gets_no_more(club, director, other):
    many = [make_series(club, director, title=f"Challenge {number}") for number in range(MOST_OPEN_ASKS + 1)]
    for series in many[:-1]:
        ask(series, other, director)
    with pytest.raises(SeriesRefused, match="series_asked_unanswered"):
        ask(many[-1], other, director)


def test_both_clubs_log_the_question_and_the_answer(club, director, other, neighbour):
    series = make_series(club, director)
    row = ask(series, other, director)
    leave_series(club=other, row_id=row.pk, by=neighbour, now=NOW)
    told = {
        place.slug: [(entry.action, entry.author) for entry in ClubLogEntry.objects.filter(club=place).order_by("pk")]
        for place in (club, other)
    }
    assert told[club.slug][-2:] == [("series_club_asked", director), ("series_club_declined", None)]
    assert told["voisins"] == [("series_asked", None), ("series_declined", neighbour)]
    assert all("Challenge d’été" in say_entry(entry) for entry in ClubLogEntry.objects.filter(club=other))


def test_page_says_why_a_club_is_not_asked_and_what_it_answered(club, director, other, neighbour):
    series = make_series(club, director)
    row = ask(series, other, director, timezone.now())
    mine, theirs = browser_of(director), browser_of(neighbour)
    listed = theirs.get(reverse("series_list", args=["voisins"]))
    assert "Other clubs invite you" in words(listed)
    theirs.post(reverse("series_answer", args=["voisins", row.pk]), {"do": "leave"})
    assert "Your club does not take part" in words(theirs.get(reverse("series_list", args=["voisins"])))
    address = reverse("series_clubs", args=[club.slug, series.slug])
    assert "does not want to take part" in words(mine.get(address))
    page = mine.post(address, {"slug": "voisins"})
    assert "you can invite it again after" in words(page)
    assert '<option value="voisins" selected>' in page.content.decode()  # what was chosen stays
    assert SeriesClub.objects.count() == 1
