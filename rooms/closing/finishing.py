"""The games that bots finish when a room is over, and the tables of bots that fill a room."""

import datetime as dt

from django.db import transaction

from deals.models import Etui
from rooms.games.answering import answer_moves, share_secret
from rooms.games.moving import store_moves
from rooms.games.setting import HeldGame, read_position
from rooms.models import Game, Room
from rooms.opening.joining import SOLO, add_table
from rooms.record.fillers import filler_secrets
from rooms.thinking.thinker import NoAnswer

LEAST_TABLES = 8
STEP = 5.0  # seconds of thinking before a look whether the bots still answer


def finish_games(room: Room, *, now: dt.datetime) -> None:
    """Let bots finish every game of a room that is not over. Raise NoAnswer if they give no answer.

    A second call, or another process at the same time, makes the same moves and stores them once.
    """
    games = Game.objects.filter(table__room=room, finished_at=None).select_related("table", "etui").order_by("pk")
    for game in games:
        finish_game(HeldGame(room, game.table, SOLO, game.etui, game, read_position(game.etui, game)), now=now)


def finish_game(held: HeldGame, *, now: dt.datetime) -> None:
    """Let bots play a game to its end. It counts as played by hand if the person had no move left to make."""
    is_filler, position = held.table.is_filler, held.position
    secrets = share_secret(held.secret)
    if is_filler:
        secrets = filler_secrets(held.secret, held.table.number, held.person)
    while not position.is_over:
        answered = answer_moves(position, secrets, level=held.room.level, seconds=STEP).position
        if answered is position:
            raise NoAnswer
        position = answered
    missed = position.seats[len(held.position.seats) :]
    by = Game.Finisher.BOT if is_filler or held.person in missed else Game.Finisher.HAND
    store_moves(held.game, position, by=by, now=now)


def fill_room(room: Room, *, now: dt.datetime) -> None:
    """Add tables of bots until the room has LEAST_TABLES, and a game at each of them for every étui that was begun.

    The games are empty: `finish_games` lets the bots play them. A room in which nobody has begun an étui stays empty.
    """
    with transaction.atomic():
        Room.objects.select_for_update().get(pk=room.pk)
        begun = list(Etui.objects.filter(games__table__room=room).distinct())
        if not begun:
            return
        for _missing in range(LEAST_TABLES - room.tables.count()):
            add_table(room, visitor=None, is_filler=True, now=now)
        fillers = room.tables.filter(is_filler=True)
        Game.objects.bulk_create(
            (Game(table=table, etui=etui, begun_at=now) for table in fillers for etui in begun), ignore_conflicts=True
        )
