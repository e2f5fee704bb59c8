"""The jobs of rooms on a laptop and on a server: rooms are made ahead, and closed when their hours are over."""

import datetime as dt

import pytest
from django.utils import timezone

from rooms.models import Game, Room, RoomKind, RoomTable
from rooms.opening import Departure, make_room
from tests.rooms.tables import make_visitor, play_by_hand
from tests.services.waiting import wait_until

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def room(transactional_db, settings):
    """Return a room whose hours are over, with one étui that somebody has played."""
    settings.ROOMS = True
    now = timezone.now()
    made = make_room(Departure(RoomKind.HALF, now - HOUR, now + HOUR, 1), now=now)
    Room.objects.update(level=0)
    made.refresh_from_db()
    play_by_hand(made, make_visitor(), 1, now=now)
    Room.objects.update(closes_at=now - HOUR / 2)
    return made


def is_closed_and_followed(room):
    is_closed = Room.objects.filter(pk=room.pk, closed_at__isnull=False).exists()
    return is_closed and set(RoomKind) - {RoomKind.CLASSIC} <= set(
        Room.objects.filter(opens_at__gt=timezone.now()).values_list("kind", flat=True)
    )


@pytest.mark.nightly("story")
def test_laptop_closes_rooms_and_makes_the_next_ones(work_in_background, room):
    work_in_background(sweep_seconds=1).start()
    wait_until(lambda: is_closed_and_followed(room), 60, "the room to be closed")
    assert (RoomTable.objects.count(), Game.objects.filter(finished_at=None).count()) == (8, 0)


@pytest.mark.nightly("process")
def test_server_closes_rooms_and_makes_the_next_ones(start_worker, room):
    start_worker(sweep_seconds=1, ROOMS="yes")
    wait_until(lambda: is_closed_and_followed(room), 90, "the room to be closed")
    assert (RoomTable.objects.count(), Game.objects.filter(finished_at=None).count()) == (8, 0)
