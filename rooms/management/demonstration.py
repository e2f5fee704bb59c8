"""The rooms of the demonstration: one that is closed, in which invented guests have played, and one that is open.

The guests play as the rules of the bots say, and now and then as chance says, so that their results differ.
"""

import datetime as dt
import random

from django.db import transaction

from bots.choosing import choose_move
from bots.levels import BotLevel
from bots.moves import BotMove, CardMove
from deals.domain.cards import Seat
from deals.domain.deal import loads
from deals.models import Etui
from referee.views import view
from rooms.closing import close_room
from rooms.models import Game, Room, RoomKind, Visitor, VisitorEtui
from rooms.opening import SOLO, find_last_departure, find_rooms, first_moves, join_room, make_room
from rooms.record.moves import NoChelemMove
from rooms.record.replaying import GamePosition, find_mover, replay_record
from rooms.visitors.guests import make_guest

GUESTS = ("Merle 42", "Aline", "Chouette 17", "Gaston")
HOUR = dt.timedelta(hours=1)
AT_RANDOM = 0.15  # how often a guest plays any legal card


def show_rooms(now: dt.datetime) -> Room:
    """Return a closed room with invented guests, made if there is none. The present rooms are open, too."""
    find_rooms(now)
    kept = Room.objects.filter(closed_at__isnull=False).order_by("-opens_at").first()
    if kept is not None:
        return kept
    departure = find_last_departure(RoomKind.HALF, now - HOUR)
    guests = [make_guest(name=name, now=departure.opens_at)[0] for name in GUESTS]
    with transaction.atomic():  # its hours are over: a sweep would close it, and delete a table that has no game yet
        room = make_room(departure, now=departure.opens_at - HOUR)
        Room.objects.filter(pk=room.pk).update(level=BotLevel.POLICY)
        chance = random.Random(42)
        for guest in guests:
            play_room(room, guest, departure.opens_at, chance)
    close_room(room.pk, now)
    for each in find_rooms(now):
        if each.kind == RoomKind.DAY and each.opens_at <= now < each.closes_at:
            for guest in guests[1:]:
                join_room(room_id=each.pk, visitor=guest, now=now)
    return Room.objects.get(pk=room.pk)


def play_room(room: Room, guest: Visitor, now: dt.datetime, chance: random.Random) -> None:
    """Let a guest play every étui of a room."""
    table = join_room(room_id=room.pk, visitor=guest, now=now)
    for etui in Etui.objects.filter(deal_set=room.deal_set_id):
        position = play_out_etui(room, etui, chance)
        VisitorEtui.objects.create(visitor=guest, etui=etui, shown_at=now)
        Game.objects.create(
            table=table,
            etui=etui,
            record=" ".join(position.tokens),
            length=len(position.tokens),
            result=position.result_data,
            score=position.base_score,
            finished_by=Game.Finisher.HAND,
            begun_at=now,
            finished_at=now,
        )


def play_out_etui(room: Room, etui: Etui, chance: random.Random) -> GamePosition:
    """Return the position at the end of an étui, in which South sometimes plays any legal card."""
    position = replay_record(loads(etui.cards), Seat(etui.dealer), first_moves(room, etui).get("record", ""))
    while not position.is_over:
        if position.awaits_chelem and find_mover(position.state, NoChelemMove()) == SOLO:
            position = position.make(SOLO, NoChelemMove())
            continue
        seat, legal = position.state.seat, position.state.legal_cards
        move: BotMove | None = choose_move(view(position.state, seat), BotLevel.POLICY, b"")
        if seat == SOLO and legal and chance.random() < AT_RANDOM:
            move = CardMove(chance.choice(legal))
        assert move is not None
        position = position.make(seat, move)
    return position
