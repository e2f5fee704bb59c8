"""The departures: each half hour of the site's clock, also on the days when summer time begins and ends."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, transaction

from deals.models import DealSet
from rooms import opening
from rooms.errors import RoomRefused
from rooms.models import Room, RoomKind, RoomSeat
from rooms.opening import find_departures, find_last_departure, find_next_departure, find_rooms, join_room
from tests.rooms.tables import NOON, make_visitor, open_room

UTC, PARIS = dt.UTC, ZoneInfo("Europe/Paris")


def utc(*moment):
    return dt.datetime(*moment, tzinfo=UTC)


def halves(start, end):
    """Return the local hours of all departures between two moments."""
    found, moment = [], start
    while (departure := find_next_departure(RoomKind.HALF, moment)).opens_at < end:
        found.append(f"{departure.opens_at.astimezone(PARIS):%H:%M}")
        moment = departure.opens_at
    return found


def test_half_hours_follow_the_setting(settings):
    assert halves(utc(2026, 11, 26, 11, 0), utc(2026, 11, 26, 13, 0)) == ["12:30", "13:00", "13:30"]
    settings.ROOM_DEPARTURES = {15: False}
    assert halves(utc(2026, 11, 26, 11, 0), utc(2026, 11, 26, 13, 0)) == ["12:15", "13:15"]


def test_hour_that_summer_time_leaves_out_has_no_departure():
    assert halves(utc(2026, 3, 29, 0, 0), utc(2026, 3, 29, 2, 30)) == ["01:30", "03:00", "03:30", "04:00"]


def test_hour_that_comes_twice_has_its_departures_twice():
    found = halves(utc(2026, 10, 24, 23, 45), utc(2026, 10, 25, 2, 15))
    assert found == ["02:00", "02:30", "02:00", "02:30", "03:00"]


def test_half_hour_room_is_open_for_its_minutes_and_never_over_the_next_departure(settings):
    last = find_last_departure(RoomKind.HALF, utc(2026, 11, 26, 12, 29, 59))
    assert (last.opens_at, last.closes_at) == (utc(2026, 11, 26, 12, 0), utc(2026, 11, 26, 12, 29))
    assert (last.etuis, last.is_open(utc(2026, 11, 26, 12, 29))) == (8, False)
    settings.ROOM_MINUTES = 45
    assert find_last_departure(RoomKind.HALF, NOON).closes_at == utc(2026, 11, 26, 12, 30)


@pytest.mark.parametrize(("day", "hours"), [((2026, 3, 29), 23), ((2026, 10, 25), 25), ((2026, 11, 26), 24)])
def test_day_goes_from_midnight_to_midnight(day, hours):
    noon = dt.datetime(*day, 12, tzinfo=PARIS)
    today = find_last_departure(RoomKind.DAY, noon)
    assert today.opens_at.astimezone(PARIS) == dt.datetime(*day, tzinfo=PARIS)
    assert (today.closes_at - today.opens_at, today.etuis) == (dt.timedelta(hours=hours), 1)
    assert find_next_departure(RoomKind.DAY, noon).opens_at == today.closes_at


def test_week_begins_on_monday():
    week = find_last_departure(RoomKind.WEEK, utc(2026, 10, 25, 22, 59))  # Sunday, 23:59 in Paris
    assert week.opens_at.astimezone(PARIS) == dt.datetime(2026, 10, 19, tzinfo=PARIS)
    assert (week.closes_at, week.etuis) == (utc(2026, 10, 25, 23, 0), 24)
    assert find_next_departure(RoomKind.WEEK, utc(2026, 10, 25, 22, 59)).opens_at == week.closes_at


def test_departures_are_the_open_ones_and_the_next_of_each_kind():
    assert [each.kind for each in find_departures(NOON)] == ["half", "half", "day", "day", "week", "week"]
    between = find_departures(utc(2026, 11, 26, 12, 29, 30))
    assert [each.kind for each in between] == ["half", "day", "day", "week", "week"]


@pytest.mark.django_db
def test_rooms_are_made_once_with_a_sealed_set_of_no_club():
    rooms = find_rooms(NOON)
    assert find_rooms(NOON + dt.timedelta(minutes=1)) == rooms
    assert (Room.objects.count(), DealSet.objects.count()) == (6, 6)
    for room in rooms:
        deal_set = room.deal_set
        assert (deal_set.club, deal_set.revealed_at, len(deal_set.commitment)) == (None, None, 64)
        assert (deal_set.sealed_at, deal_set.etuis.exclude(cards="").count()) == (NOON, room.etuis)
    later = find_rooms(NOON + dt.timedelta(minutes=30))
    assert later[0] == rooms[1]  # the next room was there before, with its commitment
    assert Room.objects.count() == 7


@pytest.mark.django_db
def test_rooms_that_are_there_cost_one_query(django_assert_num_queries):
    find_rooms(NOON)
    with django_assert_num_queries(1):
        find_rooms(NOON)


@pytest.mark.django_db
def test_room_that_another_process_has_just_made_is_taken():
    departure = find_departures(NOON)[0]
    made = opening.make_room(departure, now=NOON)
    assert opening.make_room(departure, now=NOON) == made
    assert DealSet.objects.count() == 1  # the set of the second one was rolled back


@pytest.mark.django_db
def test_constraint_lets_no_second_room_of_a_departure_be():
    room = open_room()
    other = open_room(RoomKind.DAY)
    with pytest.raises(IntegrityError), transaction.atomic():
        Room.objects.filter(pk=other.pk).update(kind="half", opens_at=room.opens_at)


@pytest.mark.django_db
def test_visitor_gets_a_table_with_three_bots_and_the_same_one_again():
    room, visitor = open_room(), make_visitor()
    table = join_room(room_id=room.pk, visitor=visitor, now=NOON)
    assert join_room(room_id=room.pk, visitor=visitor, now=NOON) == table
    assert dict(table.seats.values_list("letter", "visitor")) == {"N": None, "E": None, "S": visitor.pk, "W": None}
    assert join_room(room_id=room.pk, visitor=make_visitor(), now=NOON).number == 9  # after seven of bots
    with pytest.raises(IntegrityError), transaction.atomic():
        RoomSeat.objects.filter(table=table, letter="N").update(visitor=visitor)


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "code"), [(-6, "room_not_open"), (24, "room_over"), (60, "room_over")])
def test_room_that_is_not_open_is_refused(minutes, code):
    room = open_room()
    with pytest.raises(RoomRefused, match=code):
        join_room(room_id=room.pk, visitor=make_visitor(), now=NOON + dt.timedelta(minutes=minutes))
    with pytest.raises(RoomRefused, match="room_unknown"):
        join_room(room_id=0, visitor=make_visitor(), now=NOON)
    assert not RoomSeat.objects.exists()
