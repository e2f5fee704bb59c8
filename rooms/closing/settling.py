"""The end of a room: begun games are finished, notes and ranks are stored, the seed is shown, an unused room goes."""

import datetime as dt
from contextlib import suppress
from math import inf
from time import monotonic

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from bots.levels import VERSION
from deals.models import DealSet
from deals.sets import reveal_deal_set
from rooms.closing.finishing import complete_room, finish_games
from rooms.closing.ranks import settle_fours, settle_solo
from rooms.models import NEWER, Game, Room, RoomKind, RoomTable, VisitorEtui
from tournaments.queue import ROOM, ask_for_standings

GRACE = dt.timedelta(seconds=5)  # a move that came in time is stored by then


def find_due(now: dt.datetime) -> QuerySet[Room]:
    """Return the rooms whose hours are over and that are not closed yet, the oldest first."""
    return Room.objects.filter(closed_at=None, closes_at__lte=now - GRACE).order_by("closes_at", "pk")


def ask_to_close(room: Room, now: dt.datetime) -> None:
    """Queue the closing of a room whose hours are over, unless it is closed.

    A request that reads the room calls this. If the broker is down, do nothing: the scheduled job asks again.
    """
    if room.closed_at is None and room.closes_at <= now - GRACE:
        with suppress(OperationalError, RedisError):
            ask_for_standings(room.pk, ROOM)


def play_field(room_id: int, now: dt.datetime, *, seconds: float = inf) -> bool:
    """Let bots play on at the tables of bots of an open room, for so many seconds. Return whether they are done.

    Raise NoAnswer if the bots give no answer.
    """
    room = find_waiting_for_bots(now).select_related("deal_set").filter(pk=room_id).first()
    return room is None or finish_games(room, now=now, until=monotonic() + seconds, by_bots=True)


def find_waiting_for_bots(now: dt.datetime) -> QuerySet[Room]:
    """Return the open rooms in which bots have still to play at their own tables."""
    unfinished = Game.objects.filter(table__room=OuterRef("pk"), table__is_filler=True, finished_at=None)
    return Room.objects.filter(Exists(unfinished), closed_at=None, closes_at__gt=now)


def is_unclosed(room_id: int, now: dt.datetime) -> bool:
    """Return whether the hours of a room are over and it is not closed yet."""
    return find_due(now).filter(pk=room_id).exists()


def close_room(room_id: int, now: dt.datetime, *, seconds: float = inf) -> bool:
    """Close a room whose hours are over. Return whether this call has closed it.

    If the bots need more than these seconds for its games, store what they have played: the next call goes on there.
    It may be called twice, at the same time, or again after it was stopped in the middle. The bots play the same cards
    each time, and everything is stored once. Raise NoAnswer if the bots give no answer.
    """
    until = monotonic() + seconds
    room = find_due(now).select_related("deal_set").filter(pk=room_id).first()
    if room is None:
        return False
    if room.kind != RoomKind.CLASSIC:
        complete_room(room, now=now)
    return finish_games(room, now=now, until=until) and settle_room(room_id, now=now)


@transaction.atomic
def settle_room(room_id: int, *, now: dt.datetime) -> bool:
    """Store the notes and ranks of a room in which every game is over, and show its seed.

    Return False if the room is closed already.
    """
    room = Room.objects.select_for_update(of=("self",)).select_related("deal_set").get(pk=room_id)
    if room.closed_at is not None:
        return False
    games = list(Game.objects.filter(table__room=room).select_related("etui").order_by("pk"))
    assert all(game.finished_at is not None for game in games)
    if room.kind == RoomKind.CLASSIC:
        settle_fours(room, games, now=now)
    else:
        settle_solo(room, games)
    reveal_deal_set(deal_set=room.deal_set, now=now)
    room.closed_at = now
    if games and room.bots_version != VERSION:
        room.bots_version = f"{room.bots_version}{NEWER}{VERSION}"
    room.save(update_fields=["closed_at", "bots_version"])
    return True


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
