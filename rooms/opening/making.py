"""The making of rooms: the first request that needs a room makes it, with étuis of its own."""

import datetime as dt

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from bots.levels import VERSION
from deals.sealing import seal_deal_set
from deals.sets import create_deal_set
from rooms.models import Room
from rooms.opening.departures import Departure, find_departures


def find_rooms(now: dt.datetime) -> list[Room]:
    """Return the rooms that are open now and the next one of each kind. The missing ones are made.

    The rooms of a kind follow each other: half-hour, day, week. Each has its `deal_set`.
    """
    departures = find_departures(now)
    wanted = Q()
    for departure in departures:
        wanted |= Q(kind=departure.kind, opens_at=departure.opens_at)
    kept = {(room.kind, room.opens_at): room for room in Room.objects.filter(wanted).select_related("deal_set")}
    return [kept.get((each.kind, each.opens_at)) or make_room(each, now=now) for each in departures]


def make_room(departure: Departure, *, now: dt.datetime) -> Room:
    """Return the room of a departure, made with a new sealed deal set of no club. Another process may have been faster.

    The set's commitment is known from now on.
    """
    try:
        with transaction.atomic():
            deal_set = create_deal_set(
                club=None,
                name=f"{departure.kind} {departure.opens_at:%Y-%m-%d %H:%M}",
                count=departure.etuis,
                now=now,
                by=None,
                profile=departure.profile,
            )
            seal_deal_set(deal_set=deal_set, now=now)
            return Room.objects.create(
                kind=departure.kind,
                opens_at=departure.opens_at,
                closes_at=departure.closes_at,
                etuis=departure.etuis,
                level=settings.ROOM_LEVEL,
                bots_version=VERSION,
                deal_set=deal_set,
            )
    except IntegrityError:
        return Room.objects.select_related("deal_set").get(kind=departure.kind, opens_at=departure.opens_at)
