"""The evenings in a calendar: which ones it lists, their hours in the club's time zone, the number of queries."""

import datetime as dt
from copy import deepcopy

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.house import IN_CALENDARS, OWN, change_settings
from clubs.models import Club, ClubSettings
from evenings.practice import make_practice
from evenings.sessions.put_away import put_session_away, put_tournament_away
from registration.agenda.events import (
    next_events,
    of_club,
    over_clubs,
    read_day,
    read_event,
    read_month,
    today_in,
    with_all,
    zone_of,
)
from registration.agenda.files import read_calendar_event, was_put_away_after, write_calendar
from registration.people.registration import set_registration
from tests.factories import draft_session, make_club, make_director, make_tournament, published_session
from tests.registration.agenda.evenings import make_evening
from tournaments.models import Session

pytestmark = pytest.mark.django_db
NOVEMBER = dt.date(2026, 11, 1)


def at(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


def dates(events):
    return [str(event.date) for event in events]


def in_zone(zone, name="Ailleurs"):
    club = make_club(name=name)
    Club.objects.filter(pk=club.pk).update(time_zone=zone)
    club.refresh_from_db()
    return club


def test_month_has_its_evenings_by_day_and_knows_its_neighbours():
    tournament = make_tournament()
    for date in ("2026-09-30", "2026-11-01", "2026-11-20", "2026-11-20", "2026-11-30", "2027-02-03"):
        make_evening(date, tournament=tournament)
    month = read_month(over_clubs(), NOVEMBER, at("2026-11-10"))
    assert {str(day.date): len(day.events) for day in month.days} == {
        "2026-11-01": 1,
        "2026-11-20": 1,
        "2026-11-30": 1,
    }
    assert [part.number for part in month.days[1].events[0].parts] == [3, 4]
    assert (month.total, month.before, month.after) == (3, dt.date(2026, 9, 1), dt.date(2027, 2, 1))
    assert [len(week) for week in month.weeks] == [7] * 6
    assert month.weeks[0][0].date == dt.date(2026, 10, 26)


@pytest.mark.nightly("story")
def test_day_of_many_evenings_is_told_in_part_and_has_pages():
    club = make_club()
    for number in range(60):
        make_evening("2026-11-20", club=club, tournament=make_tournament(club, name=f"Soirée {number}"))
    day = read_month(over_clubs(), NOVEMBER, at("2026-11-10")).days[0]
    assert (len(day.events), day.more) == (4, 56)
    pages = [read_day(over_clubs(), day.date, page, at("2026-11-10")) for page in (1, 2, 99)]
    assert [(page.number, page.pages, len(page.events)) for page in pages] == [(1, 2, 50), (2, 2, 10), (2, 2, 10)]


@pytest.mark.nightly("story")
def test_what_is_put_away_unlisted_or_for_practice_is_in_no_calendar_over_clubs():
    club = make_club()
    director = make_director(club)
    now = timezone.now()
    kept, away, of_away = (make_evening("2026-11-20", club=club) for _each in range(3))
    put_session_away(session_id=away.pk, by=director, now=now)
    put_tournament_away(tournament_id=of_away.tournament_id, by=director, now=now)
    make_practice(club=club, by=director, now=now)
    hidden = make_club(name="Cachés")
    make_evening("2026-11-20", club=hidden)
    change_settings(hidden, {"listed": False}, now=now, by=director)
    assert [session.pk for session in over_clubs()] == [kept.pk]
    assert of_club(hidden).count() == 1


def test_hours_are_those_of_the_club_also_where_the_clocks_change():
    paris, fort = in_zone("Europe/Paris", "Ici"), in_zone("America/Martinique", "Tarot Martinique")
    make_evening("2026-10-24", club=paris, starts_at=dt.time(20, 30), positions=5, etuis_per_position=4)
    make_evening("2026-10-25", club=paris, starts_at=dt.time(20, 30))
    make_evening("2026-10-25", club=fort, starts_at=dt.time(19, 0))
    events = [read_day(of_club(club), dt.date(2026, 10, day), 1, timezone.now()).events[0]
              for club, day in ((paris, 24), (paris, 25), (fort, 25))]  # fmt: skip
    begins = [event.begins.astimezone(dt.UTC).strftime("%d %H:%M") for event in events]
    assert begins == ["24 18:30", "25 19:30", "25 23:00"]
    assert events[0].ends - events[0].begins == dt.timedelta(minutes=5 * 4 * 9)
    assert [event.is_elsewhere for event in events] == [False, False, True]
    assert events[2].place == "Martinique"


def test_evening_belongs_to_its_day_until_six_in_the_morning_by_its_clubs_clock():
    here, papeete = make_club(), in_zone("Pacific/Tahiti")
    make_evening("2026-11-20", club=here)
    make_evening("2026-11-20", club=papeete)
    assert len(next_events(over_clubs(), at("2026-11-20T23:30"), 9)) == 2  # it is half past midnight in Paris
    after = next_events(over_clubs(), at("2026-11-21T10:00"), 9)  # in Tahiti it is still the evening before
    assert [event.club for event in after] == [papeete.name]
    assert next_events(over_clubs(), at("2026-11-21T16:30"), 9) == []
    assert today_in(zone_of(papeete), at("2026-11-21T10:00")) == dt.date(2026, 11, 20)


@pytest.mark.nightly("story")
def test_next_evenings_are_those_not_over_with_registration_where_it_is_open():
    tournament = make_tournament()
    director = make_director(tournament.club)
    published_session(tournament, by=director, tables=1, positions=1)
    draft = draft_session(tournament, tables=1, positions=1)
    now = at("2026-11-20T12:00")
    set_registration(accepts_at_once=True, session_id=draft.pk, by=director, now=now, closes_at=at("2026-11-20T18:00"))
    assert [(event.session, event.signs_up) for event in next_events(over_clubs(), now, 9)] == [(draft.pk, True)]
    assert [event.signs_up for event in next_events(over_clubs(), at("2026-11-20T19:00"), 9)] == [False]
    (event,) = read_day(over_clubs(), draft.date, 1, now).events
    links = [reverse(name, args=["club", tournament.slug, at]) for name, at in (("ranking", 1), ("sign_up", 2))]
    assert (event.state, [part.path for part in event.parts]) == ("draft", links)


@pytest.mark.nightly("story")
def test_questions_are_as_many_for_one_evening_as_for_many(django_assert_num_queries):
    tournament = make_tournament()
    make_evening("2026-11-20", tournament=tournament)
    now = at("2026-11-10")
    for more in (40, 0):
        with django_assert_num_queries(3):
            read_month(over_clubs(), NOVEMBER, now)
        with django_assert_num_queries(2):
            next_events(over_clubs(), now, 9)
        with django_assert_num_queries(2):
            read_day(over_clubs(), dt.date(2026, 11, 20), 1, now)
        for number in range(2, more):
            make_evening(f"2026-11-{number % 28 + 1:02}", club=make_club(f"club-{number}", str(number)))


def test_events_of_several_sessions_are_read_with_all_others(django_assert_num_queries):
    tournament = make_tournament()
    for date in ("2026-11-20", "2026-11-20", "2026-11-21"):
        make_evening(date, tournament=tournament)
    with django_assert_num_queries(3):
        month = read_month(over_clubs(), NOVEMBER, at("2026-11-10"))
    assert [[len(event.parts) for event in day.events] for day in month.days] == [[2], [0]]


def change_in_memory(thing, field):
    """Give a setting another value, without storing it."""
    column, value = thing._meta.get_field(field), getattr(thing, field)
    other: object = "Europe/Athens" if field == "time_zone" else "autre"
    if isinstance(value, bool):
        other = not value
    elif column.choices:
        other = next(key for key, _ in column.flatchoices if key != value)
    elif isinstance(value, int):
        other = value + 1
    elif isinstance(value, dt.time):
        other = dt.time(23)
    setattr(thing, field, other)


def test_calendars_show_of_a_club_what_is_marked_in_its_settings():
    made = make_evening("2026-11-01")
    session = with_all(Session.objects.filter(pk=made.pk)).select_related("tournament__club", "registration").get()
    club = session.tournament.club
    club.house = ClubSettings(club=club, address="1 rue Haute", shows_address=True)

    def write(read):
        return write_calendar("", [read_calendar_event(read, timezone.now())._replace(at=at("2026-11-01"))], str)

    shown, plain = set(), write(session)
    columns = {column.name for column in ClubSettings._meta.concrete_fields} - {"id", "club", "told_version", "told_at"}
    for field in columns | OWN:
        changed = deepcopy(session)
        home = changed.tournament.club
        change_in_memory(home if field in OWN else home.house, field)
        if write(changed) != plain:
            shown.add(field)
    assert shown == IN_CALENDARS


def test_evening_that_is_put_away_at_the_minute_of_its_start_is_left_out():
    make_evening("2026-11-20")
    (evening,) = with_all(over_clubs())
    begins = read_event(evening, at("2026-11-20")).begins
    evening.put_away_at = begins - dt.timedelta(minutes=1)
    assert not was_put_away_after(evening, at("2026-11-20"))
    evening.put_away_at = begins
    assert was_put_away_after(evening, at("2026-11-20"))


def test_calendar_file_names_itself_for_all_programs():
    lines = write_calendar("Tarot à Brest", [], str).decode().splitlines()
    assert {"NAME:Tarot à Brest", "X-WR-CALNAME:Tarot à Brest"} <= set(lines)
