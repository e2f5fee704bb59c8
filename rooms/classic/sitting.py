"""The seats of a table for four: somebody sits down, lets a bot play, takes the seat back, leaves, or has gone.

A guest who becomes an account goes on in the same seat. Tables at which nobody has been for a while end.
"""

import datetime as dt

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from clubs.models import User
from deals.domain.cards import Seat
from rooms.classic.holding import HeldTable, find_table
from rooms.classic.watching import note_change
from rooms.errors import RoomRefused
from rooms.models import ClassicTable, ClassicTerms, Room, RoomKind, RoomSeat, RoomTable, Visitor, VisitorEtui
from rooms.opening import find_next_number, require_open
from rooms.visitors.guests import find_account_visitor, keep_guest
from tournaments.locks import lock_apart

ORDER = (Seat.S, Seat.N, Seat.E, Seat.W)  # the order in which visitors get seats if they do not choose one
KEPT_SEAT = dt.timedelta(minutes=3)  # how long the seat of somebody who is away is kept


def lock_room(room_id: int, now: dt.datetime) -> Room:
    """Lock a room for four and return it. Seats and deals of one room change one after the other.

    Raise RoomRefused if there is none, or if it is not open.
    """
    room = next(iter(lock_apart(Room, [room_id])), None)
    if room is None or room.kind != RoomKind.CLASSIC:
        raise RoomRefused("room_unknown")
    require_open(room, now)
    return room


def take_seat(
    *, room_id: int, visitor: Visitor, now: dt.datetime, where: tuple[int | None, str] = (None, ""), link: str = ""
) -> RoomTable:
    """Give a visitor a seat in a room for four, and return the table. A second call returns the same table.

    `where`: the number of the table, None for a new one, and the letter of the seat, "" for any free one. `link`: the
    link of a room of one's own. Raise RoomRefused if the seat is not free, or if the visitor sits elsewhere.
    """
    number, letter = where
    try:
        with transaction.atomic():
            room = lock_room(room_id, now)
            require_link(room, visitor, link)
            sits = find_running_seat(visitor, now)
            if sits is not None and sits.room_id != room_id:
                raise RoomRefused("sits_elsewhere")
            if sits is not None:
                return_to_seat(sits, now)
                return sits.table
            table = open_table(room, now) if number is None else find_numbered(room, number)
            sit_down(find_table(table.pk), visitor, letter, now)
            return table
    except IntegrityError:  # the visitor sat down elsewhere at the same moment
        raise RoomRefused("sits_elsewhere") from None


def find_running_seat(visitor: Visitor, now: dt.datetime) -> RoomSeat | None:
    """Return the seat that a visitor has now at a table for four, or None.

    A seat of a room whose hours are over is left, even if the room is not closed yet.
    """
    rows = RoomSeat.objects.filter(visitor=visitor, is_solo=False, left_at=None)
    sits = rows.select_related("table", "room").first()
    if sits is None or sits.room.closes_at > now:
        return sits
    rows.filter(pk=sits.pk).update(left_at=sits.room.closes_at)
    return None


def require_link(room: Room, visitor: Visitor, link: str) -> None:
    """Raise RoomRefused unless the room is a hall, or the visitor has its link or has sat in it before."""
    terms = ClassicTerms.objects.get(room=room)
    if terms.link and terms.link != link and not room.seats.filter(visitor=visitor).exists():
        raise RoomRefused("room_unknown")


def open_table(room: Room, now: dt.datetime) -> RoomTable:
    """Add a table to a room. Bots fill its free seats after the wait of the room's terms."""
    terms = ClassicTerms.objects.get(room=room)
    table = RoomTable.objects.create(room=room, number=find_next_number(room))
    ClassicTable.objects.create(table=table, begins_at=now + dt.timedelta(seconds=terms.wait))
    return table


def find_numbered(room: Room, number: int) -> RoomTable:
    """Return a table of a room by its number. Raise RoomRefused if there is none, or if it has ended."""
    table = room.tables.select_related("classic").filter(number=number).first()
    if table is None:
        raise RoomRefused("table_unknown")
    if table.classic.ended_at is not None:
        raise RoomRefused("table_ended")
    return table


def sit_down(held: HeldTable, visitor: Visitor, letter: str, now: dt.datetime) -> None:
    """Store a visitor's seat. In the middle of a deal, the visitor has met its étui from now on."""
    free = [seat for seat in ORDER if is_free(held, seat, now)]
    if letter and letter not in free:
        raise RoomRefused("seat_taken")
    if not free:
        raise RoomRefused("no_seat_free")
    seat = Seat(letter) if letter else free[0]
    meet_running_deal(held, visitor, now)
    if seat in held.seats:
        RoomSeat.objects.filter(pk=held.seats[seat].pk).update(left_at=now)
    RoomSeat.objects.create(
        room=held.room, table=held.table, letter=seat, visitor=visitor, is_solo=False, joined_at=now
    )
    if not held.is_playing or held.classic.turn_at is None or not held.present:
        ClassicTable.objects.filter(pk=held.classic.pk).update(turn_at=now)
    note_change(held.table.pk)


def is_free(held: HeldTable, seat: Seat, now: dt.datetime) -> bool:
    """Return whether somebody may sit down here: nobody has the seat, or its visitor has been away for long."""
    row = held.seats.get(seat)
    return row is None or (row.away_at is not None and now - row.away_at >= KEPT_SEAT)


def meet_running_deal(held: HeldTable, visitor: Visitor, now: dt.datetime) -> None:
    """Store that a visitor meets the étui that is on the table.

    Raise RoomRefused if it is being played and they know it already. After its last trick everybody may look at it.
    """
    if held.game is None:
        return
    _met, is_new = VisitorEtui.objects.get_or_create(visitor=visitor, etui=held.game.etui, defaults={"shown_at": now})
    if held.is_playing and not is_new:
        raise RoomRefused("etui_met_here")


def return_to_seat(seat: RoomSeat, now: dt.datetime) -> None:
    """Let a visitor who was away play again. They have met each étui that began meanwhile, so they may see it."""
    if not RoomSeat.objects.filter(pk=seat.pk, away_at__isnull=False).update(away_at=None, missed=0):
        return
    ClassicTable.objects.filter(table=seat.table_id).update(turn_at=now)
    note_change(seat.table_id)


@transaction.atomic
def come_back(*, table_id: int, visitor: Visitor, now: dt.datetime) -> None:
    """Let a visitor who was away play again. Raise RoomRefused if somebody else has the seat by now."""
    held = lock_table_for_four(table_id, now)
    return_to_seat(require_seat(held, visitor), now)


@transaction.atomic
def leave_seat(*, table_id: int, visitor: Visitor, for_good: bool, now: dt.datetime) -> None:
    """Let a bot play for a visitor, who may come back; or give the seat up. A second call changes nothing.

    A table that nobody has any more ends, once its deal is over.
    """
    held = lock_table_for_four(table_id, now)
    seat = held.find_seat_of(visitor)
    if seat is None:
        return
    rows = RoomSeat.objects.filter(pk=held.seats[seat].pk)
    if for_good or held.game is None:
        rows.update(left_at=now)
    else:
        rows.filter(away_at=None).update(away_at=now)
    if len(held.seats) == 1 and (for_good or held.game is None):
        ClassicTable.objects.filter(pk=held.classic.pk).update(ended_at=now)
    note_change(table_id)


def lock_table_for_four(table_id: int, now: dt.datetime) -> HeldTable:
    """Lock the room of a table and return the table. Raise RoomRefused if there is none, or if its room is closed."""
    room_id = RoomTable.objects.filter(pk=table_id, classic__isnull=False).values_list("room", flat=True).first()
    if room_id is None:
        raise RoomRefused("table_unknown")
    lock_room(room_id, now)
    return find_table(table_id)


def require_seat(held: HeldTable, visitor: Visitor, *, playing: bool = False) -> RoomSeat:
    """Return the visitor's seat at a table. Raise RoomRefused if there is none or, if `playing`, a bot plays there."""
    seat = held.find_seat_of(visitor)
    if seat is None:
        raise RoomRefused("not_at_table")
    row = held.seats[seat]
    if playing and row.away_at is not None:
        raise RoomRefused("seat_away")
    return row


@transaction.atomic
def keep_guest_and_seat(*, visitor: Visitor, account: User, now: dt.datetime) -> Visitor:
    """Let the results of a guest be those of an account, as `keep_guest` does, and the seat at a table for four, too.

    If the account sits at such a table itself, the guest's seat is given up. The room is locked before the guest:
    somebody who sits down locks in this order, too. Raise `VisitorRefused` if the visitor is no guest.
    """
    running = RoomSeat.objects.filter(visitor=visitor, is_solo=False, left_at=None)
    lock_apart(Room, list(running.values_list("room", flat=True)))
    sits, own = running.first(), find_account_visitor(account)
    if sits is not None and own is not None:
        hand_over_seat(sits, own, now=now)
    if sits is not None:
        note_change(sits.table_id)
    return keep_guest(visitor=visitor, account=account, now=now)


def hand_over_seat(seat: RoomSeat, own: Visitor, *, now: dt.datetime) -> None:
    """Give a guest's seat to an account, with all that the guest has played in the room; or give the seat up."""
    mine = RoomSeat.objects.filter(visitor=own)
    if mine.filter(is_solo=False, left_at=None).exists():
        RoomSeat.objects.filter(pk=seat.pk).update(left_at=now)
        if not RoomSeat.objects.filter(table=seat.table_id, left_at=None).exists():
            ClassicTable.objects.filter(table=seat.table_id, ended_at=None).update(ended_at=now)
    elif mine.filter(room=seat.room_id).exists():
        RoomSeat.objects.filter(pk=seat.pk).update(visitor=own)
    else:
        RoomSeat.objects.filter(room=seat.room_id, visitor=seat.visitor_id).update(visitor=own)


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
