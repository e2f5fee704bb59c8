"""A trial: a reader plays a deal on, alone, from one of the cards of a game. The pages call it *Et si…*.

The page sends the record of the moves with each move, so the site stores nothing. The cards of the deal are public
already, and the bots answer by the étui's secret. So such a record can hide nothing, and its answers can be checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from deals.domain.cards import Seat
from deals.domain.deal import Deal
from referee.errors import PlayRefused
from referee.rules import seat_of
from rooms.games.answering import answer_moves
from rooms.record.fillers import RoomBot, share_secret
from rooms.record.moves import MoveError, read_moves
from rooms.record.replaying import GamePosition, replay_record

MOST_LETTERS, MOST_TOKENS = 600, 100  # of a record that a page sends
THINKING, CHECKING = 2.0, 10.0  # seconds for an answer, and for the check of a whole trial


@dataclass(frozen=True, slots=True)
class TrialStart:
    """The start of a trial: what is played, and from where.

    `record`: the moves before the reader's first one. `seat`: the reader's.
    """

    deal: Deal
    dealer: Seat
    record: str
    seat: Seat
    secret: bytes
    level: int

    @property
    def bots(self) -> dict[Seat, RoomBot]:
        return share_secret(self.secret, self.level, but=self.seat)


def cut_record(position: GamePosition, card: int) -> str:
    """Return the record up to card number `card`, counted from 0: without that card and all moves after it.

    A poignée that was shown before this card is left out, too. Raise IndexError if there is no such card.
    """
    played = [place for place, token in enumerate(position.tokens) if token.startswith("k:")]
    end = played[card]
    while position.tokens[end - 1].startswith("p:") and position.seats[end - 1] == position.seats[end]:
        end -= 1
    return " ".join(position.tokens[:end])


def play_trial(start: TrialStart, record: str, move: str = "") -> GamePosition:
    """Return the position after a record, this move of the reader, and the answers of the bots.

    Raise PlayRefused if the record does not begin as the start does. Raise PlayRefused or MoveError if a move is
    illegal, or none.
    """
    if len(record) > MOST_LETTERS or record.count(" ") > MOST_TOKENS:
        raise MoveError("move_shape", found=record[:40])
    if not f"{record} ".startswith(f"{start.record} ".lstrip()):
        raise PlayRefused("phase", seat=start.seat, phase="")
    position = replay_record(start.deal, start.dealer, record)
    if move:
        position = position.make_all(start.seat, read_moves(move))
    return answer_moves(position, start.bots, seconds=THINKING).position


def are_answers_true(start: TrialStart, tokens: Sequence[str]) -> bool:
    """Return whether every bot has answered in a finished trial as the étui's secret says.

    False also if the bots cannot say so in CHECKING seconds.
    """
    position, until = replay_record(start.deal, start.dealer, start.record), monotonic() + CHECKING
    while True:
        position = answer_moves(position, start.bots, seconds=until - monotonic()).position
        made = len(position.tokens)
        if position.tokens != tuple(tokens[:made]) or made == len(tokens):
            return position.tokens == tuple(tokens)
        if not position.awaits_chelem and seat_of(position.state.turn, position.state.terms.players) != start.seat:
            return False  # the bots gave no answer
        position = position.make_all(start.seat, read_moves(tokens[made]))
