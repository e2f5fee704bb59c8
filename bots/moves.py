"""The moves of a bot as values: a bid, an écart, a chelem, a poignée or a card."""

from dataclasses import dataclass

from deals.domain.cards import Seat
from referee.rules import Bid
from referee.state import GameState


@dataclass(frozen=True, slots=True)
class BidMove:
    """A bid, or a pass (None)."""

    bid: Bid

    def make(self, state: GameState, seat: Seat) -> GameState:
        return state.bid(seat, self.bid)


@dataclass(frozen=True, slots=True)
class EcartMove:
    """The cards that the taker discards, in rising order."""

    cards: tuple[int, ...]

    def make(self, state: GameState, seat: Seat) -> GameState:
        return state.discard(seat, self.cards)


@dataclass(frozen=True, slots=True)
class ChelemMove:
    """The announcement of a chelem by the taker, before the first card."""

    def make(self, state: GameState, seat: Seat) -> GameState:
        return state.announce_chelem(seat)


@dataclass(frozen=True, slots=True)
class PoigneeMove:
    """The trumps that a player shows before the first card of their own, in falling order."""

    cards: tuple[int, ...]

    def make(self, state: GameState, seat: Seat) -> GameState:
        return state.show_poignee(seat, self.cards)


@dataclass(frozen=True, slots=True)
class CardMove:
    """A card that is played."""

    card: int

    def make(self, state: GameState, seat: Seat) -> GameState:
        return state.play_from(seat, self.card)


BotMove = BidMove | EcartMove | ChelemMove | PoigneeMove | CardMove
