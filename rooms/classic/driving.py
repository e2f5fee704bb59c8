"""The steps that are due at a table for four: deals begin, bots move, the clock runs out. Requests make them.

Several requests may try a step at once. It is made once, because of the lock of the room, or because the stored record
has another length.
"""

import datetime as dt
from time import monotonic

from django.db import transaction
from django.db.models import F

from deals.domain.cards import Seat
from referee.views import view
from rooms.classic.holding import HeldTable, find_clock_end, find_etui, find_table, find_table_due
from rooms.classic.playing import store_classic, store_longer_record
from rooms.classic.sitting import lock_table_for_four, require_seat
from rooms.classic.watching import leave_wheel, note_change, take_wheel
from rooms.errors import RoomRefused
from rooms.games.setting import HeldGame
from rooms.models import ClassicTable, Game, RoomSeat, Visitor, VisitorEtui
from rooms.record.moves import NO_CHELEM, read_move
from rooms.record.tables import find_waited, share_secret
from rooms.thinker import NoAnswer, choose_token

MOST_MISSED = 2  # a bot takes the seat after so many turns in a row without a move in time
CLOCK_THINKING = 1.0  # seconds


def drive_table(held: HeldTable, *, now: dt.datetime) -> HeldTable:
    """Make the steps that are due at a table, unless another request does so. Return the table as it is then."""
    due = find_table_due(held, now)
    if due is None or due > now or now >= held.room.closes_at or not take_wheel(held.table.pk):
        return held
    try:
        do_next_step(held, now)
    finally:
        leave_wheel(held.table.pk)
    return find_table(held.table.pk)


def do_next_step(held: HeldTable, now: dt.datetime) -> None:
    """Begin the next deal, end the table, or let bots move."""
    if not held.is_playing:
        begin_next_deal(held.table.pk, now=now)
        return
    game = held.hold(next(iter(held.present)))
    waited = find_waited(game.position)
    end = find_clock_end(held)
    if waited in held.present and end is not None and end <= now:
        move_for(held, game, waited, now=now)
    else:
        store_classic(held, game, game.position, now=now)


def move_for(held: HeldTable, game: HeldGame, seat: Seat, *, now: dt.datetime) -> None:
    """Make a bot's move for somebody whose time is over. After the second time in a row, a bot takes the seat.

    If the player moves at the same moment, only one move is stored. If it is the player's, no missed turn is counted.
    """
    until, seen = monotonic() + CLOCK_THINKING, view(game.position.state, seat)
    try:
        secret, character = share_secret(game.secret, held.room.level)[seat]
        token = choose_token(seen, character, secret, until=until)
    except NoAnswer:
        return
    move = read_move(token or NO_CHELEM)
    others = held.present - {seat}
    with transaction.atomic():
        if store_longer_record(held, game, game.position.make(seat, move), people=others, now=now) is None:
            return
        rows = RoomSeat.objects.filter(pk=held.seats[seat].pk, left_at=None, away_at=None)
        rows.update(missed=F("missed") + 1)
        if held.terms.takes_over or not held.terms.clock or held.seats[seat].missed + 1 >= MOST_MISSED:
            rows.update(away_at=now)


@transaction.atomic
def begin_next_deal(table_id: int, *, now: dt.datetime) -> None:
    """Begin the next deal of a table, or end the table after its last one. A second call changes nothing.

    Before a card is shown, it is stored that everybody who has a seat meets the étui.
    """
    held = lock_table_for_four(table_id, now)
    due = find_table_due(held, now)
    if held.is_playing or due is None or due > now:
        return
    etui = None if held.is_match_over else find_etui(held)
    note_change(table_id)
    if etui is None:
        end_table(held, now=now)
        return
    met = [VisitorEtui(visitor=row.visitor, etui=etui, shown_at=now) for row in held.seats.values() if row.visitor]
    VisitorEtui.objects.bulk_create(met, ignore_conflicts=True)
    Game.objects.create(table=held.table, etui=etui, begun_at=now)
    ClassicTable.objects.filter(pk=held.classic.pk).update(ready="", turn_at=now)


def end_table(held: HeldTable, *, now: dt.datetime) -> None:
    """End a table: it plays no more, and its players may sit down elsewhere."""
    ClassicTable.objects.filter(pk=held.classic.pk, ended_at=None).update(ended_at=now)
    RoomSeat.objects.filter(table=held.table, left_at=None).update(left_at=now)


@transaction.atomic
def want_next(*, table_id: int, visitor: Visitor, now: dt.datetime) -> None:
    """Note that a visitor wants the next deal. Before the first deal, bots fill the free seats at once.

    The deal begins when everybody who is present wants it, or after a pause. A second call changes nothing.
    """
    held = lock_table_for_four(table_id, now)
    letter = require_seat(held, visitor, playing=True).letter
    if held.classic.ended_at is not None:
        raise RoomRefused("table_ended")
    mine = ClassicTable.objects.filter(pk=held.classic.pk)
    if held.game is None:
        mine.filter(begins_at__gt=now).update(begins_at=now)
    elif not held.is_playing and letter not in held.classic.ready:
        mine.update(ready=held.classic.ready + letter)
    note_change(table_id)
