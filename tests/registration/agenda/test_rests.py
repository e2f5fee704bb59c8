"""The end of an evening of donnes libres in calendars, where one of five rests and a game has more deals."""

import datetime as dt

import pytest
from django.utils import timezone
from icalendar import Calendar

from evenings.plans.free.length import count_deals_with_rests, count_longer_games
from evenings.plans.free.next_game import take_next_game, undo_next_game
from evenings.plans.free.people import FromDeal, join_games, leave_games, undo_people
from evenings.plans.free.settings import edit_free_deals
from evenings.plans.starting import unstart_session
from evenings.sessions.seating import unseat_player
from registration.agenda.events import over_clubs, read_event, with_all
from registration.agenda.files import read_club_calendar_events, write_calendar
from tests.free_evenings import add_named_players, draft_free_session, start_free_session
from tests.registration.agenda.evenings import make_evening
from tournaments.models import Session, Tournament

pytestmark = pytest.mark.django_db
MINUTES = {"minutes_per_etui": 6}


def now():
    return timezone.now()


def count_deals(session):
    """Return the length of the evening in a calendar, in deals, and the number of changes of its entry."""
    Session.objects.filter(pk=session.pk).update(**MINUTES)
    (event,) = [read_event(each, now()) for each in with_all(over_clubs().filter(pk=session.pk))]
    return event.length / dt.timedelta(minutes=6), Session.objects.get(pk=session.pk).told_version


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    ("people", "settings", "deals"),
    [
        (9, {"odd_tables": "mort"}, 15),
        (8, {"odd_tables": "mort"}, 12),
        (9, {"odd_tables": "five"}, 12),
        (9, {"odd_tables": "mort", "fits_deals": True}, 12),
        (6, {"odd_tables": "mort"}, 12),
    ],
)
def test_evening_lasts_longer_if_one_of_five_rests(people, settings, deals):
    assert count_deals(draft_free_session(people, **settings))[0] == deals
    if people != 6:  # six players cannot be divided into fours and fives
        assert count_deals(start_free_session(people, **settings))[0] == deals


def test_end_in_the_calendar_file_follows():
    session = start_free_session(9, odd_tables="mort", games=5)
    Session.objects.filter(pk=session.pk).update(**MINUTES)
    club = session.tournament.club
    read = Calendar.from_ical(write_calendar("", read_club_calendar_events(club, now()), lambda event: "https://a/"))
    (entry,) = read.walk("VEVENT")
    assert entry["DTEND"].dt - entry["DTSTART"].dt == dt.timedelta(minutes=5 * 5 * 6)


def test_players_and_settings_of_a_draft_change_its_entry():
    session = draft_free_session(9, odd_tables="mort")
    first = count_deals(session)[1]
    unseat_player(session_id=session.pk, player_id=session.entrants.first().player_id)
    assert count_deals(session) == (12, first + 1)
    unseat_player(session_id=session.pk, player_id=session.entrants.first().player_id)
    assert count_deals(session) == (12, first + 1)  # seven cannot be divided: as planned


def test_setting_of_odd_tables_changes_the_entry():
    session = draft_free_session(9, odd_tables="threes")
    first = count_deals(session)
    edit_free_deals(session_id=session.pk, now=now(), odd_tables="mort")
    assert (first[0], count_deals(session)) == (12, (15, first[1] + 1))
    assert Session.objects.get(pk=session.pk).told_at is not None


def test_who_comes_and_leaves_changes_only_the_games_that_last_longer():
    session = start_free_session(8, odd_tables="mort", seating="fixed")
    assert count_deals(session) == (12, 0)
    extra = add_named_players(session.tournament.club, 9)[-1]
    join_games(session_id=session.pk, player_id=extra.pk, moment=FromDeal(3), by=None, now=now())
    assert count_deals(session) == (13, 1)
    undo_people(session_id=session.pk, by=None, now=now())
    assert count_deals(session) == (12, 2)


@pytest.mark.guard("the hours of games to come")
def test_games_to_come_are_as_long_as_the_last_seated_one():
    session = start_free_session(9, odd_tables="mort", seating="draw")
    assert count_deals(session) == (15, 1)
    leave_games(session_id=session.pk, number=1, moment=FromDeal(2), by=None, now=now())
    take_next_game(session_id=session.pk, game=2, by=None, now=now())
    assert count_deals(session) == (13, 2)
    undo_next_game(session_id=session.pk, game=2, by=None, now=now())
    assert count_deals(session) == (15, 3)


def test_undone_start_keeps_the_end():
    session = start_free_session(9, odd_tables="mort")
    before = count_deals(session)
    unstart_session(session_id=session.pk, by=None, now=now())
    assert count_deals(session) == before == (15, 1)


def test_length_of_many_evenings_takes_no_further_query(django_assert_num_queries):
    session = start_free_session(9, odd_tables="mort")
    for day in ("2026-11-03", "2026-11-04"):
        make_evening(day, tournament=session.tournament, odd_tables="mort")
    with django_assert_num_queries(1):
        assert len([read_event(each, now()) for each in with_all(over_clubs())]) == 3


@pytest.mark.parametrize(
    ("people", "fives", "games", "deals"),
    [
        (None, None, 0, 20),
        (None, {"count": 0, "last": None, "seated": 3}, 0, 20),
        (None, {"count": 2, "last": 2, "seated": 3}, 2, 22),
        (None, {"count": 2, "last": 3, "seated": 3}, 4, 24),
        (9, None, 5, 25),
        (8, None, 0, 20),
    ],
)
def test_games_with_a_table_of_five_are_longer(people, fives, games, deals):
    tournament = Tournament(format="donnes_libres")
    session = Session(tournament=tournament, positions=5, etuis_per_position=4, odd_tables=Session.OddTable.MORT)
    session.people_there, session.fives = people, fives
    assert (count_longer_games(session), count_deals_with_rests(session)) == (games, deals)
