"""The notes that an arbiter fixes. They replace the notes that the comparison of the tables gives.

A note is fixed as a figure, or as the higher one of a figure and the player's own mean. The FFT has no rule for this:
docs/scoring.md describes what the site does.
"""

import re
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from scoring.errors import ScoringError

FIXED = re.compile(r"(better )?(-?[0-9]{1,9}(?:/[1-9][0-9]{0,8}|\.[0-9]{1,9})?)")
MOST, MOST_POINTS = 100, 1000


class Part(StrEnum):
    """The part of a player in a deal: in the attack, in the defence, or in a deal that all four passed.

    OPEN: the part is unknown, because the site does not know who took the deal.
    """

    ATTACK = "attack"
    DEFENCE = "defence"
    PASSED = "passed"
    OPEN = "open"


class FixedNote(NamedTuple):
    """A note from 0 to 100 that the arbiter fixed, or the match points of a team's attack.

    If `better` is True, the player gets the higher one of that note and the player's own mean. The own mean is that of
    the player's other notes in the same part, attack or defence, without fixed notes.
    """

    note: Fraction
    better: bool = False

    def against(self, own: Fraction | None) -> Fraction:
        """Return the note that a player with the own mean `own` gets. `own` is None if there is no such mean."""
        return max(self.note, own) if self.better and own is not None else self.note

    def __str__(self) -> str:
        return f"better {self.note}" if self.better else str(self.note)


def read_fixed(text: str, field: str = "note") -> FixedNote:
    """Return the fixed note of a text like "60", "62.5", "175/2" or "better 60". Raise ScoringError on other texts."""
    fixed = _read(text)
    if fixed is None or not 0 <= fixed.note <= MOST:
        raise ScoringError("fixed_note", field, {"value": text[:40]})
    return fixed


def read_fixed_points(text: str, field: str = "note") -> FixedNote:
    """Return the fixed match points of a text like "12.5" or "-3.162". Raise ScoringError on other texts.

    They have at most three decimals, as match points have.
    """
    fixed = _read(text)
    if fixed is None or fixed.better or abs(fixed.note) > MOST_POINTS or (1000 * fixed.note).denominator != 1:
        raise ScoringError("fixed_points", field, {"value": text[:40], "most": MOST_POINTS})
    return fixed


def read_ruled_note(text: str) -> FixedNote:
    """Return the fixed note or the fixed match points of a stored ruling. Raise ScoringError on any other text."""
    fixed = _read(text)
    if fixed is None:
        raise ScoringError("fixed_note", "note", {"value": text[:40]})
    return fixed


def _read(text: str) -> FixedNote | None:
    written = FIXED.fullmatch(text)
    return None if written is None else FixedNote(Fraction(written[2]), better=written[1] is not None)


def find_deal_part(line: str, taker: str | None, base_score: int | None) -> Part:
    """Return the part that the player of this line has in a deal."""
    if taker is None:
        return Part.OPEN if base_score is None else Part.PASSED
    return Part.ATTACK if taker == line else Part.DEFENCE
