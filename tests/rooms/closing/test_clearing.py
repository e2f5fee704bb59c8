"""The rows of rooms that nobody joined go after a day; a room whose bots were upgraded meanwhile says so."""

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse

from bots.levels import VERSION
from deals.models import DealSet, Etui
from rooms.closing import clear_empty_rooms, close_room
from rooms.models import Room
from rooms.opening import find_rooms, join_room
from rooms.tasks import sweep_rooms
from tests.pages.reading import words
from tests.rooms.tables import NOON, make_visitor, open_room, play_by_hand

pytestmark = pytest.mark.django_db
AFTER, DAY = NOON + dt.timedelta(minutes=40), dt.timedelta(days=1)


@pytest.fixture
def room():
    return open_room(level=0, etuis=2)


def test_room_without_a_table_is_deleted_a_day_after_it_was_closed(room):
    assert close_room(room.pk, AFTER)
    assert clear_empty_rooms(AFTER + DAY - dt.timedelta(seconds=1)) == 0
    assert clear_empty_rooms(AFTER + DAY) == 1
    assert not Room.objects.filter(pk=room.pk).exists()
    assert not DealSet.objects.filter(pk=room.deal_set_id).exists()
    assert not Etui.objects.filter(deal_set=room.deal_set_id).exists()
    assert clear_empty_rooms(AFTER + DAY) == 0


def test_room_with_a_table_stays_even_if_nobody_has_begun_an_etui(room):
    join_room(room_id=room.pk, visitor=make_visitor(), now=NOON)
    assert close_room(room.pk, AFTER)
    assert clear_empty_rooms(AFTER + DAY) == 0


def test_open_rooms_and_those_to_come_stay(room):
    before = set(Room.objects.values_list("pk", flat=True))
    assert clear_empty_rooms(NOON + 30 * DAY) == 0
    assert set(Room.objects.values_list("pk", flat=True)) == before


def test_deleted_room_is_not_made_again(room, settings, monkeypatch):
    settings.ROOMS = True
    close_room(room.pk, AFTER)
    monkeypatch.setattr("django.utils.timezone.now", lambda: AFTER + DAY)
    sweep_rooms()
    find_rooms(AFTER + DAY)
    assert not Room.objects.filter(kind=room.kind, opens_at=room.opens_at).exists()


@pytest.mark.nightly("process")
def test_room_says_that_its_bots_were_upgraded_while_it_was_open(room, settings):
    settings.ROOMS = True
    play_by_hand(room, make_visitor(), 1)
    Room.objects.filter(pk=room.pk).update(bots_version="0")
    close_room(room.pk, AFTER)
    closed = Room.objects.get(pk=room.pk)
    assert (closed.bots_version, closed.has_newer_bots) == (f"0→{VERSION}", True)
    reader = Client(headers={"accept-language": "en"})
    assert "The bots were upgraded while this room was open." in words(reader.get(reverse("room", args=[room.pk])))
    assert reader.get(reverse("room_etui", args=[room.pk, 1])).status_code == 200


@pytest.mark.nightly("story")
def test_room_of_one_version_keeps_it(room):
    play_by_hand(room, make_visitor(), 1)
    close_room(room.pk, AFTER)
    assert Room.objects.get(pk=room.pk).bots_version == VERSION
