"""The attendance of a club's evenings and its absent players: the figures, the page, its files."""

import datetime as dt
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from clubs.models import Player
from clubs.players import add_players
from clubs.roster import RosterLine
from rankings.statistics import EveningVisits, VisitGroup, find_absent, read_attendance
from registration.people.merging import merge_players
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.test_starting import prepare, start
from tests.factories import DATE, draft_session, make_club, make_director, make_helper, make_tournament, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import Entrant, Session

pytestmark = pytest.mark.django_db

YEAR = dt.date(2026, 9, 1), dt.date(2027, 8, 31)
FRIDAY = DATE  # 20 November 2026


def hold(tournament, date, tables=1):
    session = started_session(tournament, tables=tables, positions=1)
    Session.objects.filter(pk=session.pk).update(date=date)
    session.refresh_from_db()
    return session


@pytest.fixture
def club():
    return make_club()


@pytest.fixture
def tournament(club):
    return make_tournament(club)


@pytest.mark.nightly("statistics")
def test_evenings_are_counted_by_day_weekday_and_month(club, tournament):
    hold(tournament, FRIDAY, tables=2)
    hold(tournament, FRIDAY, tables=1)  # a second session of the day: its four players are there already
    hold(tournament, FRIDAY + dt.timedelta(days=14))
    hold(tournament, FRIDAY + dt.timedelta(days=4))
    told = read_attendance(club, *YEAR)
    days = [dt.date(2026, 11, 20), dt.date(2026, 11, 24), dt.date(2026, 12, 4)]
    assert told.evenings == [EveningVisits(day, players) for day, players in zip(days, (8, 4, 4), strict=True)]
    assert (told.people, told.visits, told.mean) == (8, 16, Fraction(16, 3))
    assert told.by_weekday == [VisitGroup(1, 1, 4), VisitGroup(4, 2, 12)]
    assert told.by_month == [VisitGroup(dt.date(2026, 11, 1), 2, 12), VisitGroup(dt.date(2026, 12, 1), 1, 4)]
    assert told.by_month[0].mean == 6


@pytest.mark.nightly("statistics")
def test_drafts_sessions_put_away_other_clubs_and_other_seasons_do_not_count(club, tournament):
    draft_session(tournament, tables=1)
    away = hold(tournament, FRIDAY)
    Session.objects.filter(pk=away.pk).update(put_away_at=timezone.now())
    hold(tournament, dt.date(2026, 8, 31))
    hold(make_tournament(make_club("voisins")), FRIDAY)
    assert read_attendance(club, *YEAR).evenings == []
    assert read_attendance(club, *YEAR).mean is None
    assert read_attendance(club, dt.date(2026, 8, 31), YEAR[1]).visits == 4


def test_stand_in_is_counted_beside_the_player_or_instead_of_one_who_never_came(club, tournament):
    session = hold(tournament, FRIDAY)
    others = add_players(club=club, lines=[RosterLine("Un", "Léa"), RosterLine("Deux", "Léa")])
    came, never = session.entrants.all()[:2]
    Entrant.objects.filter(pk=came.pk).update(stand_in=others[0], stand_in_from=2)
    assert read_attendance(club, *YEAR).visits == 5
    Entrant.objects.filter(pk=never.pk).update(stand_in=others[1], stand_in_from=1)
    assert read_attendance(club, *YEAR).visits == 5


@pytest.mark.nightly("statistics")
def test_merged_player_counts_as_the_remaining_one(club, tournament):
    hold(tournament, FRIDAY)
    (gone,) = add_players(club=club, lines=[RosterLine("Nom1", "Zoë")])
    later = hold(tournament, FRIDAY + dt.timedelta(days=7))
    first = later.entrants.get(player__last_name="Nom001")
    kept = first.player
    Entrant.objects.filter(pk=first.pk).update(player=gone)
    assert read_attendance(club, *YEAR).people == 5
    merge_players(club=club, kept_id=kept.pk, gone_id=gone.pk, by=make_director(club), now=timezone.now())
    assert read_attendance(club, *YEAR).people == 4


def test_whoever_left_before_the_first_position_never_came(club, tournament):
    session = hold(tournament, FRIDAY)
    gone = session.entrants.first()
    Entrant.objects.filter(pk=gone.pk).update(last_position=0)
    assert read_attendance(club, *YEAR).visits == 3
    Entrant.objects.filter(pk=gone.pk).update(first_position=3, last_position=2, earlier=[[1, 1, 1]])
    assert read_attendance(club, *YEAR).visits == 4  # this player was there before, and only meant to come back


def test_members_of_teams_are_counted_each():
    session = start(prepare(make_team_tournament(teams=8), positions=5))
    told = read_attendance(session.tournament.club, session.date, session.date)
    assert told.evenings == [EveningVisits(session.date, 24)]


@pytest.mark.nightly("statistics")
def test_absent_are_regulars_who_have_not_come_for_so_many_weeks(club, tournament):
    for weeks in (20, 19, 18):
        hold(tournament, FRIDAY - dt.timedelta(weeks=weeks), tables=2)
    hold(tournament, FRIDAY - dt.timedelta(weeks=1), tables=1)  # four of the eight came again
    told = find_absent(club, FRIDAY, weeks=8)
    last = FRIDAY - dt.timedelta(weeks=18)
    assert [(each.player.last_name, each.last, each.evenings) for each in told] == [
        (f"Nom00{number}", last, 3) for number in (5, 6, 7, 8)
    ]
    assert find_absent(club, FRIDAY, weeks=18) == []  # exactly 18 weeks ago is not longer than 18 weeks
    Player.objects.filter(last_name="Nom005").update(put_away_at=timezone.now())
    Player.objects.filter(last_name="Nom006").update(erased_at=timezone.now())
    assert [each.player.last_name for each in find_absent(club, FRIDAY, weeks=8)] == ["Nom007", "Nom008"]


@pytest.mark.nightly("statistics")
def test_guests_and_players_of_long_ago_are_not_missed(club, tournament):
    for weeks in (20, 19):
        hold(tournament, FRIDAY - dt.timedelta(weeks=weeks))
    for weeks in (120, 119, 118):
        hold(tournament, FRIDAY - dt.timedelta(weeks=weeks))
    assert find_absent(club, FRIDAY, weeks=8) == []


@pytest.fixture
def director(club):
    browser = browser_of(make_director(club))
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return browser


@pytest.mark.nightly("statistics")
def test_page_has_charts_tables_and_who_is_missed(club, tournament, director):
    today = timezone.localdate()
    for weeks in (20, 19, 18):
        hold(tournament, today - dt.timedelta(weeks=weeks), tables=2)
    hold(tournament, today)
    page = director.get(reverse("club_statistics", args=[club.slug]))
    shown = words(page)
    assert "Nom005 Zoé" in shown
    assert "Nom001 Zoé" not in shown
    assert "4 players in all, 4.0 an evening." in shown
    assert date_format(today, "l") in [cell for row in read(page).rows for cell in row]
    assert not read(page).refused
    assert "Everybody who came regularly has been here in the last 26 weeks." in words(
        director.get(reverse("club_statistics", args=[club.slug]), {"weeks": 26})
    )


def test_page_of_a_club_without_evenings_says_so(club, director):
    shown = words(director.get(reverse("club_statistics", args=[club.slug]), {"period": "nonsense", "weeks": "x"}))
    assert "No evening in this season" in shown
    assert "Everybody who came regularly has been here in the last 8 weeks." in shown


@pytest.mark.nightly("statistics")
def test_files_have_the_evenings_and_the_absent(club, tournament, director):
    today = timezone.localdate()
    for weeks in (20, 19, 18):
        hold(tournament, today - dt.timedelta(weeks=weeks), tables=1)
    address = reverse("club_statistics_file", args=[club.slug])
    absent = director.get(address, {"table": "absent"}).content.decode("utf-8-sig")
    assert absent.splitlines()[0].split(";")[:2] == ["Family name", "First name"]
    assert len(absent.splitlines()) == 5
    hold(tournament, today)
    evenings = director.get(address, {"kind": "csv"}).content.decode().splitlines()
    assert [line.split(";")[1] for line in evenings] == ["Players", "4"]
    assert director.get(address, {"kind": "exe"}).status_code == 404
    assert director.get(address, {"table": "players"}).status_code == 404


def test_helper_is_refused(club):
    browser = browser_of(make_helper(club))
    assert browser.get(reverse("club_statistics", args=[club.slug])).status_code == 403


@pytest.mark.nightly("statistics")
def test_queries_do_not_depend_on_the_number_of_evenings(club, tournament, director):
    address = reverse("club_statistics", args=[club.slug])

    def count():
        with CaptureQueriesContext(connection) as told:
            director.get(address)
        return len(told)

    hold(tournament, FRIDAY)
    director.get(address)
    few = count()
    for weeks in range(1, 6):
        hold(tournament, FRIDAY - dt.timedelta(weeks=weeks), tables=3)
    assert count() == few <= 14
