"""The rooms, visitors and players of the tests. A person at a table is played by the policy of the bots."""

import datetime as dt
from itertools import count

from bots.choosing import choose_move
from bots.levels import BotLevel
from referee.views import SeatView
from rooms.games import PlayedGame, make_move, read_game
from rooms.models import Room, RoomKind, Visitor
from rooms.opening import find_rooms, join_room
from rooms.record.moves import NO_CHELEM, write_move

NOON = dt.datetime(2026, 11, 26, 12, 5, tzinfo=dt.UTC)
NUMBERS = count(1)


def make_visitor(name: str = "", **values: object) -> Visitor:
    """Return a new guest."""
    number = next(NUMBERS)
    told = {"name": name or f"Guest {number}", "cookie_digest": f"{number:064x}", "created_at": NOON, "seen_at": NOON}
    return Visitor.objects.create(**told | values)


def open_room(kind: RoomKind = RoomKind.HALF, now: dt.datetime = NOON, **changes: object) -> Room:
    """Return the room of this kind that is open, changed as the test wants it."""
    room = next(room for room in find_rooms(now) if room.kind == kind and room.opens_at <= now)
    for name, value in changes.items():
        setattr(room, name, value)
    room.save()
    return room


def choose_token_of(seen: SeatView, *, asks_chelem: bool = False) -> str:
    """Return the token that the policy of the bots would send for a person."""
    move = choose_move(seen, BotLevel.POLICY, b"")
    if asks_chelem and move is None:
        return NO_CHELEM
    assert move is not None
    return write_move(move)


def play_by_hand(room: Room, visitor: Visitor, etui: int, *, moves: int = 100, now: dt.datetime = NOON) -> PlayedGame:
    """Play an étui for a visitor, at most so many moves, and return the game."""
    join_room(room_id=room.pk, visitor=visitor, now=now)
    where = {"room_id": room.pk, "visitor": visitor, "etui": etui, "now": now}
    game = read_game(**where)
    for _move in range(moves):
        while game.is_thinking:
            game = read_game(**where)
        if game.is_over:
            break
        game = make_move(**where, at=game.length, move=choose_token_of(game.view, asks_chelem=game.asks_chelem))
    return game
