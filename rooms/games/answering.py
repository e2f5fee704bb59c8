"""The answers of the bots: their moves, one after the other, until it is a person's turn or the time is over."""

from collections.abc import Mapping
from time import monotonic
from typing import NamedTuple

from deals.domain.cards import Seat
from referee.rules import seat_of
from referee.terms import DealPhase
from referee.views import view
from rooms.record.fillers import RoomBot
from rooms.record.moves import NO_CHELEM, read_move, taker_seat_of
from rooms.record.replaying import GamePosition
from rooms.thinking.first import choose_token
from rooms.thinking.thinker import NoAnswer


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
