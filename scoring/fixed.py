"""The notes that an arbiter fixes, in place of those that the comparison of the tables gives.

A note is fixed as a figure, or as the higher one of a figure and the player's own mean. The FFT has no rule for this:
docs/scoring.md describes what the site does.
"""

import re
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from scoring.errors import ScoringError

FIXED = re.compile(r"(better )?([0-9]{1,9}(?:/[1-9][0-9]{0,8}|\.[0-9]{1,9})?)")
MOST = 100


class Part(StrEnum):
    """The part of a player in a deal: in the attack, in the defence, or in a deal that all four passed.

    OPEN: the part is unknown, because nobody told who took.
    """

    ATTACK = "attack"
    DEFENCE = "defence"
    PASSED = "passed"
    OPEN = "open"


class FixedNote(NamedTuple):
    """A note from 0 to 100 that the arbiter fixed.

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
    written = FIXED.fullmatch(text)
    if written is None or (note := Fraction(written[2])) > MOST:
        raise ScoringError("fixed_note", field, {"value": text[:40]})
    return FixedNote(note, better=written[1] is not None)


def find_deal_part(line: str, taker: str | None, base_score: int | None) -> Part:
    """Return the part that the player of this line has in a deal."""
    if taker is None:
        return Part.OPEN if base_score is None else Part.PASSED
    return Part.ATTACK if taker == line else Part.DEFENCE
