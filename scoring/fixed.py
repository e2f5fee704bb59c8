"""Knows the notes that an arbiter fixes; not why. Not settled by the FFT: docs/scoring.md has what is done.

A note is fixed as a figure, or as the better of a figure and what the player does by himself.
"""

import re
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from scoring.errors import ScoringError

FIXED = re.compile(r"(better )?([0-9]{1,9}(?:/[1-9][0-9]{0,8}|\.[0-9]{1,9})?)")
MOST = 100


class Part(StrEnum):
    """What a player had in a deal: he took, or another did, or all four passed; open where nobody knows who took."""

    ATTACK = "attack"
    DEFENCE = "defence"
    PASSED = "passed"
    OPEN = "open"


class FixedNote(NamedTuple):
    """A note from 0 to 100; with `better`, it or the mean of the player's unfixed notes in the same part."""

    note: Fraction
    better: bool = False

    def against(self, own: Fraction | None) -> Fraction:
        """What it comes to for a player of that mean, None where he has no note of his own to compare it with."""
        return max(self.note, own) if self.better and own is not None else self.note

    def __str__(self) -> str:
        return f"better {self.note}" if self.better else str(self.note)


def read_fixed(text: str, field: str = "note") -> FixedNote:
    """A note as it is written: "60", "62.5", "175/2" or "better 60". Anything else raises `ScoringError`."""
    written = FIXED.fullmatch(text)
    if written is None or (note := Fraction(written[2])) > MOST:
        raise ScoringError("fixed_note", field, {"value": text[:40]})
    return FixedNote(note, better=written[1] is not None)


def part_of(line: str, taker: str | None, base_score: int | None) -> Part:
    """What that line had in a deal."""
    if taker is None:
        return Part.OPEN if base_score is None else Part.PASSED
    return Part.ATTACK if taker == line else Part.DEFENCE
