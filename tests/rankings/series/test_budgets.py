"""The queries of all pages of series, and of their job: the same for one club and one season as for many."""

import datetime as dt
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from clubs.matching import MatchedLine
from clubs.models import Season
from clubs.roster import RosterLine
from evenings.sessions.setup import create_session
from rankings.series.choosing import choose_events
from rankings.series.computing import find_stale_series, refresh_series
from rankings.series.lists import ListGiven, type_list
from rankings.series.publishing import SERIES_OF_CLUBS
from rankings.series.setup import SeriesGiven, create_series
from tests.factories import make_club, make_director
from tests.pages.browsing import browser_of
from tests.rankings.series.seasons import FIRST, LAST, hold, make_series, name_players, thursdays
from tournaments import page_cache
from tournaments.models import SeriesClub
from tournaments.rules.series import SeriesSettings
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]
WEEK = dt.timedelta(weeks=1)
YEAR = 364  # days: 52 weeks
MOST, MOST_OF_DIRECTOR, MOST_OF_JOB = 17, 20, 15


class Circle:
    """A circle of clubs with a series over all of them. Each season before has a championship with its champion."""

    def __init__(self, word, *, clubs, seasons):
        self.club = make_club(f"{word}-0", f"Club {word} 0")
        self.director = make_director(self.club, word)
        people = name_players(self.club, "Ada", "Bob", "Cyr")
        evenings = thursdays(self.club)
        for season in range(1, seasons + 1):
            days = [FIRST - dt.timedelta(days=season * YEAR) + week * WEEK for week in range(3)]
            for day in days:
                hold(evenings, day, dict(zip(people, (60, 50, 40), strict=True)))
            Season.objects.create(club=self.club, name=f"Saison {season}", starts_on=days[0], ends_on=days[-1])
            given = SeriesGiven(f"Challenge {season}", days[0], days[-1], SeriesSettings())
            old = create_series(club=self.club, given=given, by=self.director, now=timezone.now())
            self.publish(old)
            SERIES_OF_CLUBS.make_official(old.pk, self.word_of("fini"))
        hold(evenings, FIRST, dict(zip(people, (60, 50, 40), strict=True)))
        create_session(tournament=evenings, date=LAST)
        self.series = make_series(self.club, self.director, brings="places")
        for number in range(1, clubs):
            other = make_club(f"{word}-{number}", f"Club {word} {number}")
            player = name_players(other, f"Nom{number}")[0]
            hold(thursdays(other, "Lundis"), FIRST + number * dt.timedelta(days=1), {player: 55})
            told = {"asked_at": timezone.now(), "asked_by": self.director, "agreed_at": timezone.now()}
            SeriesClub.objects.create(series=self.series, club=other, **told)
        for number in range(seasons):
            self.type_list(f"Coupe {number}", people[0])
        self.player = people[0]
        self.named = {"series_player": [people[0].pk], "series_version": [1], "series_step": ["official"]}

    def word_of(self, reason):
        return DirectorWord(self.director, timezone.now(), reason)

    def publish(self, series):
        return SERIES_OF_CLUBS.publish(series.pk, self.word_of("fini"))

    def type_list(self, title, player):
        rows = [(1, MatchedLine(RosterLine(player.last_name, player.first_name), player.pk), Decimal(3))]
        given = ListGiven(title=title, day=FIRST, source="feuille", figures="points", rows=rows)
        type_list(series_id=self.series.pk, given=given, by=self.director, now=timezone.now())

    def address(self, name):
        place = (
            [self.club.slug] if name in ("series_list", "series_new", "club") else [self.club.slug, self.series.slug]
        )
        return reverse(name, args=[*place, *self.named.get(name, [])])


@pytest.fixture(scope="module")
def circles(rows_of_the_file):
    """Return a club with one season, and fifty clubs with ten: each has a live series, and those that are over."""
    made = [Circle("un", clubs=2, seasons=1), Circle("dix", clubs=50, seasons=10)]
    for each in made:
        refresh_series(each.series.pk, now=timezone.now())
    return made


def count(browser, address):
    page_cache.ask_page_cache("clear")
    with CaptureQueriesContext(connection) as told:
        answer = browser.get(address)
    assert answer.status_code == 200, address
    return len(told)


READERS = ("series_list", "series", "series_player", "series_file", "series_pdf", "series_versions", "club")
DIRECTORS = ("series_new", "series_settings", "series_events", "series_clubs", "series_type", "series_publish")


@pytest.mark.parametrize("name", READERS)
def test_readers_page_asks_the_same_after_ten_seasons_of_fifty_clubs(circles, name):
    few, many = (count(browser_of(), each.address(name)) for each in circles)
    assert few == many <= MOST


@pytest.mark.parametrize("name", ["series_list", "series", "series_player", *DIRECTORS])
def test_directors_page_asks_the_same_after_ten_seasons_of_fifty_clubs(circles, name):
    few, many = (count(browser_of(each.director), each.address(name)) for each in circles)
    assert few == many <= MOST_OF_DIRECTOR  # two for the account and its roles, one for the stamp


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("name", ["series", "series_version", "series_versions", "series_pdf", "series_file"])
def test_final_ranking_asks_the_same_after_ten_seasons_of_fifty_clubs(circles, name):
    counts = []
    for each in circles:
        each.publish(each.series)
        counts.append(count(browser_of(), each.address(name)))
    assert counts[0] == counts[1] <= MOST


def test_page_of_a_club_that_takes_part_asks_the_same(circles):
    addresses = [reverse("series_list", args=[f"{word}-1"]) for word in ("un", "dix")]
    few, many = (count(browser_of(), address) for address in addresses)
    assert few == many <= MOST


@pytest.mark.nightly("crawl")
def test_job_asks_the_same_for_fifty_clubs_and_for_lists(circles):
    counts = []
    for each in circles:
        each.series.standings.basis = {}
        each.series.standings.save()
        with CaptureQueriesContext(connection) as told:
            assert refresh_series(each.series.pk, now=timezone.now())
        counts.append(len(told))
    assert counts[0] == counts[1] <= MOST_OF_JOB
    counted = sum(event.counts for event in choose_events(circles[1].series))
    assert counted == 50 + 1 + 10  # an evening of each club, one to come, and the lists


def test_sweep_asks_no_more_than_for_the_series_that_are_under_way(circles):
    with CaptureQueriesContext(connection) as told:
        assert find_stale_series() == []
    assert len(told) <= 2 + 2 * 9  # the series that are over are not looked at
