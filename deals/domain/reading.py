"""The reader of hands that people type: capitals or not, spaces, `10` or `T`, French or English letters, any order.

It reads the same five groups as `notation.py` (♠.♥.♦.♣.trumps), with the same meaning.

A letter always names a rank, never a suit: the suit follows from the group. So C is the Cavalier, not clubs or Cœur; D
is the Dame, not diamonds; T is the ten, not Trèfle. R or K is the Roi, D or Q the Dame, C or N the Cavalier (kNight). V
or J is the Valet, A or 1 the As. The Excuse is `*`, E or the word.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, ClassVar

from deals.domain.cards import CARDS, EXCUSE, HAND, PETIT, order_for_display
from deals.domain.deal import Deal, DealError, assemble, expect_size, places
from wording import QuotedText, Texts, quote
from wording import gettext_noop as _

RANKS = ("1A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "VJ", "CN", "DQ", "RK")
PLACES = {letter: place for place, letters in enumerate(RANKS) for letter in letters}
DASHES = "-–—−"
TRUMP_PARTS = re.compile(
    rf"(?P<number>[0-9]+)|(?P<excuse>\*|excuse|exc|e)|(?P<gap>[\s{re.escape(DASHES)},+]+)|(?P<wrong>\S)", re.I
)


@dataclass(frozen=True, slots=True)
class TextPlace:
    """A place in a text: line and column, both counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return IN_TEXT % asdict(self)

    def skip(self, letters: int) -> "TextPlace":
        """Return the place that is `letters` letters later in the same line."""
        return replace(self, column=self.column + letters)


@dataclass(frozen=True, slots=True)
class JsonPlace:
    """The path of a value in a JSON text, such as `boards[3].deal`. Indexes count from 0. The whole text is `$`."""

    path: str = "$"

    def __str__(self) -> str:
        return IN_JSON % asdict(self)

    def skip(self, letters: int) -> "JsonPlace":
        """Return the same path, because letters inside a JSON value have no place of their own."""
        return self


Place = TextPlace | JsonPlace
IN_TEXT = _("Line %(line)s, column %(column)s")
IN_JSON = _("In %(path)s")


class ExchangeError(DealError):
    """The error for a file that should hold étuis and does not. `params` has the `place` of the fault."""

    messages: ClassVar[Texts] = {
        "no_boards": _("It contains no étui: write one on each line, with its number first."),
        "number": _("%(place)s: %(found)s is not an étui number from 1 to %(most)s."),
        "repeated": _("%(place)s: étui %(found)s is there twice, first here: %(first)s."),
        "players": _("%(place)s: a deal is for 3, 4 or 5 players, not %(found)s."),
        "other_players": _("%(place)s: the set is for %(expected)s players, not %(found)s."),
        "seat": _("%(place)s: %(found)s is not a line of the table. Use one of these: %(seats)s."),
        "hands": _("%(place)s: a deal has 3, 4 or 5 hands, then the chien, not %(found)s."),
        "suits": _("%(place)s, %(hand)s: %(found)s parts instead of 5 (♠.♥.♦.♣.trumps)."),
        "rank": _("%(place)s, %(hand)s: %(found)s is not a card of a suit (R D C V 10 9 … 2 1)."),
        "trump": _("%(place)s, %(hand)s: %(found)s is not a trump from 1 to 21."),
        "duplicate_card": _("%(place)s, %(hand)s: %(card)s is already there (%(other)s)."),
        "size": _("%(place)s, %(hand)s: %(found)s cards instead of %(expected)s."),
        "hand_missing": _("%(place)s: %(hand)s is empty, but other hands have cards."),
        "column": _("%(place)s: %(found)s is not a column. The columns are %(known)s."),
        "column_repeated": _("%(place)s: the column %(found)s is there twice."),
        "column_missing": _("%(place)s: the column %(found)s is missing."),
        "cells": _("%(place)s: the first line names %(expected)s columns, but this one has %(found)s."),
        "quote": _("%(place)s: a quotation mark is not closed, or is inside a cell."),
        "json": _("%(place)s: this is not valid JSON."),
        "field": _("%(place)s: %(found)s is not a field. The fields are %(known)s."),
        "field_repeated": _("%(place)s: the field %(found)s is there twice."),
        "field_missing": _("%(place)s: the field %(found)s is missing."),
        "type": _("%(place)s: this value has the wrong type."),
        "seed": _("%(place)s: the secret draw must have 64 hexadecimal digits."),
        "commitment": _("%(place)s: the fingerprint does not match the secret draw."),
        "length": _("%(place)s: the text of %(field)s is longer than %(most)s characters."),
        "profile": _("%(place)s: %(found)s is not a taker profile. The profiles are: %(known)s."),
    }

    def __init__(self, code: str, **params: object) -> None:
        if isinstance(text := params.get("found"), str):
            params["found"] = shorten(text)
        super().__init__(code, **params)


def shorten(found: str) -> QuotedText:
    """Return the text at fault in quotation marks, cut to 20 letters and on one line, for a message."""
    short = found if len(found) <= 20 else f"{found[:20]}…"
    return quote(short if short.isprintable() else repr(short)[1:-1])


def read_deal(hands: Sequence[tuple[Place, str]], place: Place) -> Deal:
    """Return the deal of these hands, given in the order of dealing, the chien last.

    Each hand is its text and the place where the text begins. Raise ExchangeError with the place of the wrong hand or
    card. If the number of hands is wrong, the error has `place`, where the first hand is or should be.
    """
    if len(hands) - 1 not in HAND:
        raise ExchangeError("hands", place=place, found=len(hands))

    def fail(code: str, column: Place, **params: Any) -> ExchangeError:
        return ExchangeError(code, place=column, **params)

    names = places(len(hands) - 1)
    return assemble([(at, read_hand(text, name, at)) for (at, text), name in zip(hands, names, strict=True)], fail)


def read_hand(text: str, hand: str, place: Place) -> Iterator[tuple[int, Place]]:
    """Yield the cards of one hand as written, each with its place.

    The number of cards and repeated cards are not checked.
    """
    parts = text.split(".")
    if len(parts) != 5:
        raise ExchangeError("suits", place=place, hand=hand, found=len(parts))
    for number, part in enumerate(parts):
        read = _trumps(part) if number == 4 else _suit(part, 14 * number)
        for card, at, written in read:
            if card is None:
                wrong = "trump" if number == 4 else "rank"
                raise ExchangeError(wrong, place=place.skip(at), hand=hand, found=written)
            yield card, place.skip(at)
        place = place.skip(len(part) + 1)


def _suit(part: str, first: int) -> Iterator[tuple[int | None, int, str]]:
    if part.strip() in tuple(DASHES):
        return
    for match in re.finditer(r"10|\S", part):
        place = 9 if match[0] == "10" else PLACES.get(match[0].upper())
        yield None if place is None else first + place, match.start(), match[0]


def _trumps(part: str) -> Iterator[tuple[int | None, int, str]]:
    for match in TRUMP_PARTS.finditer(part):
        if match["excuse"]:
            yield EXCUSE, match.start(), match[0]
        elif not match["gap"]:
            number = int(match["number"][:9]) if match["number"] else 0
            yield PETIT + number - 1 if 1 <= number <= 21 else None, match.start(), match[0]


class TypedError(DealError):
    """The error of a hand that is being typed and cannot be read. `column` counts from 1 in the hand's own line."""

    messages: ClassVar[Texts] = {
        "suits": _("Column %(column)s: %(found)s parts instead of 5 (♠.♥.♦.♣.trumps)."),
        "rank": _("Column %(column)s: %(found)s is not a card of a suit (R D C V 10 9 … 2 1)."),
        "trump": _("Column %(column)s: %(found)s is not a trump from 1 to 21."),
    }


@dataclass(frozen=True, slots=True)
class TypedHand:
    """One hand, or the chien, as far as it is typed: its cards, or the first error."""

    place: str
    expected: int
    cards: tuple[int, ...]
    error: TypedError | None = None

    @property
    def lacking(self) -> int:
        """The number of cards that the hand still needs. It is negative if the hand has too many."""
        return self.expected - len(self.cards)


@dataclass(frozen=True, slots=True)
class TypedDeal:
    """All hands of a deal as far as they are typed.

    `repeated`: the cards typed more than once, each with the places that have it. `missing`: the cards that no hand
    has.
    """

    hands: tuple[TypedHand, ...]
    repeated: tuple[tuple[int, tuple[str, ...]], ...]
    missing: tuple[int, ...]

    @property
    def deal(self) -> Deal | None:
        """The deal if everything is right, otherwise None."""
        if self.repeated or self.missing or any(hand.error or hand.lacking for hand in self.hands):
            return None
        *hands, chien = (hand.cards for hand in self.hands)
        return Deal(hands, chien)


def check_typed(texts: Mapping[str, str], players: int) -> TypedDeal:
    """Return the hands read from the text of each place ("N" … "chien"), with repeated and missing cards."""
    hands = tuple(_read_hand(texts.get(place, ""), place, players) for place in places(players))
    holders: dict[int, list[str]] = {}
    for hand in hands:
        for card in hand.cards:
            holders.setdefault(card, []).append(hand.place)
    repeated = tuple((card, tuple(holders[card])) for card in order_for_display(holders) if len(holders[card]) > 1)
    return TypedDeal(hands, repeated, order_for_display(card for card in range(CARDS) if card not in holders))


def _read_hand(text: str, place: str, players: int) -> TypedHand:
    expected = expect_size(players, place)
    if not text.strip():
        return TypedHand(place, expected, ())
    try:
        return TypedHand(place, expected, tuple(card for card, _ in read_hand(text, place, TextPlace(1, 1))))
    except ExchangeError as error:
        refusal = TypedError(error.code, column=error.params["place"].column, found=error.params["found"])
        return TypedHand(place, expected, (), refusal)
