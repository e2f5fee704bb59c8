"""Reads the hands that people type: any case, spaces, `10` or `T`, French or English letters, cards in any order.

The same five groups as `notation.py` (♠.♥.♦.♣.trumps) and the same meaning: 78 different cards, the right counts.

Letters name ranks, never suits: a suit is named by its place alone. That settles the clashes: C is always the Cavalier
(never clubs or Cœur), D the Dame (never diamonds), T the ten (never Trèfle). R or K is the Roi, D or Q the Dame, C or N
the Cavalier (kNight), V or J the Valet, A or 1 the As. The Excuse is `*`, E or the word.
"""

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from deals.domain.cards import EXCUSE, HAND, PETIT
from deals.domain.deal import Deal, DealError, places
from deals.domain.notation import assemble
from wording import Texts
from wording import gettext_noop as _

RANKS = ("1A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "VJ", "CN", "DQ", "RK")
PLACES = {letter: place for place, letters in enumerate(RANKS) for letter in letters}
DASHES = "-–—−"
TRUMP_PARTS = re.compile(
    rf"(?P<number>[0-9]+)|(?P<excuse>\*|excuse|exc|e)|(?P<gap>[\s{re.escape(DASHES)},+]+)|(?P<wrong>\S)", re.I
)


class ExchangeError(DealError):
    """A text, CSV or JSON that should hold boards does not; `params` has the `line` and the `column`, both from 1."""

    messages: ClassVar[Texts] = {
        "no_boards": _("There is no étui in it: write one a line, its number first."),
        "number": _("Line %(line)s, column %(column)s: %(found)s is no étui number from 1 to %(most)s."),
        "repeated": _("Line %(line)s, column %(column)s: étui %(found)s stands already on line %(first)s."),
        "players": _("Line %(line)s, column %(column)s: a deal is for 3, 4 or 5 players, not %(found)s."),
        "other_players": _("Line %(line)s, column %(column)s: the set is for %(expected)s players, not %(found)s."),
        "seat": _("Line %(line)s, column %(column)s: %(found)s is no line of the table. Use one of: %(seats)s."),
        "hands": _("Line %(line)s, column %(column)s: a deal has 3, 4 or 5 hands, then the chien, not %(found)s."),
        "suits": _("Line %(line)s, column %(column)s, %(hand)s: %(found)s instead of 5 parts (♠.♥.♦.♣.trumps)."),
        "rank": _("Line %(line)s, column %(column)s, %(hand)s: %(found)s is no card of a suit (R D C V 10 9 … 2 1)."),
        "trump": _("Line %(line)s, column %(column)s, %(hand)s: %(found)s is no trump from 1 to 21."),
        "duplicate_card": _("Line %(line)s, column %(column)s, %(hand)s: %(card)s is already with %(other)s."),
        "size": _("Line %(line)s, column %(column)s, %(hand)s: %(found)s instead of %(expected)s cards."),
        "hand_missing": _("Line %(line)s, column %(column)s: %(hand)s is empty while other hands have cards."),
        "column": _("Line %(line)s, column %(column)s: %(found)s is no column. The columns are %(known)s."),
        "column_repeated": _("Line %(line)s, column %(column)s: the column %(found)s comes twice."),
        "column_missing": _("Line %(line)s, column %(column)s: the column %(found)s is missing."),
        "cells": _(
            "Line %(line)s, column %(column)s: the first line names %(expected)s columns, this one has %(found)s."
        ),
        "quote": _("Line %(line)s, column %(column)s: a quotation mark is not closed, or stands inside a cell."),
        "json": _("Line %(line)s, column %(column)s: this is not JSON."),
        "field": _("Line %(line)s, column %(column)s: %(found)s is no field. The fields are %(known)s."),
        "field_repeated": _("Line %(line)s, column %(column)s: the field %(found)s comes twice."),
        "field_missing": _("Line %(line)s, column %(column)s: the field %(found)s is missing."),
        "type": _("Line %(line)s, column %(column)s: a value of another kind belongs here."),
        "seed": _("Line %(line)s, column %(column)s: the seed is not 64 hexadecimal digits."),
        "commitment": _("Line %(line)s, column %(column)s: the commitment is not that of the seed."),
        "length": _("Line %(line)s, column %(column)s: the text of %(field)s is longer than %(most)s characters."),
        "profile": _("Line %(line)s, column %(column)s: %(found)s is no taker profile. The profiles are: %(known)s."),
    }

    def __init__(self, code: str, **params: object) -> None:
        if isinstance(found := params.get("found"), str):
            params["found"] = shorten(found)
        super().__init__(code, **params)


def shorten(found: str) -> str:
    """What was found, short and on one line, for a message."""
    short = found if len(found) <= 20 else f"{found[:20]}…"
    return f"“{short}”" if short.isprintable() else repr(short)


def read_deal(hands: Sequence[tuple[int, str]], line: int) -> Deal:
    """The deal of hands in dealing order, the chien last, each with the column where its text begins."""
    if len(hands) - 1 not in HAND:
        raise ExchangeError("hands", line=line, column=hands[0][0] if hands else 1, found=len(hands))

    def fail(code: str, **params: object) -> ExchangeError:
        return ExchangeError(code, line=line, **params)

    names = places(len(hands) - 1)
    read = [(column, read_hand(text, name, line, column)) for (column, text), name in zip(hands, names, strict=True)]
    return assemble(read, fail)


def read_hand(text: str, hand: str, line: int, column: int) -> Iterator[tuple[int, int]]:
    """The cards of one hand as far as they are written, each with its column: neither counted nor compared."""
    parts = text.split(".")
    if len(parts) != 5:
        raise ExchangeError("suits", line=line, column=column, hand=hand, found=len(parts))
    for number, part in enumerate(parts):
        read = _trumps(part) if number == 4 else _suit(part, 14 * number)
        for card, at, found in read:
            if card is None:
                wrong = "trump" if number == 4 else "rank"
                raise ExchangeError(wrong, line=line, column=column + at, hand=hand, found=found)
            yield card, column + at
        column += len(part) + 1


def _suit(part: str, first: int) -> Iterator[tuple[int | None, int, str]]:
    if part.strip() in tuple(DASHES):
        return
    for found in re.finditer(r"10|\S", part):
        place = 9 if found[0] == "10" else PLACES.get(found[0].upper())
        yield None if place is None else first + place, found.start(), found[0]


def _trumps(part: str) -> Iterator[tuple[int | None, int, str]]:
    for found in TRUMP_PARTS.finditer(part):
        if found["excuse"]:
            yield EXCUSE, found.start(), found[0]
        elif not found["gap"]:
            number = int(found["number"][:9]) if found["number"] else 0
            yield PETIT + number - 1 if 1 <= number <= 21 else None, found.start(), found[0]
