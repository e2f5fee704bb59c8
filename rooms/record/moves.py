"""The moves of a game as short texts, the tokens of a record. `write_move` writes one and `read_move` reads it.

`-` is a pass; `P` `G` `S` `C` are the bids Prise, Garde, Garde sans and Garde contre. `e:3,17` is an écart, `p:60,56`
a poignée and `k:55` a card, with the numbers of `deals.domain.cards`. `x` announces a chelem, `n` says that there will
be none. Each move has exactly one text: the cards of an écart are in rising order, those of a poignée in falling order.
"""

import re
from dataclasses import dataclass
from typing import ClassVar

from bots.moves import BidMove, BotMove, CardMove, ChelemMove, EcartMove, PoigneeMove
from deals.domain.cards import CARDS, Seat
from referee.errors import PlayRefused
from referee.rules import seat_of
from referee.state import GameState
from referee.terms import DealPhase
from scoring.values import Contract
from wording import CodedError, Texts
from wording import gettext_noop as _

BIDS = {"-": None, "P": Contract.PRISE, "G": Contract.GARDE, "S": Contract.GARDE_SANS, "C": Contract.GARDE_CONTRE}
BID_TOKENS = {bid: token for token, bid in BIDS.items()}
CHELEM, NO_CHELEM = "x", "n"
SETS = re.compile(r"([epk]):([0-9]{1,2}(?:,[0-9]{1,2}){0,23})")
MOST_MOVES = 8  # in one request
SHOWN = 40


class MoveError(CodedError):
    """The error for a text that is no move, or for too many moves at once."""

    field = "move"
    messages: ClassVar[Texts] = {
        "move_shape": _("“%(found)s” is not a move: write it as the documentation of the API says."),
        "too_many_moves": _("At most %(most)s moves can be sent at once: send fewer."),
    }


@dataclass(frozen=True, slots=True)
class NoChelemMove:
    """The word of a taker who does not lead and will not announce a chelem. It changes nothing in the state."""

    def make(self, state: GameState, seat: Seat) -> GameState:
        if not asks_chelem(state) or seat != taker_seat_of(state):
            raise PlayRefused("phase", seat=seat, phase=str(state.phase))
        return state


RoomMove = BotMove | NoChelemMove


def read_move(text: str) -> RoomMove:
    """Return the move of a token. Raise MoveError on any other text."""
    if text in BIDS:
        return BidMove(BIDS[text])
    if text == CHELEM:
        return ChelemMove()
    if text == NO_CHELEM:
        return NoChelemMove()
    matched = SETS.fullmatch(text)
    cards = tuple(map(int, matched[2].split(","))) if matched else ()
    if matched is None or max(cards) >= CARDS:
        raise MoveError("move_shape", found=text[:SHOWN])
    if matched[1] == "e":
        return EcartMove(tuple(sorted(cards)))
    if matched[1] == "p":
        return PoigneeMove(tuple(sorted(cards, reverse=True)))
    if len(cards) > 1:
        raise MoveError("move_shape", found=text[:SHOWN])
    return CardMove(cards[0])


def read_moves(text: str) -> tuple[RoomMove, ...]:
    """Return the moves of one request, at least one, separated by spaces. Raise MoveError if they cannot be read."""
    tokens = text.split()
    if not tokens:
        raise MoveError("move_shape", found=text[:SHOWN])
    if len(tokens) > MOST_MOVES:
        raise MoveError("too_many_moves", most=MOST_MOVES)
    return tuple(map(read_move, tokens))


def write_move(move: RoomMove) -> str:
    """Return the token of a move."""
    match move:
        case BidMove(bid=bid):
            return BID_TOKENS[bid]
        case ChelemMove():
            return CHELEM
        case NoChelemMove():
            return NO_CHELEM
        case EcartMove(cards=cards):
            return "e:" + ",".join(map(str, sorted(cards)))
        case PoigneeMove(cards=cards):
            return "p:" + ",".join(map(str, sorted(cards, reverse=True)))
        case CardMove(card=card):
            return f"k:{card}"


def asks_chelem(state: GameState) -> bool:
    """Return whether the taker may still announce a chelem, although another player leads and there is no écart.

    The table waits here for a person who takes. A person who makes an écart announces the chelem together with it.
    """
    terms = state.terms
    is_untouched = not state.cards and not state.tricks and terms.chelem is None and not terms.poignees
    return state.phase == DealPhase.PLAY and is_untouched and terms.ecart is None and terms.taker != state.turn


def taker_seat_of(state: GameState) -> Seat | None:
    """Return the taker's seat, or None before somebody has taken."""
    return None if state.terms.taker is None else seat_of(state.terms.taker, state.terms.players)
