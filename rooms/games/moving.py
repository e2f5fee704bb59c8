"""A move of a person: checked by the referee, answered by the bots, and stored with the answers by one UPDATE.

No lock is held while the bots think. If another request has stored a move meanwhile, the UPDATE finds no row.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, NamedTuple

from deals.domain.cards import Seat
from referee.rules import seat_of
from referee.terms import DealPhase
from referee.views import SeatView, view
from rooms.errors import MoveConflict, RoomRefused
from rooms.games.setting import HeldGame, hold_game
from rooms.models import Game, Room, RoomTable, Visitor
from rooms.record.moves import NO_CHELEM, RoomMove, read_move, read_moves, taker_seat_of, write_move
from rooms.record.replaying import GamePosition
from rooms.record.shown import ShownTable, describe_table
from rooms.record.tables import RoomBot, share_secret
from rooms.thinker import NoAnswer, choose_token
from scoring.values import DealResult


class BotAnswers(NamedTuple):
    """The position after the answers of the bots. `is_thinking`: whether a bot has still to move."""

    position: GamePosition
    is_thinking: bool


def answer_moves(position: GamePosition, bots: Mapping[Seat, RoomBot], *, seconds: float) -> BotAnswers:
    """Let the bots move until a person has to, the deal is over, or this time is over.

    `bots` has each bot by its seat; the other seats belong to people. If a bot gives an answer at all, at least one
    move is made, so each request brings the game forward.
    """
    until, start = monotonic() + seconds, position
    while (seats := find_bots_to_ask(position, bots)) and not position.is_over:
        if position is not start and monotonic() >= until:
            return BotAnswers(position, True)
        try:
            moved = ask_bots(position, seats, bots, until=until)
        except NoAnswer:
            return BotAnswers(position, True)
        if moved is None:
            break
        position = moved
    return BotAnswers(position, False)


def find_bots_to_ask(position: GamePosition, bots: Mapping[Seat, RoomBot]) -> list[Seat]:
    """Return the bots who may move now: a taker who may announce a chelem, then the one whose turn it is.

    The list is empty while a person is to move, or to say whether there will be a chelem.
    """
    state = position.state
    turn, taker = seat_of(state.turn, state.terms.players), taker_seat_of(state)
    is_untouched = state.phase == DealPhase.PLAY and not state.tricks and not state.cards
    movers = [turn]
    if is_untouched and taker is not None and taker != turn and state.terms.chelem is None:
        if taker in bots and NO_CHELEM not in position.tokens:
            movers = [taker, turn]
        elif taker not in bots and position.awaits_chelem:
            return []
    return [seat for seat in movers if seat in bots]


def ask_bots(
    position: GamePosition, seats: list[Seat], bots: Mapping[Seat, RoomBot], *, until: float
) -> GamePosition | None:
    """Return the position after the move of the first bot that has one, or None if none of them has a move."""
    for seat in seats:
        secret, character = bots[seat]
        if token := choose_token(view(position.state, seat), character, secret, until=until):
            return position.make(seat, read_move(token))
    return None


THINKING = 0.3  # seconds; then the answers so far are stored, and the next request goes on
TRIES = 3


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game as the person at the table sees it. It has no hidden card.

    `etui`: the number of the étui, `of` how many the room has. `length`: how many moves were made. `is_thinking`: a bot
    has still to move, so ask again. `asks_chelem`: the person takes and does not lead, and must say `x` or `n`.
    `result` is None before the end, and if everybody passed; `score` is the base score.
    """

    room: Room
    table: RoomTable
    seat: Seat
    etui: int
    of: int
    view: SeatView
    length: int
    is_thinking: bool
    is_over: bool
    asks_chelem: bool
    result: DealResult | None
    score: int | None
    finished_by: str

    def describe(self, names: Mapping[str, str]) -> ShownTable:
        """Return the description of the table for this person. `names` has a name for each seat."""
        return describe_table(
            self.view,
            names=names,
            etui=self.etui,
            of=self.of,
            length=self.length,
            is_thinking=self.is_thinking,
            asks_chelem=self.asks_chelem,
        )


def read_game(*, room_id: int, visitor: Visitor, etui: int, now: dt.datetime) -> PlayedGame:
    """Return the visitor's game on an étui. The first call begins it, and the bots go on thinking if it is their turn.

    Raise RoomRefused if the room is not open, or if the étui cannot be played now.
    """
    return show_game(go_on(hold_game(room_id=room_id, visitor=visitor, number=etui, now=now), now=now))


def make_move(*, room_id: int, visitor: Visitor, etui: int, at: int, move: str, now: dt.datetime) -> PlayedGame:
    """Make the visitor's move, let the bots answer, store all of it, and return the game.

    `at`: how many moves the visitor has seen. `move`: a token, or several separated by spaces, of which all are made or
    none. The same move again changes nothing and returns the game. Raise MoveConflict if the game has gone on with
    another move. Raise PlayRefused if the move is illegal, MoveError or RoomRefused if it cannot be made at all.
    """
    moves = read_moves(move)
    held = hold_game(room_id=room_id, visitor=visitor, number=etui, now=now)
    for _try in range(TRIES):
        if at != held.game.length:
            break
        if held.position.is_over:
            raise RoomRefused("game_over", "move")
        if stored := store_answers(held, held.position.make_all(held.person, moves), now=now):
            return show_game(stored)
        held = held.reload()
    shown = show_game(go_on(held, now=now))
    if not was_made(held.position, held.person, at, moves):
        raise MoveConflict("other_move", shown)
    return shown


def was_made(position: GamePosition, seat: Seat, at: int, moves: tuple[RoomMove, ...]) -> bool:
    """Return whether this seat has made exactly these moves after the first `at` moves."""
    tokens, end = tuple(map(write_move, moves)), at + len(moves)
    return at >= 0 and position.tokens[at:end] == tokens and set(position.seats[at:end]) == {seat}


def go_on(held: HeldGame, *, now: dt.datetime) -> HeldGame:
    """Let the bots move if it is their turn, store their moves, and return the game as it is stored."""
    return store_answers(held, held.position, now=now) or held.reload()


def store_answers(held: HeldGame, position: GamePosition, *, now: dt.datetime) -> HeldGame | None:
    """Let the bots answer a position, store the record, and return the game as it is stored.

    Return None if another request has stored a move meanwhile.
    """
    bots = share_secret(held.secret, held.room.level, but=held.person)
    answered = answer_moves(position, bots, seconds=THINKING).position
    if len(answered.tokens) == held.game.length:
        return held
    if not store_moves(held.game, answered, by=Game.Finisher.HAND, now=now):
        return None
    return replace(held, position=answered)


def store_moves(
    game: Game, position: GamePosition, *, by: Game.Finisher, now: dt.datetime, bot_seats: str = ""
) -> bool:
    """Store a longer record of a game by one UPDATE. Return False if another request was faster.

    `by`: who finished the game, if the position is the end. `bot_seats`: the seats of people for which a bot has made a
    move.
    """
    values: dict[str, Any] = {"record": " ".join(position.tokens), "length": len(position.tokens)}
    values["bot_seats"] = bot_seats
    if position.is_over:
        values |= {"result": position.result_data, "score": position.base_score, "finished_by": by, "finished_at": now}
    if Game.objects.filter(pk=game.pk, length=game.length, finished_at=None).update(**values) != 1:
        return False
    for name, value in values.items():
        setattr(game, name, value)
    return True


def show_game(held: HeldGame) -> PlayedGame:
    """Return what the person at the table may see of a game."""
    position, seat = held.position, held.person
    return PlayedGame(
        room=held.room,
        table=held.table,
        seat=seat,
        etui=held.etui.number,
        of=held.room.etuis,
        view=view(position.state, seat),
        length=len(position.tokens),
        is_thinking=position.waits_for_bots(seat),
        is_over=position.is_over,
        asks_chelem=position.asks_chelem_of(seat),
        result=position.state.result,
        score=position.base_score,
        finished_by=held.game.finished_by,
    )
