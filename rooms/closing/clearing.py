"""The closed rooms in which nobody had a table: their rows are deleted after a day."""

import datetime as dt

from django.db import transaction
from django.db.models import Exists, OuterRef

from deals.models import DealSet
from rooms.models import Room, RoomTable

KEPT = dt.timedelta(days=1)  # so that whoever looks for the room finds it closed, and its seed beside the commitment
AT_ONCE = 100


def clear_empty_rooms(now: dt.datetime) -> int:
    """Delete rooms that were closed a day ago without a table, with their étuis. Return how many were deleted.

    A closed room cannot be joined, and its departure is over, so it is not made again.
    """
    closed = Room.objects.filter(closed_at__lte=now - KEPT)
    empty = closed.filter(~Exists(RoomTable.objects.filter(room=OuterRef("pk")))).order_by("pk")
    deleted = 0
    for room_id, deal_set in list(empty.values_list("pk", "deal_set")[:AT_ONCE]):
        with transaction.atomic():
            if Room.objects.filter(pk=room_id, tables=None).delete()[0]:
                DealSet.objects.filter(pk=deal_set, club=None).delete()
                deleted += 1
    return deleted
