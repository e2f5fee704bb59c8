"""The course of a session: minutes, corrections, doubts and swings, and what a director who plays sees."""

import datetime as dt
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.plays.desk_state import kept
from evenings.plays.entering import annul_play, correct_result, enter_result
from evenings.plays.ruling import split_etui
from pages.doors import session_url
from rankings.statistics import read_course
from tests.factories import enter_all, garde, make_director, make_tournament, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import read, words
from tournaments.models import PlayingDirector, ResultEntry

pytestmark = pytest.mark.django_db

BEGIN = dt.datetime(2026, 11, 20, 20, 0, tzinfo=dt.UTC)


@pytest.fixture
def session():
    return started_session(tables=5, positions=2, etuis_per_position=2)


@pytest.fixture
def user(session):
    return make_director(session.tournament.club)


@pytest.fixture
def director(user):
    browser = browser_of(user)
    browser.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return browser


def put(session, table, minutes, **which):
    """Enter a result for each play of a table in a position, so many minutes after the position began."""
    plays = session.plays.filter(table__number=table, **which).order_by("etui__number")
    for play, after in zip(plays, minutes, strict=True):
        at = BEGIN + dt.timedelta(hours=play.position, minutes=after)
        enter_result(play_id=play.pk, entry=garde(play.taker, points=40 + table), by=make_or_get(session), now=at)


def make_or_get(session):
    return session.tournament.club.memberships.get().user


@pytest.mark.nightly("statistics")
def test_minutes_are_the_times_between_results_and_the_median_counts(session, user):
    session.plays.filter(table__number=1).update(started_at=None)
    put(session, 1, (10, 17), position=1)  # nobody knows when the first étui began: only the second has 7 minutes
    put(session, 1, (8, 17), position=2)
    told = read_course(session, user)
    assert [(row.number, len(row.deals), row.minutes) for row in told.tables] == [(1, 4, Fraction(8))]
    session.plays.filter(table__number=1, position=2).update(started_at=BEGIN + dt.timedelta(hours=2, minutes=2))
    kept.clear()
    assert sorted(deal.minutes for deal in read_course(session, user).tables[0].deals if deal.minutes) == [6, 7, 9]


def test_the_clock_of_the_device_counts_and_a_break_does_not(session, user):
    put(session, 1, (10, 75), position=1)  # 65 minutes are no deal
    assert read_course(session, user).tables[0].minutes is None
    second = ResultEntry.objects.order_by("-entered_at").first()
    ResultEntry.objects.filter(pk=second.pk).update(typed_at=BEGIN + dt.timedelta(hours=1, minutes=16))
    kept.clear()
    assert read_course(session, user).tables[0].minutes == 6


@pytest.mark.nightly("statistics")
def test_corrections_doubts_and_swings(user, session):
    session = started_session(make_tournament(session.tournament.club, name="Long"), tables=5, positions=5)
    enter_all(session, by=user)
    play = session.plays.select_related("etui").first()
    entry = garde(play.taker, points=85)
    correct_result(play_id=play.pk, entry=entry, seen_version=1, by=user, now=timezone.now(), reason="typing")
    told = read_course(session, user)
    assert sum(row.corrections for row in told.tables) == sum(row.corrections for row in told.etuis) == 1
    own = next(row for row in told.etuis if row.number == play.etui.number)
    assert own.doubts >= 1  # 85 points where the other tables have 30 to 60
    assert told.swings[0].number == own.number
    assert own.swing == own.scores[-1] - own.scores[0] > 0
    assert told.whole.corrections == 1
    assert len(told.whole.deals) == session.plays.count()


def test_annulled_play_has_no_score_and_missing_ones_are_not_there(session, user):
    put(session, 1, (10, 20), position=1)
    first = session.plays.filter(table__number=1, position=1).order_by("etui__number").first()
    annul_play(play_id=first.pk, by=user, reason="cards seen", now=timezone.now())
    told = read_course(session, user)
    assert [deal.score is None for row in told.tables for deal in row.deals] == [True, False]
    assert [len(row.scores) for row in told.etuis] == [0, 1]
    assert told.swings == []


@pytest.mark.nightly("statistics")
def test_swing_of_a_split_etui_is_that_of_equal_cards(user, session):
    session = started_session(make_tournament(session.tournament.club, name="Long"), tables=5, positions=5)
    etui = session.plays.select_related("etui").first().etui
    for play in session.plays.filter(etui=etui).order_by("position"):
        points = 40 + play.position if play.position < 3 else 70 + play.position
        enter_result(play_id=play.pk, entry=garde(play.taker, points=points), by=user, now=timezone.now())
    own = read_course(session, user).swings[0]
    assert own.swing == own.scores[-1] - own.scores[0] > 50
    said = {"by": user, "reason": "a card was found on the floor", "now": timezone.now()}
    split_etui(session_id=session.pk, etui=etui.number, from_position=3, **said)
    session.refresh_from_db()
    assert read_course(session, user).swings[0].swing < 10


def test_director_who_plays_does_not_see_the_etuis_that_are_left(session, user):
    entrant = session.entrants.first()
    others = [play for play in session.plays.all() if entrant.pk not in play.seat_ids.values()]
    enter_all(session, by=user, plays=others)
    PlayingDirector.objects.create(session=session, user=user, entrant=entrant)
    told = read_course(session, user)
    left = {play.etui.number for play in session.plays.all() if entrant.pk in play.seat_ids.values()}
    assert told.hidden == len(left) > 0
    assert not left & {row.number for row in told.etuis}
    shown = words(browser_of(user).get(session_url("session_course", session)))
    assert f"{len(left)} étuis are left out until you have played them." in shown


def test_hidden_etui_does_not_lengthen_the_next_one(session, user):
    put(session, 1, (10, 17), position=1)
    first, second = session.plays.filter(table__number=1, position=1).order_by("etui__number")
    entrant = session.plays.filter(etui=first.etui).exclude(pk=first.pk).first().seats["N"]
    own = next(play for play in session.plays.filter(etui=second.etui) if entrant.pk in play.seat_ids.values())
    enter_result(play_id=own.pk, entry=garde(own.taker), by=user, now=BEGIN)
    PlayingDirector.objects.create(session=session, user=user, entrant=entrant)
    told = read_course(session, user)
    assert [(len(row.deals), row.minutes) for row in told.tables if row.number == 1] == [(1, Fraction(7))]


def test_page_and_files(session, user, director):
    assert "No result yet" in words(director.get(session_url("session_course", session)))
    enter_all(session, by=user)
    kept.clear()
    page = director.get(session_url("session_course", session))
    assert not read(page).refused
    assert "Étuis that made the difference" in words(page)
    tables = director.get(session_url("session_course_file", session), {"table": "course_tables"})
    assert len(tables.content.decode().splitlines()) == 1 + 5
    etuis = director.get(session_url("session_course_file", session), {"table": "course_etuis", "kind": "csv"})
    assert len(etuis.content.decode().splitlines()) == 1 + session.plays.values("etui").distinct().count()
    assert director.get(session_url("session_course_file", session), {"table": "x"}).status_code == 404


@pytest.mark.nightly("statistics")
def test_queries_do_not_depend_on_the_number_of_tables(user, director, session):
    def count(one):
        address = session_url("session_course", one)
        director.get(address)
        with CaptureQueriesContext(connection) as told:
            director.get(address)
        return len(told)

    large = started_session(make_tournament(session.tournament.club, name="Grand"), tables=11, positions=2)
    for one in (session, large):
        enter_all(one, by=user)
    assert count(session) == count(large) <= 16
