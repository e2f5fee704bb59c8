"""A move of somebody at a table for four, stored with the answers of the bots by one UPDATE, as in a solo room."""

import datetime as dt
from dataclasses import replace

from django.db import transaction

from deals.domain.cards import LINES, Seat
from rooms.classic.holding import HeldTable, find_table
from rooms.classic.sitting import require_seat
from rooms.classic.watching import note_change
from rooms.errors import MoveConflict, RoomRefused
from rooms.games.moving import THINKING, TRIES, PlayedGame, answer_moves, show_game, store_moves, was_made
from rooms.games.setting import HeldGame
from rooms.models import ClassicTable, Game, RoomSeat, Visitor
from rooms.opening import require_open
from rooms.record.moves import read_moves
from rooms.record.replaying import GamePosition
from rooms.record.tables import add_bot_seats, share_secret


def make_classic_move(
    *, table_id: int, visitor: Visitor, at: tuple[int, int], move: str, now: dt.datetime
) -> PlayedGame:
    """Make a visitor's move at a table for four, let the bots answer, store all of it, and return the game.

    `at`: the number of the deal at this table, and how many of its moves the visitor has seen. The same move again
    changes nothing. Raise MoveConflict if the game has gone on with another move. Raise PlayRefused if the move is
    illegal, MoveError or RoomRefused if it cannot be made at all.
    """
    moves, (deal, seen) = read_moves(move), at
    held = find_table(table_id)
    seat = Seat(require_seat(held, visitor, playing=True).letter)
    require_open(held.room, now)
    if not 1 <= deal <= len(held.games):
        raise RoomRefused("no_deal_now")
    held = replace(held, games=held.games[:deal])
    game = held.hold(seat)
    for _try in range(TRIES):
        if seen != game.game.length:
            break
        if game.position.is_over:
            raise RoomRefused("game_over", "move")
        if stored := store_classic(held, game, game.position.make_all(seat, moves), now=now):
            RoomSeat.objects.filter(pk=held.seats[seat].pk, missed__gt=0).update(missed=0)
            return show_seat_game(stored)
        game = game.reload()
    if not was_made(game.position, seat, seen, moves):
        raise MoveConflict("other_move", show_seat_game(game))
    return show_seat_game(game)


def store_classic(held: HeldTable, game: HeldGame, position: GamePosition, *, now: dt.datetime) -> HeldGame | None:
    """Let the bots answer a position, store the record, and return the game as it is stored.

    Return None if another request has stored a move meanwhile.
    """
    everywhere = share_secret(game.secret, held.room.level)
    bots = {seat: bot for seat, bot in everywhere.items() if seat not in held.present}
    answered = answer_moves(position, bots, seconds=THINKING).position
    start = game.game.length
    if len(answered.tokens) == start:
        return game
    return store_longer_record(held, game, answered, people=held.present, now=now)


@transaction.atomic
def store_longer_record(
    held: HeldTable, game: HeldGame, position: GamePosition, *, people: frozenset[Seat], now: dt.datetime
) -> HeldGame | None:
    """Store a longer record; the time of the next player begins. Return None if another request was faster.

    `people`: the seats whose moves people have made. A move of any other seat was a bot's.
    """
    bots = add_bot_seats(game.game.bot_seats, position, game.game.length, people)
    by = Game.Finisher.BOT if len(bots) == len(LINES) else Game.Finisher.HAND
    if not store_moves(game.game, position, by=by, now=now, bot_seats=bots):
        return None
    ClassicTable.objects.filter(table=held.table.pk).update(turn_at=now)
    note_change(held.table.pk)
    return replace(game, position=position)


def show_seat_game(game: HeldGame) -> PlayedGame:
    """Return what somebody at a table for four may see of a deal. The poll of the table tells of each move of a bot."""
    return replace(show_game(game), is_thinking=False)
