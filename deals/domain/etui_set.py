"""A set of étuis as a value, and the reading of it from rows of text.

`exchange.py` knows the formats of files, and `reading.py` the letters of cards.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deals.domain.cards import HAND, Seat, seats
from deals.domain.deal import Deal
from deals.domain.profile import PROFILES, name_profile_seats
from deals.domain.reading import DASHES, ExchangeError, Place, read_deal

MAX_NUMBER = 10_000  # the largest number of an étui, and so the largest number of étuis in a set
DEFAULT_PLAYERS = 4
OUEST = {"O": "W"}


@dataclass(frozen=True, slots=True)
class NumberedEtui:
    """One étui: its number, its taker (None if the players bid), its dealer, and its deal if the cards are known."""

    number: int
    taker: Seat | None
    dealer: Seat
    deal: Deal | None = None


@dataclass(frozen=True, slots=True)
class EtuiSet:
    """A set of étuis, sorted by number, all for the same number of players. A text that the set does not have is ""."""

    players: int
    etuis: tuple[NumberedEtui, ...]
    name: str = ""
    seed: str = ""
    commitment: str = ""
    profile: str = ""
    value_name: str = ""
    value: str = ""


class TextCell(NamedTuple):
    """A piece of text, and the place in the file where it begins."""

    place: Place
    text: str

    @property
    def empty(self) -> bool:
        return self.text.strip() in ("", *DASHES)


class WrittenEtui(NamedTuple):
    """An étui as a file has it, not yet read.

    `taker` or `dealer` is None if the file does not name one. `hands` is () if there are no cards.
    """

    number: TextCell
    taker: TextCell | None
    dealer: TextCell | None
    hands: Sequence[TextCell]


def collect(rows: Iterable[WrittenEtui], players: int | None = None, profile: str = "") -> EtuiSet:
    """Return the set of étuis that the rows describe, sorted by number. Raise ExchangeError on a wrong row.

    If `players` is None, the first deal shows the number of players; without any deal it is 4. If a row does not name
    the taker or the dealer, the number of the étui decides. The named `profile`, if it is known, may name the taker of
    all étuis.
    """
    places: dict[int, Place] = {}
    read: list[tuple[int, WrittenEtui, Deal | None]] = []
    for row in rows:
        number = _number(row.number, places)
        places[number] = row.number.place
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
        taker, dealer = name_profile_seats(profile if profile in PROFILES else "", number, players)
        if row.taker is not None:
            taker = None if row.taker.empty else _seat(row.taker, players)
        if row.dealer is not None:
            dealer = _seat(row.dealer, players)
        etuis.append(NumberedEtui(number, taker, dealer, deal))
    return EtuiSet(players, tuple(etuis))


def players_of(text: str, place: Place) -> int:
    """Return the number of players in a text. Raise ExchangeError at `place` if it is not 3, 4 or 5."""
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
