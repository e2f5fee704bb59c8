"""A guest who becomes an account while sitting at a table for four: the account goes on playing in the seat."""

import datetime as dt

from django.db import transaction

from clubs.models import User
from rooms.classic.watching import note_change
from rooms.models import ClassicTable, Room, RoomSeat, Visitor
from rooms.visitors.guests import find_account_visitor, keep_guest
from tournaments.locks import lock_apart


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
