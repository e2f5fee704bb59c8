"""A set of étuis as a value, and how rows of text in any format become such a set.

This module knows no format (`exchange.py` does) and no letters of cards (`reading.py` does).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deals.domain.cards import HAND, Seat, seats
from deals.domain.deal import Deal
from deals.domain.etui import name_seats
from deals.domain.reading import DASHES, ExchangeError, Place, read_deal

MAX_NUMBER = 10_000  # so a set has at most this many étuis, too
DEFAULT_PLAYERS = 4
OUEST = {"O": "W"}


@dataclass(frozen=True, slots=True)
class NumberedEtui:
    """One étui: its number, its taker (None if the table bids), its dealer, and its cards if they are known."""

    number: int
    taker: Seat | None
    dealer: Seat
    deal: Deal | None = None


@dataclass(frozen=True, slots=True)
class EtuiSet:
    """A set of étuis by rising number, all for the same number of players. A text is "" if it does not apply."""

    players: int
    etuis: tuple[NumberedEtui, ...]
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


class WrittenEtui(NamedTuple):
    """An étui as it is written.

    `taker` or `dealer` is None if the row does not name it; `hands` is () without cards.
    """

    number: TextCell
    taker: TextCell | None
    dealer: TextCell | None
    hands: Sequence[TextCell]


def collect(rows: Iterable[WrittenEtui], players: int | None = None) -> EtuiSet:
    """Return the set that the rows make, sorted by étui number.

    If `players` is None, the first deal decides the number of players; without any deal it is 4. A taker or dealer that
    a row does not name follows from the étui's number (`etui.name_seats`).
    """
    known: dict[int, Place] = {}
    read: list[tuple[int, WrittenEtui, Deal | None]] = []
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
    etuis = []
    for number, row, deal in sorted(read, key=lambda etui: etui[0]):
        taker, dealer = name_seats(number, players)
        if row.taker is not None:
            taker = None if row.taker.empty else _seat(row.taker, players)
        if row.dealer is not None:
            dealer = _seat(row.dealer, players)
        etuis.append(NumberedEtui(number, taker, dealer, deal))
    return EtuiSet(players, tuple(etuis))


def players_of(text: str, place: Place) -> int:
    """Read a number of players, or raise `ExchangeError` at `place` if it is not 3, 4 or 5."""
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


def _deal(row: WrittenEtui) -> Deal | None:
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
