"""The only change by hand in a closed room: a visitor is left out of the ranking, or comes back into it.

Nothing else is changed by hand. Notes stay, because the tables of the others are compared with this one.
"""

import datetime as dt

from django.db import transaction

from clubs.models import User
from clubs.names import HIDDEN
from rooms.closing import rank_again
from rooms.models import Room, RoomSeat
from rooms.visitors.names import VisitorRefused
from rooms.visitors.reports import log_of_administration
from tournaments.locks import lock_apart

MOST_LETTERS = 200  # of a reason


@transaction.atomic
def leave_out(*, room_id: int, seat_id: int, reason: str, by: User, now: dt.datetime) -> None:
    """Leave a seat out of the ranking of a closed room. Everybody reads the reason.

    Raise `VisitorRefused` if there is no reason, no such seat, or no ranking yet.
    """
    reason = " ".join(HIDDEN.sub(" ", reason).split())[:MOST_LETTERS]
    if not reason:
        raise VisitorRefused("reason_missing", "reason")
    change_place(room_id, seat_id, left_out_at=now, left_out_by=by, left_out_reason=reason)
    log_of_administration(RoomSeat, seat_id, "left out of the ranking", by)


@transaction.atomic
def take_in_again(*, room_id: int, seat_id: int, by: User) -> None:
    """Let a seat that was left out be ranked again. Raise `VisitorRefused` as `leave_out` does."""
    change_place(room_id, seat_id, left_out_at=None, left_out_by=None, left_out_reason="")
    log_of_administration(RoomSeat, seat_id, "ranked again", by)


def change_place(room_id: int, seat_id: int, **values: object) -> None:
    """Change a seat of a closed room, and rank the room again."""
    rooms = lock_apart(Room, [room_id])
    if not rooms or rooms[0].closed_at is None:
        raise VisitorRefused("room_not_ranked")
    if not RoomSeat.objects.filter(pk=seat_id, room=room_id, visitor__isnull=False).update(**values):
        raise VisitorRefused("visitor_unknown")
    rank_again(room_id)
