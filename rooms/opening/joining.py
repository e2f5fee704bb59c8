"""The way into a room: a visitor gets a table with three bots, and the same table each time.

The first visitor's table brings the field: seven tables of bots, with which everybody is compared. So each room has the
same yardstick, and whoever has played an étui reads a note at once. A job plays these tables.
"""

import datetime as dt
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from bots.levels import CHARACTERS
from deals.domain.cards import LINES, Seat
from deals.models import Etui
from rooms.errors import RoomRefused
from rooms.models import Game, Room, RoomKind, RoomSeat, RoomTable, Visitor
from rooms.record.fillers import impose_garde
from tournaments.queue import ROOM, queue_again

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
        table = add_table(room, visitor=visitor, now=now)
        if add_field(room, now=now):
            transaction.on_commit(partial(queue_again, room_id, ROOM), robust=True)
        return table


def add_table(room: Room, *, visitor: Visitor, now: dt.datetime) -> RoomTable:
    """Add a table with four seats to a room and return it. The caller has locked the room."""
    last = room.tables.aggregate(last=Max("number"))["last"] or 0
    table = RoomTable.objects.create(room=room, number=last + 1)
    RoomSeat.objects.bulk_create(
        RoomSeat(room=room, table=table, letter=letter, visitor=visitor if letter == SOLO else None, joined_at=now)
        for letter in LINES
    )
    return table


def first_moves(room: Room, etui: Etui) -> dict[str, Any]:
    """Return the étui of a new game with its first moves: the auction, if the room has an imposed garde."""
    if not room.is_imposed:
        return {"etui": etui}
    return {"etui": etui, "record": impose_garde(Seat(etui.dealer), Seat(etui.taker)), "length": len(LINES)}


def add_field(room: Room, *, now: dt.datetime) -> bool:
    """Add the tables of bots and their games to a room, unless it has them. Return whether they were added.

    The caller has locked the room. The numbers of the tables follow each other, so all characters play.
    """
    if room.tables.filter(is_filler=True).exists():
        return False
    last = room.tables.aggregate(last=Max("number"))["last"] or 0
    tables = RoomTable.objects.bulk_create(
        RoomTable(room=room, number=last + place, is_filler=True) for place in range(1, len(CHARACTERS) + 1)
    )
    seats = [RoomSeat(room=room, table=table, letter=letter, joined_at=now) for table in tables for letter in LINES]
    RoomSeat.objects.bulk_create(seats)
    etuis = list(Etui.objects.filter(deal_set=room.deal_set_id).order_by("number")[: room.etuis])
    games = [Game(table=table, begun_at=now, **first_moves(room, etui)) for etui in etuis for table in tables]
    Game.objects.bulk_create(games)
    return True
