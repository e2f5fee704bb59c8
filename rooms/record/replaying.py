"""The replay of a record: the states of a deal, from the first bid to the last move of the record."""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from bots.moves import BidMove, CardMove, ChelemMove
from deals.domain.cards import Seat
from deals.domain.deal import Deal
from referee.errors import PlayRefused
from referee.rules import seat_of
from referee.state import GameState, start_auction
from referee.terms import DealPhase
from rooms.record.moves import NO_CHELEM, RoomMove, asks_chelem, read_move, taker_seat_of, write_move
from scoring.contract import score_deal
from scoring.notation import result_to_data


class GamePosition(NamedTuple):
    """The state of a game, the tokens of the moves that led to it, and the seats that made these moves."""

    state: GameState
    tokens: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()

    @property
    def is_over(self) -> bool:
        """True if the last card was played, or everybody passed."""
        return self.state.phase == DealPhase.OVER

    @property
    def awaits_chelem(self) -> bool:
        """True if a taker who does not lead, and has no écart, may still say whether there will be a chelem."""
        return asks_chelem(self.state) and NO_CHELEM not in self.tokens

    def asks_chelem_of(self, seat: Seat) -> bool:
        """Return whether this seat has now to say whether there will be a chelem."""
        return self.awaits_chelem and taker_seat_of(self.state) == seat

    def waits_for_bots(self, seat: Seat) -> bool:
        """Return whether a bot moves next, at a table where a person has only this seat."""
        is_own_turn = seat_of(self.state.turn, self.state.terms.players) == seat
        return not (self.is_over or is_own_turn or self.asks_chelem_of(seat))

    @property
    def base_score(self) -> int | None:
        """The base score of a deal that is over: 0 after four passes. None before."""
        if not self.is_over:
            return None
        return 0 if self.state.result is None else score_deal(self.state.result).base_score

    @property
    def result_data(self) -> dict[str, object] | None:
        """The result as a row stores it. None before the end, and after four passes."""
        return None if self.state.result is None else result_to_data(self.state.result)

    def make(self, seat: Seat, move: RoomMove) -> "GamePosition":
        """Return the position after one more move. Raise PlayRefused if it is illegal, or another seat's turn."""
        is_timed = isinstance(move, BidMove | CardMove)  # the referee says whose turn it is
        if not is_timed and seat != find_mover(self.state, move):
            raise PlayRefused("phase", seat=seat, phase=str(self.state.phase))
        return GamePosition(move.make(self.state, seat), (*self.tokens, write_move(move)), (*self.seats, seat))

    def make_all(self, seat: Seat, moves: Sequence[RoomMove]) -> "GamePosition":
        """Return the position after several moves of one seat. Raise PlayRefused if one of them is illegal."""
        position = self
        for move in moves:
            position = position.make(seat, move)
        return position


@lru_cache(maxsize=2048)
def replay_record(deal: Deal, dealer: Seat, record: str) -> GamePosition:
    """Return the position after all moves of a record. Raise MoveError or PlayRefused if it is not one of this deal.

    The positions of the games that are played now stay in the process, so a new move does not replay those before it.
    """
    if not record:
        return GamePosition(start_auction(deal, dealer))
    before, _space, token = record.rpartition(" ")
    position, move = replay_record(deal, dealer, before), read_move(token)
    return position.make(find_mover(position.state, move), move)


def replay(deal: Deal, dealer: Seat, record: str) -> GameState:
    """Return the state after all moves of a record."""
    return replay_record(deal, dealer, record).state


def find_mover(state: GameState, move: RoomMove) -> Seat:
    """Return the seat that makes this move: the taker if it is about the chelem, else the seat whose turn it is."""
    taker = taker_seat_of(state)
    if taker is not None and (isinstance(move, ChelemMove) or write_move(move) == NO_CHELEM):
        return taker
    return seat_of(state.turn, state.terms.players)
