"""The deletion of closed rooms in which nobody had a table, a day after their end."""

import datetime as dt

from django.db import transaction
from django.db.models import Exists, OuterRef

from deals.models import DealSet
from rooms.models import Room, RoomTable, VisitorEtui

KEPT = dt.timedelta(days=1)  # meanwhile, the page of the room tells that it is closed, and shows its seed
AT_ONCE = 100


def clear_empty_rooms(now: dt.datetime) -> int:
    """Delete rooms that were closed a day ago without a table, with their étuis. Return how many were deleted.

    A room of which somebody has seen a card stays.
    Nobody can join a closed room. The site opens no room twice for the same hour, so none of them comes back.
    """
    closed = Room.objects.filter(closed_at__lte=now - KEPT)
    met = VisitorEtui.objects.filter(etui__deal_set=OuterRef("deal_set"))
    empty = closed.filter(~Exists(RoomTable.objects.filter(room=OuterRef("pk"))), ~Exists(met)).order_by("pk")
    deleted = 0
    for room_id, deal_set in list(empty.values_list("pk", "deal_set")[:AT_ONCE]):
        with transaction.atomic():
            if Room.objects.filter(pk=room_id, tables=None).delete()[0]:
                DealSet.objects.filter(pk=deal_set, club=None).delete()
                deleted += 1
    return deleted
