"""The games that bots finish when a room is over, and the tables of bots that fill a room."""

import datetime as dt
import logging
from collections.abc import Mapping
from time import monotonic

from django.db import transaction
from django.db.models import Count

from bots.levels import BotLevel
from deals.domain.cards import LINES, Seat
from rooms.games.answering import answer_moves, share_secret
from rooms.games.moving import store_moves
from rooms.games.setting import HeldGame, read_position
from rooms.models import Game, Room, RoomKind
from rooms.opening.joining import SOLO, add_table
from rooms.record.fillers import filler_secrets
from rooms.record.fours import add_bot_seats
from rooms.record.replaying import GamePosition
from rooms.thinking.thinker import NoAnswer

logger = logging.getLogger(__name__)

LEAST_TABLES = 8
GLANCE = 1.0  # seconds of moves before a look at the clock
AT_ONCE = 50  # games that are read from the database at once
STEP = 5.0  # seconds to wait for bots that have given no answer


def finish_games(room: Room, *, now: dt.datetime, until: float) -> bool:
    """Let bots play the games of a room that are not over, until the moment `until`. Return whether all are over.

    `until` is a moment of the monotonic clock. At least some moves are made. A second call, or another process at the
    same time, makes the same moves and stores them once. Raise NoAnswer if the bots give no answer.
    """
    unfinished = Game.objects.filter(table__room=room, finished_at=None)
    finish = finish_deal if room.kind == RoomKind.CLASSIC else finish_game
    for game in unfinished.select_related("table", "etui").order_by("pk").iterator(AT_ONCE):
        finish(HeldGame(room, game.table, SOLO, game.etui, game, read_position(game.etui, game)), now=now, until=until)
        if monotonic() >= until:
            break
    return not unfinished.exists()


def finish_game(held: HeldGame, *, now: dt.datetime, until: float) -> None:
    """Let bots play a game on, to its end or until the moment `until`, and store it.

    It counts as played by hand if the person had no move left to make.
    """
    is_filler = held.table.is_filler
    secrets = share_secret(held.secret)
    if is_filler:
        secrets = filler_secrets(held.secret, held.table.number, held.person)
    position = play_on(held, secrets, until=until)
    bots = add_bot_seats(held.game.bot_seats, position, held.game.length, set(LINES) - {held.person})
    by = Game.Finisher.BOT if is_filler or bots else Game.Finisher.HAND
    store_moves(held.game, position, by=by, now=now, bot_seats=bots)


def finish_deal(held: HeldGame, *, now: dt.datetime, until: float) -> None:
    """Let bots play a deal of a table for four on, to its end or until the moment `until`, and store it."""
    position = play_on(held, share_secret(held.secret), until=until)
    bots = add_bot_seats(held.game.bot_seats, position, held.game.length, frozenset())
    by = Game.Finisher.BOT if len(bots) == len(LINES) else Game.Finisher.HAND
    store_moves(held.game, position, by=by, now=now, bot_seats=bots)


def play_on(held: HeldGame, secrets: Mapping[Seat, bytes], *, until: float) -> GamePosition:
    """Return the position at the end of a game, or the one that the bots have reached at the moment `until`."""
    position = held.position
    while not position.is_over:
        position = find_longer(position, secrets, held.room.level)
        if monotonic() >= until:
            break
    return position


def find_longer(position: GamePosition, secrets: Mapping[Seat, bytes], level: int) -> GamePosition:
    """Return the position after some more moves of the bots.

    If they give no answer at their level, even when asked again, the policy makes one move, so that a room is closed at
    last. Raise NoAnswer if it gives none either.
    """
    for asked, seconds in ((level, GLANCE), (level, STEP), (level, STEP), (BotLevel.POLICY, 0.0)):
        answered = answer_moves(position, secrets, level=asked, seconds=seconds).position
        if answered is not position:
            if asked != level:
                logger.warning("A bot of level %s gave no answer: the policy made its move.", level)
            return answered
    raise NoAnswer


def fill_room(room: Room, *, now: dt.datetime) -> None:
    """Add games of bots, until each étui that somebody has begun has a game at LEAST_TABLES tables.

    A table at which nobody has begun the étui does not count. Tables of bots are added as they are needed. The games
    are empty: `finish_games` lets the bots play them. A room in which nobody has begun an étui stays empty.
    """
    with transaction.atomic():
        Room.objects.select_for_update().get(pk=room.pk)
        begun = Game.objects.filter(table__room=room, table__is_filler=False).order_by("etui").values_list("etui")
        wanted = {etui: LEAST_TABLES - games for etui, games in begun.annotate(games=Count("pk"))}
        fillers = list(room.tables.filter(is_filler=True).order_by("number"))
        while len(fillers) < max(wanted.values(), default=0):
            fillers.append(add_table(room, visitor=None, is_filler=True, now=now))
        games = [
            Game(table=table, etui_id=etui, begun_at=now)
            for etui, missing in wanted.items()
            for table in fillers[: max(0, missing)]
        ]
        Game.objects.bulk_create(games, ignore_conflicts=True)
