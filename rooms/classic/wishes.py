"""The wishes of a player beside the cards: the next deal, a phrase, leaving, coming back. Pages and API use them."""

import datetime as dt

from rooms.classic.driving import want_next
from rooms.classic.phrases import say_phrase
from rooms.classic.sitting import come_back, leave_seat
from rooms.errors import RoomRefused
from rooms.models import Visitor
from rooms.record.fours import PHRASES

NEXT, BACK, AWAY, LEAVE, SAYS = "next", "back", "away", "leave", "say-"
WISHES = (NEXT, BACK, AWAY, LEAVE, *(f"{SAYS}{code}" for code in PHRASES))


def do_wish(*, table_id: int, visitor: Visitor, wish: str, now: dt.datetime) -> None:
    """Do what a player at a table for four wishes: one of WISHES. A second call changes nothing, except a phrase.

    Raise RoomRefused for an unknown wish, or if it cannot be fulfilled now.
    """
    if wish == NEXT:
        want_next(table_id=table_id, visitor=visitor, now=now)
    elif wish == BACK:
        come_back(table_id=table_id, visitor=visitor, now=now)
    elif wish in (AWAY, LEAVE):
        leave_seat(table_id=table_id, visitor=visitor, for_good=wish == LEAVE, now=now)
    elif wish.startswith(SAYS):
        say_phrase(table_id=table_id, visitor=visitor, code=wish.removeprefix(SAYS), now=now)
    else:
        raise RoomRefused("wish_unknown", "do")
