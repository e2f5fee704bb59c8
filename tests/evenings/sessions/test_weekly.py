"""The evenings of every week: made at once, completed without doubles, taken back, and shown in calendars."""

import datetime as dt
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from clubs.log import say_entry
from evenings.sessions.weekly import create_weekly_sessions, delete_evenings
from tests import shared_evenings
from tests.factories import draft_session, make_director, make_tournament, published_session, started_session
from tests.pages.browsing import browser_of, fields
from tests.pages.reading import words
from tournaments.errors import ActionRefused
from tournaments.models import Session, Tournament

FRIDAY = dt.date(2027, 1, 8)
WEEK = dt.timedelta(weeks=1)


director = shared_evenings.director_of_tournament


def repeat(tournament, by, until, date=FRIDAY, **settings):
    said = {"by": by, "now": timezone.now()}
    return create_weekly_sessions(tournament_id=tournament.pk, date=date, until=until, **said, **settings)


def dates_of(tournament):
    return list(tournament.sessions.order_by("number").values_list("date", flat=True))


def address(tournament, name):
    return reverse(name, args=[tournament.club.slug, tournament.slug])


def test_each_week_until_the_date_has_its_evening_with_the_same_settings(tournament, director):
    made = repeat(tournament, director, FRIDAY + 3 * WEEK, starts_at=dt.time(19, 45), minutes_per_etui=8)
    assert [(each.number, each.date) for each in made] == [(n, FRIDAY + (n - 1) * WEEK) for n in range(1, 5)]
    kept = tournament.sessions.all()
    assert {(each.starts_at, each.minutes_per_etui, each.status) for each in kept} == {(dt.time(19, 45), 8, "draft")}
    assert len(repeat(make_tournament(tournament.club, name="x"), director, FRIDAY + dt.timedelta(days=6))) == 1


def test_asked_again_only_what_is_missing_is_made(tournament, director):
    repeat(tournament, director, FRIDAY + 2 * WEEK)
    away, other = tournament.sessions.get(number=2), tournament.sessions.get(number=3)
    Session.objects.filter(pk=away.pk).update(put_away_at=timezone.now())
    made = repeat(tournament, director, FRIDAY + 3 * WEEK)
    assert [(each.number, each.date) for each in made] == [(4, away.date), (5, FRIDAY + 3 * WEEK)]
    assert repeat(tournament, director, FRIDAY + 3 * WEEK) == []
    assert dates_of(tournament).count(other.date) == 1


@pytest.mark.parametrize(
    ("until", "code"),
    [
        (FRIDAY - dt.timedelta(days=1), "weeks_end_first"),
        (FRIDAY + 60 * WEEK, "too_many_weeks"),
        (dt.date(9999, 12, 31), "too_many_weeks"),
    ],
)
def test_what_cannot_be_makes_nothing(tournament, director, until, code):
    with pytest.raises(ActionRefused) as refused:
        repeat(tournament, director, until)
    assert (refused.value.code, refused.value.field, dates_of(tournament)) == (code, "weekly_until", [])


def test_sixty_evenings_cost_the_queries_of_one(tournament, director, django_assert_num_queries):
    with django_assert_num_queries(8):
        assert len(repeat(tournament, director, FRIDAY + 59 * WEEK)) == 60


def test_event_of_the_federation_shows_nothing_and_makes_nothing_else(tournament, director):
    Tournament.objects.update(federation=True)
    with pytest.raises(ActionRefused, match="federation_shows_nothing"):
        repeat(tournament, director, FRIDAY + WEEK, shows_after="topage")
    assert dates_of(tournament) == []


@pytest.mark.nightly("story")
def test_what_has_begun_or_was_played_stays_when_the_others_are_taken_back(tournament, director):
    draft, running, published = (
        draft_session(tournament), started_session(tournament), published_session(tournament, by=director)
    )  # fmt: skip
    made = repeat(tournament, director, FRIDAY + WEEK)
    numbers = [each.number for each in (draft, running, published, *made)]
    assert delete_evenings(tournament_id=tournament.pk, numbers=numbers, by=director, now=timezone.now()) == 3
    assert set(tournament.sessions.all()) == {running, published}


def test_form_makes_them_and_the_next_page_takes_them_back_and_calendars_follow(tournament, director):
    browser, reader = browser_of(director), Client()
    calendar = reverse("club_calendar_file", args=[tournament.club.slug])
    given = fields(browser.get(address(tournament, "session_new")))
    assert given["weekly_until"] == ""
    asked = given | {"date": "2027-01-08", "weekly_until": "2027-01-22", "devices": "desk"}
    answer = browser.post(address(tournament, "session_new"), asked)
    assert answer.url == f"{address(tournament, 'evenings')}?first=1&last=3"
    page = browser.get(answer.url)
    assert "3 evenings are created" in words(page)
    assert page.text.count("checked") == 3
    assert browser.get(address(tournament, "evenings")).text.count("checked") == 0
    assert reader.get(calendar).content.count(b"BEGIN:VEVENT") == 3
    again = browser.post(address(tournament, "session_new"), asked)
    assert "Each of these dates already has a session" in words(again)
    assert fields(again)["weekly_until"] == "2027-01-22"
    browser.post(address(tournament, "evenings"), {"number": ["1", "2", "x", "99999999999999999999"]})
    assert dates_of(tournament) == [dt.date(2027, 1, 22)]
    assert reader.get(calendar).content.count(b"BEGIN:VEVENT") == 1
    nothing = browser.post(address(tournament, "evenings"), {"number": "1"}, follow=True)
    assert "None of the ticked evenings" in words(nothing)
    with translation.override("en"):
        assert [say_entry(entry) for entry in tournament.club.log.order_by("pk")] == [
            "created weekly evenings of “Duplicate d’été” from 8 Jan 2027 to 22 Jan 2027: 3",
            "deleted evenings of “Duplicate d’été” that had not begun: 2",
        ]


def test_one_evening_is_made_as_ever(tournament, director):
    draft_session(tournament)
    browser = browser_of(director)
    given = fields(browser.get(address(tournament, "session_new"))) | {"date": "2026-11-20"}
    assert browser.post(address(tournament, "session_new"), given).status_code == 302
    assert dates_of(tournament) == [dt.date(2026, 11, 20)] * 2


@pytest.mark.django_db(transaction=True)
def test_two_who_ask_at_once_make_each_evening_once():
    tournament = make_tournament()
    director, ready = make_director(tournament.club), Barrier(2)

    def ask():
        ready.wait()
        repeat(tournament, director, FRIDAY + 5 * WEEK)
        connection.close()

    askers = [Thread(target=ask) for _ in range(2)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert dates_of(tournament) == [FRIDAY + week * WEEK for week in range(6)]
