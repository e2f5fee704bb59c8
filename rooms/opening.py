"""The departures of rooms: when they open, the first request that makes each one, and the way to a table in it.

Half-hour rooms open whenever the site's clock shows one of the minutes of ROOM_DEPARTURES. The setting says at which of
them the étuis have an imposed garde, the form of clubs. In all other rooms the players bid. When summer time begins, an
hour is left out, and so are its departures. When it ends, an hour comes twice, and so do its departures.

The first visitor's table brings the field: seven tables of bots, with which everybody is compared. So each room has the
same yardstick, and whoever has played an étui reads a note at once. A job plays these tables.
"""

import datetime as dt
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from bots.levels import CHARACTERS, VERSION
from clubs.guard import Count
from clubs.guard.counting import DAY, MINUTE
from deals.domain.cards import LINES, Seat
from deals.models import Etui
from deals.sets import create_deal_set, seal_deal_set
from rooms.errors import RoomRefused
from rooms.models import Game, Room, RoomKind, RoomSeat, RoomTable, Visitor
from rooms.record.tables import impose_garde
from tournaments.queue import ROOM, queue_again

A_MINUTE, A_DAY = dt.timedelta(minutes=1), dt.timedelta(days=1)
WEEK_ETUIS = 24
AUCTION, GARDE = "auction-1", "garde-1"  # the profiles by which étuis are dealt
KINDS = (RoomKind.HALF, RoomKind.DAY, RoomKind.WEEK)  # classic rooms have no departures


class Departure(NamedTuple):
    """The kind of a room, when it opens and closes, its number of étuis, and the profile by which they are dealt."""

    kind: RoomKind
    opens_at: dt.datetime
    closes_at: dt.datetime
    etuis: int
    profile: str = AUCTION

    def is_open(self, now: dt.datetime) -> bool:
        return self.opens_at <= now < self.closes_at


def find_departures(now: dt.datetime) -> list[Departure]:
    """Return the departures whose rooms are open now and the next one of each kind, in the order of KINDS."""
    departures = []
    for kind in KINDS:
        last = find_last_departure(kind, now)
        departures += [last] if last.is_open(now) else []
        departures.append(find_next_departure(kind, now))
    return departures


def find_last_departure(kind: RoomKind, now: dt.datetime) -> Departure:
    """Return the last departure of a kind that is not after `now`."""
    if kind == RoomKind.HALF:
        return make_half(find_half(now, step=-A_MINUTE))
    return make_days(kind, first_day(kind, now))


def find_next_departure(kind: RoomKind, now: dt.datetime) -> Departure:
    """Return the first departure of a kind after `now`."""
    if kind == RoomKind.HALF:
        return make_half(find_half(now + A_MINUTE, step=A_MINUTE))
    return make_days(kind, first_day(kind, now) + dt.timedelta(days=days_of(kind)))


def find_half(moment: dt.datetime, *, step: dt.timedelta) -> dt.datetime:
    """Return the nearest moment with a departure, from the beginning of this minute in steps of a minute."""
    moment = moment.astimezone(dt.UTC).replace(second=0, microsecond=0)
    zone, minutes = timezone.get_default_timezone(), settings.ROOM_DEPARTURES
    while moment.astimezone(zone).minute not in minutes:
        moment += step
    return moment


def make_half(opens_at: dt.datetime) -> Departure:
    """Return the half-hour departure of this moment. Its room is closed when the next one opens, at the latest."""
    following = find_half(opens_at + A_MINUTE, step=A_MINUTE)
    closes_at = min(opens_at + settings.ROOM_MINUTES * A_MINUTE, following)
    minute = opens_at.astimezone(timezone.get_default_timezone()).minute
    profile = GARDE if settings.ROOM_DEPARTURES[minute] else AUCTION
    return Departure(RoomKind.HALF, opens_at, closes_at, settings.ROOM_ETUIS, profile)


def first_day(kind: RoomKind, now: dt.datetime) -> dt.date:
    """Return the first day of the day's or the week's room at this moment."""
    day = timezone.localdate(now, timezone.get_default_timezone())
    return day - dt.timedelta(days=day.weekday()) if kind == RoomKind.WEEK else day


def days_of(kind: RoomKind) -> int:
    """Return for how many days a room of this kind is open."""
    return 7 if kind == RoomKind.WEEK else 1


def make_days(kind: RoomKind, day: dt.date) -> Departure:
    """Return the departure of the day's or the week's room that opens on this day."""
    last = day + dt.timedelta(days=days_of(kind))
    return Departure(kind, find_midnight(day), find_midnight(last), WEEK_ETUIS if kind == RoomKind.WEEK else 1)


def find_midnight(day: dt.date) -> dt.datetime:
    """Return the moment when a day of the site's time zone begins."""
    return dt.datetime.combine(day, dt.time(), timezone.get_default_timezone()).astimezone(dt.UTC)


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
        return store_room(departure, f"{departure.kind} {departure.opens_at:%Y-%m-%d %H:%M}", now=now)
    except IntegrityError:
        return Room.objects.select_related("deal_set").get(kind=departure.kind, opens_at=departure.opens_at)


@transaction.atomic
def store_room(departure: Departure, name: str, *, now: dt.datetime) -> Room:
    """Store a room with a new sealed deal set of no club, which has this name."""
    kind, opens_at, closes_at, etuis, profile = departure
    deal_set = create_deal_set(club=None, name=name, count=etuis, now=now, by=None, profile=profile)
    seal_deal_set(deal_set=deal_set, now=now)
    return Room.objects.create(
        kind=kind,
        opens_at=opens_at,
        closes_at=closes_at,
        etuis=etuis,
        level=settings.ROOM_LEVEL,
        bots_version=VERSION,
        deal_set=deal_set,
    )


GUESTS_A_MINUTE, GUESTS_A_DAY = 20, 300
TABLES_OF_A_ROOM = 60


def count_guests(address: str | None) -> list[Count]:
    """Return the counters of the new guests of a network address."""
    whose = f"address {address}"
    return [Count("guests", whose, GUESTS_A_MINUTE, MINUTE), Count("guests", whose, GUESTS_A_DAY, DAY)]


def count_tables(room_id: int, visitor: Visitor, address: str | None) -> list[Count]:
    """Return the counter of the tables that a network address opens in a room.

    It is empty if the visitor has a table in the room, which is no new one.
    """
    if RoomSeat.objects.filter(room=room_id, visitor=visitor, left_at=None).exists():
        return []
    return [Count("room-tables", f"room {room_id} address {address}", TABLES_OF_A_ROOM, DAY)]


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


def find_next_number(room: Room) -> int:
    """Return the number of a room's next table. The caller has locked the room."""
    return 1 + (room.tables.aggregate(last=Max("number"))["last"] or 0)


def add_table(room: Room, *, visitor: Visitor, now: dt.datetime) -> RoomTable:
    """Add a table with four seats to a room and return it. The caller has locked the room."""
    table = RoomTable.objects.create(room=room, number=find_next_number(room))
    RoomSeat.objects.bulk_create(
        RoomSeat(room=room, table=table, letter=letter, visitor=visitor if letter == SOLO else None, joined_at=now)
        for letter in LINES
    )
    return table


def first_moves(room: Room, etui: Etui) -> dict[str, Any]:
    """Return the étui of a new game with its first moves: the auction, if the room has an imposed garde."""
    if not room.moves_given:
        return {"etui": etui}
    return {"etui": etui, "record": impose_garde(Seat(etui.dealer), Seat(etui.taker)), "length": room.moves_given}


def add_field(room: Room, *, now: dt.datetime) -> bool:
    """Add the tables of bots and their games to a room, unless it has them. Return whether they were added.

    The caller has locked the room. The numbers of the tables follow each other, so all characters play.
    """
    if room.tables.filter(is_filler=True).exists():
        return False
    first = find_next_number(room)
    tables = RoomTable.objects.bulk_create(
        RoomTable(room=room, number=first + place, is_filler=True) for place in range(len(CHARACTERS))
    )
    seats = [RoomSeat(room=room, table=table, letter=letter, joined_at=now) for table in tables for letter in LINES]
    RoomSeat.objects.bulk_create(seats)
    etuis = list(Etui.objects.filter(deal_set=room.deal_set_id).order_by("number")[: room.etuis])
    games = [Game(table=table, begun_at=now, **first_moves(room, etui)) for etui in etuis for table in tables]
    Game.objects.bulk_create(games)
    return True


__all__ = ["find_rooms", "join_room"]
