"""The way into a room: a visitor gets a table with three bots, and the same table each time."""

import datetime as dt

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from deals.domain.cards import LINES, Seat
from rooms.errors import RoomRefused
from rooms.models import Room, RoomKind, RoomSeat, RoomTable, Visitor

SOLO = Seat.S  # the seat of a person who plays alone


def require_open(room: Room, now: dt.datetime) -> None:
    """Raise RoomRefused unless the room is open now. A closed room stays closed, even if the clock is set back."""
    if room.closed_at is not None:
        raise RoomRefused("room_over")
    if now < room.opens_at:
        raise RoomRefused("room_not_open", opens=f"{timezone.localtime(room.opens_at):%H:%M}")
    if now >= room.closes_at:
        raise RoomRefused("room_over")


def join_room(*, room_id: int, visitor: Visitor, now: dt.datetime) -> RoomTable:
    """Return the visitor's table in an open room. The first call makes it, with the visitor in South and three bots.

    Raise RoomRefused if there is no such room, or if it is not open.
    """
    with transaction.atomic():
        room = Room.objects.select_for_update().filter(pk=room_id).first()
        if room is None:
            raise RoomRefused("room_unknown")
        require_open(room, now)
        if room.kind == RoomKind.CLASSIC:
            raise RoomRefused("room_classic")
        seat = room.seats.filter(visitor=visitor, is_solo=True).select_related("table").first()
        if seat is not None:
            return seat.table
        return add_table(room, visitor=visitor, is_filler=False, now=now)


def add_table(room: Room, *, visitor: Visitor | None, is_filler: bool, now: dt.datetime) -> RoomTable:
    """Add a table with four seats to a room and return it. The caller has locked the room."""
    last = room.tables.aggregate(last=Max("number"))["last"] or 0
    table = RoomTable.objects.create(room=room, number=last + 1, is_filler=is_filler)
    RoomSeat.objects.bulk_create(
        RoomSeat(room=room, table=table, letter=letter, visitor=visitor if letter == SOLO else None, joined_at=now)
        for letter in LINES
    )
    return table
