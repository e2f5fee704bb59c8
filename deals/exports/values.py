"""What the printed documents are made from: frozen values, filled in by whoever knows the rows and the rights.

Knows no database, no language and no layout. Everything shown is given; nothing here asks whether it may be.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from deals.domain.board import leader
from deals.domain.cards import HAND, Seat, seats
from deals.domain.deal import Deal


@dataclass(frozen=True, slots=True)
class SetHeading:
    """What every sheet of a set says of it.

    `colour` is the name of the tournament's colour as people say it ("blue", "bleu"), `ink` the same colour as
    `#rrggbb` for the printer; both may be empty. `players` is 3, 4 or 5.
    """

    name: str
    tournament: str = ""
    players: int = 4
    colour: str = ""
    ink: str = ""

    def __post_init__(self) -> None:
        if self.players not in HAND:
            raise ValueError(f"{self.players} players: a deal is for 3, 4 or 5")
        if self.ink and not re.fullmatch("#[0-9a-fA-F]{6}", self.ink):
            raise ValueError(f"{self.ink!r} is no colour: write it as #rrggbb")


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """One étui at one table in one position: where alone before the event, with its result after it.

    `names` has one name a seat, in seat order. `score` is the signed base score, None while there is none or where the
    play was annulled. `notes` are percentages from 0 to 100: two, the attack's and the defence's, under an imposed
    taker; one a seat, in seat order, where each seat is compared by itself (free auction), or has its own note by the
    arbiter's word: `fixed` has the seats whose notes are. `taker` is named where the board names none.
    """

    position: int
    table: int
    names: tuple[str, ...] = ()
    score: int | None = None
    notes: tuple[Fraction | None, ...] = ()
    taker: Seat | None = None
    fixed: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """One étui. `number`, `taker` and `dealer` are None on a spare sheet, where a pen writes them; `deal` is None where
    the table deals, or where the cards are nobody's business yet."""

    number: int | None = None
    taker: Seat | None = None
    dealer: Seat | None = None
    deal: Deal | None = None
    plays: tuple[RecordedPlay, ...] = ()

    def leader(self, players: int) -> Seat | None:
        """Who leads: the player at the dealer's right."""
        return None if self.dealer is None else leader(self.dealer, players)


def check(heading: SetHeading, boards: Sequence[PrintedBoard]) -> None:
    """Raises `ValueError` where there is no board, or where a board is not for the heading's number of players."""
    if not boards:
        raise ValueError("no board to print")
    table = seats(heading.players)
    for board in boards:
        if board.deal is not None and board.deal.players != heading.players:
            raise ValueError(f"board {board.number}: a deal for {board.deal.players} in a set for {heading.players}")
        if not {board.taker, board.dealer, *(play.taker for play in board.plays)} <= {None, *table}:
            raise ValueError(f"board {board.number}: no such seat at a table of {heading.players}")
        for play in board.plays:
            if len(play.names) not in (0, len(table)) or len(play.notes) not in (0, 2, len(table)):
                raise ValueError(f"board {board.number}: names and notes are one a seat, or two notes, or none")
