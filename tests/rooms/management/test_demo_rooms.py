"""The rooms of the demonstration: a closed one with a ranking, made once; none on a site without rooms."""

import pytest
from django.core.management import call_command

from rooms.models import Room, RoomSeat, Visitor

pytestmark = pytest.mark.django_db


@pytest.mark.guard("the rooms of the demonstration")
def test_demonstration_has_a_closed_room_with_a_ranking_and_makes_it_once(settings, capsys):
    settings.ROOMS, settings.ROOM_ETUIS = True, 2
    for _time in range(2):
        call_command("demo_rooms", site="http://127.0.0.1:8000")
    room = Room.objects.get(closed_at__isnull=False)
    seats = RoomSeat.objects.filter(room=room, visitor__isnull=False)
    assert (seats.count(), Visitor.objects.count(), room.tables.filter(is_filler=True).count()) == (4, 4, 7)
    assert all(seat.rank and seat.own_deals == 2 for seat in seats)
    assert len(set(seats.values_list("notes_sum"))) > 1
    assert f"http://127.0.0.1:8000/rooms/{room.pk}/" in capsys.readouterr().out


def test_site_without_rooms_makes_none(settings):
    settings.ROOMS = False
    call_command("demo_rooms")
    assert not Room.objects.exists()
