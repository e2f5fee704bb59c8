"""The notes that an arbiter fixes. The FFT has no rule for them: docs/scoring.md describes what the site does.

A note is fixed as a figure, or as the better of a figure and the player's own mean.
"""

import re
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from scoring.errors import ScoringError

FIXED = re.compile(r"(better )?([0-9]{1,9}(?:/[1-9][0-9]{0,8}|\.[0-9]{1,9})?)")
MOST = 100


class Part(StrEnum):
    """The part of a player in a deal: attack, defence, or a deal passed out by all four.

    It is open if the taker is unknown.
    """

    ATTACK = "attack"
    DEFENCE = "defence"
    PASSED = "passed"
    OPEN = "open"


class FixedNote(NamedTuple):
    """A note from 0 to 100. With `better` it is the higher of that note and the player's own mean.

    The own mean is that of the player's unfixed notes in the same part.
    """

    note: Fraction
    better: bool = False

    def against(self, own: Fraction | None) -> Fraction:
        """Return the note for a player whose own mean is `own`. `own` is None if the player has no unfixed note."""
        return max(self.note, own) if self.better and own is not None else self.note

    def __str__(self) -> str:
        return f"better {self.note}" if self.better else str(self.note)


def read_fixed(text: str, field: str = "note") -> FixedNote:
    """Return the note of a text like "60", "62.5", "175/2" or "better 60". Raise `ScoringError` for any other text."""
    written = FIXED.fullmatch(text)
    if written is None or (note := Fraction(written[2])) > MOST:
        raise ScoringError("fixed_note", field, {"value": text[:40]})
    return FixedNote(note, better=written[1] is not None)


def find_deal_part(line: str, taker: str | None, base_score: int | None) -> Part:
    """Return the part of this line in a deal."""
    if taker is None:
        return Part.OPEN if base_score is None else Part.PASSED
    return Part.ATTACK if taker == line else Part.DEFENCE
