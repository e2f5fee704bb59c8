"""The view of a table for four, as one of its players loads it.

First each step whose time has come is made, such as the next deal. Then the cache gets the time of the next step.
"""

import datetime as dt
from typing import NamedTuple

from deals.domain.cards import Seat
from rooms.classic.driving import drive_table
from rooms.classic.holding import HeldTable, find_table, find_table_due
from rooms.classic.playing import show_seat_game
from rooms.classic.sitting import require_seat
from rooms.classic.watching import note_due, read_stamp
from rooms.errors import RoomRefused
from rooms.games.moving import PlayedGame
from rooms.models import Visitor

MOST_STEPS = 3  # in one request: for example the beginning of a deal, and the bids of bots


class TableLook(NamedTuple):
    """A table for four as one of its players sees it. `game` is None before the first deal.

    `stamp`: the page sends it back to ask whether anything is new. It is the same for everybody at the table.
    """

    held: HeldTable
    seat: Seat
    game: PlayedGame | None
    stamp: str


def look_at_table(*, table_id: int, visitor: Visitor, now: dt.datetime) -> TableLook:
    """Return a table for four as a visitor who has a seat there sees it. First make the steps whose time has come.

    Raise RoomRefused if there is no such table, if the visitor has no seat there, or if the room is closed.
    """
    stamp = read_stamp(table_id)
    held = find_table(table_id)
    seat = Seat(require_seat(held, visitor).letter)
    if held.room.closed_at is not None or now >= held.room.closes_at:
        raise RoomRefused("room_over")
    for _step in range(MOST_STEPS):
        due = find_table_due(held, now)
        if due is None or due > now:
            break
        drive_table(held, now=now)
        stamp = read_stamp(table_id)
        held = find_table(table_id)
    note_due(stamp, find_table_due(held, now))
    return TableLook(held, seat, show_seat_game(held.hold(seat)) if held.game else None, stamp)
