"""The games that bots play: at tables of their own while a room is open, and those left unfinished at its end."""

import datetime as dt
import logging
from collections.abc import Mapping
from time import monotonic

from django.db import transaction

from bots.levels import BotLevel, Character
from deals.domain.cards import LINES, Seat
from rooms.games.moving import answer_moves, store_moves
from rooms.games.setting import HeldGame, read_position
from rooms.models import Game, Room, RoomKind
from rooms.opening import SOLO, add_field
from rooms.record.replaying import GamePosition
from rooms.record.tables import RoomBot, add_bot_seats, list_filler_bots, share_secret
from rooms.thinker import NoAnswer

logger = logging.getLogger(__name__)

MOST_BEFORE = 12  # moves of a deal before South's first one: the auction, the écart, a chelem, three poignées and cards
GLANCE = 1.0  # seconds of moves before a look at the clock
AT_ONCE = 50  # games that are read from the database at once
STEP = 5.0  # seconds to wait for bots that have given no answer


def finish_games(room: Room, *, now: dt.datetime, until: float, by_bots: bool = False) -> bool:
    """Let bots play the games of a room that are not over, until the moment `until`. Return whether all are over.

    `by_bots`: only those at tables of bots. `until` is a moment of the monotonic clock. At least some moves are made.
    A second call, or another process at the same time, makes the same moves and stores them once. Raise NoAnswer if the
    bots give no answer.
    """
    unfinished = Game.objects.filter(table__room=room, finished_at=None)
    if by_bots:
        unfinished = unfinished.filter(table__is_filler=True)
    for game in unfinished.select_related("table", "etui").order_by("etui__number", "pk").iterator(AT_ONCE):
        finish_game(
            HeldGame(room, game.table, SOLO, game.etui, game, read_position(game.etui, game)), now=now, until=until
        )
        if monotonic() >= until:
            break
    return not unfinished.exists()


def finish_game(held: HeldGame, *, now: dt.datetime, until: float) -> None:
    """Let bots play a game on, to its end or until the moment `until`, and store it.

    It counts as played by hand if the person had no move left to make. At a table for four, one such person is enough.
    """
    is_filler, is_four = held.table.is_filler, held.room.kind == RoomKind.CLASSIC
    shared = share_secret(held.secret, held.room.level)
    own = list_filler_bots(held.secret, held.room.level, held.table.number) if is_filler else shared
    position = play_on(held, own, until=until)
    people = frozenset() if is_four else set(LINES) - {held.person}
    bots = add_bot_seats(held.game.bot_seats, position, held.game.length, people)
    is_by_bot = len(bots) == len(LINES) if is_four else is_filler or bool(bots)
    by = Game.Finisher.BOT if is_by_bot else Game.Finisher.HAND
    store_moves(held.game, position, by=by, now=now, bot_seats=bots)


def play_on(held: HeldGame, bots: Mapping[Seat, RoomBot], *, until: float) -> GamePosition:
    """Return the position at the end of a game, or the one that the bots have reached at the moment `until`."""
    position = held.position
    while not position.is_over:
        position = find_longer(position, bots)
        if monotonic() >= until:
            break
    return position


def find_longer(position: GamePosition, bots: Mapping[Seat, RoomBot]) -> GamePosition:
    """Return the position after some more moves of the bots.

    If they give no answer, even when asked again, the policy makes one move, so that a room is closed at last. Raise
    NoAnswer if it gives none either.
    """
    by_policy = {seat: bot._replace(character=Character(BotLevel.POLICY)) for seat, bot in bots.items()}
    for players, seconds in ((bots, GLANCE), (bots, STEP), (bots, STEP), (by_policy, 0.0)):
        answered = answer_moves(position, players, seconds=seconds).position
        if answered is not position:
            if players is not bots:
                logger.warning("A bot gave no answer: the policy made its move.")
            return answered
    raise NoAnswer


def complete_room(room: Room, *, now: dt.datetime) -> None:
    """Delete the tables at which nobody has made a move, and let the others have the tables of bots they need.

    Étuis that no visitor has begun count nowhere: the games of bots on them go. A second call changes nothing.
    """
    with transaction.atomic():
        Room.objects.select_for_update().get(pk=room.pk)
        delete_untouched_tables(room)
        if room.tables.exists():
            add_field(room, now=now)
        games = Game.objects.filter(table__room=room)
        begun = games.filter(table__is_filler=False).values("etui")
        games.filter(table__is_filler=True).exclude(etui__in=begun).delete()


def delete_untouched_tables(room: Room) -> None:
    """Delete the tables of visitors who have made no move in any étui. What they have met stays noted."""
    idle = room.tables.filter(is_filler=False).exclude(games__finished_at__isnull=False)
    idle = idle.exclude(games__length__gt=MOST_BEFORE)
    games = Game.objects.filter(table__in=idle).select_related("etui")
    touched = {game.table_id for game in games if SOLO in read_position(game.etui, game).seats[room.moves_given :]}
    idle.exclude(pk__in=touched).delete()
