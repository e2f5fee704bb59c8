"""A set of boards as a value, and how rows of text become one, whatever format they come from.

Knows no format (`exchange.py` does) and no letters of cards (`reading.py` does).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deals.domain.board import name_seats
from deals.domain.cards import HAND, Seat, seats
from deals.domain.deal import Deal
from deals.domain.reading import DASHES, ExchangeError, Place, read_deal

MAX_NUMBER = 10_000  # so a set has no more boards either
DEFAULT_PLAYERS = 4
OUEST = {"O": "W"}


@dataclass(frozen=True, slots=True)
class Board:
    """One board: its number, who takes (None: the table bids) and deals, and its cards where they are known."""

    number: int
    taker: Seat | None
    dealer: Seat
    deal: Deal | None = None


@dataclass(frozen=True, slots=True)
class BoardSet:
    """Boards in rising order of number, all for as many players; the texts are "" where they do not apply."""

    players: int
    boards: tuple[Board, ...]
    name: str = ""
    seed: str = ""
    commitment: str = ""
    profile: str = ""
    value_name: str = ""
    value: str = ""


class TextCell(NamedTuple):
    """A piece of text, with the place where it begins."""

    place: Place
    text: str

    @property
    def empty(self) -> bool:
        return self.text.strip() in ("", *DASHES)


class BoardRow(NamedTuple):
    """A board as it is written: None where nothing is said of taker or dealer, () where no cards are given."""

    number: TextCell
    taker: TextCell | None
    dealer: TextCell | None
    hands: Sequence[TextCell]


def collect(rows: Iterable[BoardRow], players: int | None = None) -> BoardSet:
    """The set of the rows. Its first deal decides the number of players where nothing did before, 4 without any deal.

    A taker or dealer of whom nothing is said is the one that the board's number names (`board.name_seats`).
    """
    known: dict[int, Place] = {}
    read: list[tuple[int, BoardRow, Deal | None]] = []
    for row in rows:
        number = _number(row.number, known)
        known[number] = row.number.place
        deal = _deal(row)
        if deal is not None:
            if players not in (None, deal.players):
                place = row.hands[0].place
                raise ExchangeError("other_players", place=place, found=deal.players, expected=players)
            players = deal.players
        read.append((number, row, deal))
    if not read:
        raise ExchangeError("no_boards")
    players = players or DEFAULT_PLAYERS
    boards = []
    for number, row, deal in sorted(read, key=lambda board: board[0]):
        taker, dealer = name_seats(number, players)
        if row.taker is not None:
            taker = None if row.taker.empty else _seat(row.taker, players)
        if row.dealer is not None:
            dealer = _seat(row.dealer, players)
        boards.append(Board(number, taker, dealer, deal))
    return BoardSet(players, tuple(boards))


def players_of(text: str, place: Place) -> int:
    """A number of players as it is written."""
    if text not in map(str, HAND):
        raise ExchangeError("players", place=place, found=text)
    return int(text)


def _number(cell: TextCell, known: dict[int, Place]) -> int:
    text = cell.text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= MAX_NUMBER):
        raise ExchangeError("number", place=cell.place, found=text, most=MAX_NUMBER)
    if int(text) in known:
        raise ExchangeError("repeated", place=cell.place, found=text, first=known[int(text)])
    return int(text)


def _deal(row: BoardRow) -> Deal | None:
    if all(cell.empty for cell in row.hands):
        return None
    return read_deal(row.hands, row.hands[0].place)


def _seat(cell: TextCell, players: int) -> Seat:
    letter = cell.text.strip().upper()
    letter = OUEST.get(letter, letter)
    if letter not in seats(players):
        expected = ", ".join(seats(players))
        raise ExchangeError("seat", place=cell.place, found=cell.text.strip(), seats=expected)
    return Seat(letter)
