"""The view of a table for four, as one of its players loads it: the deal in plain words.

It also has what they do beside the cards: the set phrases, the next deal, leaving and coming back.

First each step whose time has come is made, such as the next deal. Then the cache gets the time of the next step.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import transaction

from deals.domain.cards import Seat
from rooms.classic.driving import drive_table, want_next
from rooms.classic.holding import HeldTable, find_table, find_table_due
from rooms.classic.playing import show_seat_game
from rooms.classic.sitting import come_back, leave_seat, lock_table_for_four, require_seat
from rooms.classic.watching import note_change, note_due, read_stamp
from rooms.errors import RoomRefused
from rooms.games.moving import PlayedGame
from rooms.models import ClassicTable, Visitor
from rooms.record.shown import ShownTable
from rooms.record.tables import PHRASES, PHRASES_KEPT, may_say

PAUSE = 3.0  # seconds between two phrases of one seat
SHOWN_FOR = dt.timedelta(seconds=30)


def list_fresh_phrases(classic: ClassicTable, now: dt.datetime) -> list[dict[str, Any]]:
    """Return the phrases of the last moments, each with its seat and code, the oldest first."""
    after = (now - SHOWN_FOR).timestamp()
    return [each for each in classic.phrases if each["at"] >= after and each["code"] in PHRASES]


@transaction.atomic
def say_phrase(*, table_id: int, visitor: Visitor, code: str, now: dt.datetime) -> None:
    """Say a set phrase at a table. Only the last few are kept. Raise RoomRefused for an unknown one, or too soon."""
    if code not in PHRASES:
        raise RoomRefused("phrase_unknown")
    held = lock_table_for_four(table_id, now)
    letter = require_seat(held, visitor).letter
    if not may_say(held.classic.phrases, letter, now.timestamp(), pause=PAUSE):
        raise RoomRefused("phrase_soon")
    said = {"seat": letter, "code": code, "at": now.timestamp()}
    phrases = [*held.classic.phrases, said][-PHRASES_KEPT:]
    ClassicTable.objects.filter(pk=held.classic.pk).update(phrases=phrases)
    note_change(table_id)


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


NOTHING_ASKED = {"kind": "wait", "bids": [], "cards": [], "poignees": [], "chelem": False}


def describe_deal(look: TableLook, game: PlayedGame, names: Mapping[str, str]) -> ShownTable:
    """Return the description of the deal for the reader's seat.

    `names`: the name of each seat. A bot that plays for the reader is asked, and not the reader.
    """
    shown = replace(game, etui=len(look.held.games), of=look.held.terms.deals).describe(names)
    if look.seat not in look.held.present and shown["asks"]["kind"] != "over":
        shown["asks"] = {**shown["asks"], **NOTHING_ASKED}  # type: ignore[typeddict-item]
    return shown


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
