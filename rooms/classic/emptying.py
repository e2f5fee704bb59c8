"""The end of tables for four at which nobody has been for a while, so that lists of tables stay short."""

import datetime as dt

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from rooms.classic.watching import note_change
from rooms.models import ClassicTable, Room, RoomSeat
from tournaments.locks import lock_apart

EMPTY_FOR = dt.timedelta(minutes=10)
AT_ONCE = 500


def find_empty_tables(now: dt.datetime) -> QuerySet[ClassicTable]:
    """Return the tables of open rooms at which nothing has happened for ten minutes.

    While somebody looks at a table, a deal begins, a bot moves, or the clock of a player runs out in this time.
    """
    limit = now - EMPTY_FOR
    came = RoomSeat.objects.filter(Q(joined_at__gt=limit) | Q(away_at__gt=limit), table=OuterRef("table"), left_at=None)
    idle = ClassicTable.objects.filter(Q(turn_at=None) | Q(turn_at__lte=limit), ended_at=None, begins_at__lte=limit)
    return idle.filter(~Exists(came), table__room__closed_at=None)


def end_empty_tables(now: dt.datetime) -> int:
    """End the tables at which nobody has been for ten minutes. Return how many ended. The next sweep ends the rest."""
    ended = 0
    rooms = find_empty_tables(now).order_by("table__room").values_list("table__room", flat=True).distinct()
    for room_id in list(rooms):
        with transaction.atomic():
            lock_apart(Room, [room_id])
            empty = find_empty_tables(now).filter(table__room=room_id).order_by("pk")
            tables = list(empty.values_list("table", flat=True)[:AT_ONCE])
            ClassicTable.objects.filter(table__in=tables).update(ended_at=now)
            RoomSeat.objects.filter(table__in=tables, left_at=None).update(left_at=now)
            for table in tables:
                note_change(table)
            ended += len(tables)
    return ended
