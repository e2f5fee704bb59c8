"""The notes of plays: by comparison of the tables, or fixed by an arbiter; and the sums of a player's notes.

A note is fixed as a figure, or as the higher one of a figure and the player's own mean. The FFT has no rule for this:
docs/scoring.md describes what the site does.

Sums are exact: each is kept as whole numbers, one numerator for each denominator. There are few denominators, because
the denominator of a note is twice the number of the other tables. Adding a note and taking it off leaves exactly the
same sums.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import isqrt, lcm
from typing import NamedTuple

from scoring.errors import ScoringError

THOUSAND = 1000
ALONE = Fraction(50)  # the note of an étui that was played once: not settled by the FFT


def topage(scores: Sequence[int]) -> list[Fraction]:
    """Return the exact notes of scores compared on one étui, in the same order (FFT 2012 p. 17).

    A note is 100 × (scores beaten + half of those tied with) / (the other scores). A single score gets 50.
    """
    most = most_halves(scores)
    return [note_of(halves, most) for halves in beaten_halves(scores)]


def most_halves(scores: Sequence[int]) -> int:
    """Return the half points of a score that beats all others: two for each other score."""
    return 2 * (len(scores) - 1)


def beaten_halves(scores: Sequence[int]) -> list[int]:
    """Return the half points of each score: two for each score that it beats, one for each other equal score."""
    return list(map(halves_by_score(Counter(scores)).__getitem__, scores))


def halves_by_score(counted: Mapping[int, int]) -> dict[int, int]:
    """Return how many half points each score gets on an étui, by the score.

    `counted` maps each score to its number of plays. A score gets two half points for each play with a lower score,
    and one for each other play with the same score.
    """
    halves: dict[int, int] = {}
    beaten = 0
    for score, plays in sorted(counted.items()):
        halves[score] = 2 * beaten + plays - 1
        beaten += plays
    return halves


@lru_cache(maxsize=16_384)
def note_of(halves: int, most: int) -> Fraction:
    """Return the note from 0 to 100 for `halves` of at most `most` half points.

    The notes are cached, because an evening has few different ones.
    """
    return Fraction(100 * halves, most) if most else ALONE


def complement(note: Fraction) -> Fraction:
    """Return 100 minus the note: the note of each opponent."""
    return Fraction(100 * note.denominator - note.numerator, note.denominator)


def match_points(base_score: int, opposing: int) -> Decimal:
    """Return the match points of one étui for a team's attacker: sign(d) × √|d|, with three decimals.

    d is `base_score` minus `opposing`, the base score of the other team's attacker on the same étui. The other team
    gets the same points with the opposite sign. Each étui is rounded half up before the étuis are added (FFT 2012, the
    chapter on quadrettes). A square root of a whole number never lies halfway between two thousandths.
    """
    difference = base_score - opposing
    # To round to thousandths, it is enough to know the half thousandths, rounded down: isqrt is exact for any whole
    # number.
    thousandths = (isqrt((2 * THOUSAND) ** 2 * abs(difference)) + 1) // 2
    return Decimal((int(difference < 0), tuple(map(int, str(thousandths))), -3))


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


@dataclass(slots=True)
class NoteSum:
    """The number of notes and their sum, as a numerator for each denominator. Numerators that are 0 are left out."""

    count: int = 0
    numerators: dict[int, int] = field(default_factory=dict)

    def add(self, denominator: int, numerator: int) -> None:
        """Add one note, given as a fraction."""
        self.count += 1
        self._add(denominator, numerator)

    def move(self, other: "NoteSum", times: int) -> None:
        """Add the notes of another sum `times` times. With −1 they are taken off."""
        self.count += times * other.count
        for denominator, numerator in other.numerators.items():
            self._add(denominator, times * numerator)

    def _add(self, denominator: int, numerator: int) -> None:
        if left := self.numerators.get(denominator, 0) + numerator:
            self.numerators[denominator] = left
        else:
            self.numerators.pop(denominator, None)


@dataclass(slots=True)
class Tally:
    """The plays of one player, also those without a score, and the player's notes in attack, defence and passed deals.

    `fixed`: how many times the player has each note that the arbiter fixed. Those notes are not in the other sums.
    """

    plays: int = 0
    attack: NoteSum = field(default_factory=NoteSum)
    defence: NoteSum = field(default_factory=NoteSum)
    passed: NoteSum = field(default_factory=NoteSum)
    fixed: dict[tuple[Part, FixedNote], int] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        """The number of the player's notes, with the notes that the arbiter fixed."""
        return self.attack.count + self.defence.count + self.passed.count + sum(self.fixed.values())

    def move(self, other: "Tally", times: int = 1) -> None:
        """Add the plays and notes of another tally `times` times. With −1 they are taken off."""
        self.plays += times * other.plays
        for mine, theirs in (
            (self.attack, other.attack),
            (self.defence, other.defence),
            (self.passed, other.passed),
        ):
            if theirs.count:
                mine.move(theirs, times)
        for note, count in other.fixed.items():
            self.fix(*note, times * count)

    def fix(self, part: Part, fixed: FixedNote, times: int = 1) -> None:
        """Add a note that the arbiter fixed `times` times. With −1 it is taken off."""
        if left := self.fixed.get((part, fixed), 0) + times:
            self.fixed[part, fixed] = left
        else:
            self.fixed.pop((part, fixed), None)

    def unfixed_mean(self, part: Part) -> Fraction | None:
        """Return the mean of the player's notes in that part, without fixed notes; None if there is no note.

        For an unknown part it is the mean over all parts.
        """
        if part == Part.OPEN:
            return mean(self.attack, self.defence, self.passed)
        own: NoteSum = getattr(self, part)
        return mean(own)

    def resolve(self, part: Part, fixed: FixedNote) -> Fraction:
        """Return the value of a fixed note for this player, who may have a better mean of their own."""
        return fixed.against(self.unfixed_mean(part) if fixed.better else None)

    def with_fixed(self) -> "Tally":
        """Return a tally in which the values of the fixed notes are among the other notes.

        A fixed note whose part is unknown counts like a note of a passed deal.
        """
        if not self.fixed:
            return self
        full = Tally()
        full.move(self)
        full.fixed.clear()
        for (part, fixed), count in self.fixed.items():
            note = self.resolve(part, fixed)
            sums: NoteSum = full.passed if part == Part.OPEN else getattr(full, part)
            for _ in range(count):
                sums.add(note.denominator, note.numerator)
        return full


def mean(*sums: NoteSum) -> Fraction | None:
    """Return the exact mean of all notes of these sums, or None if there are no notes."""
    if len(sums) == 1:  # a ranking asks this most often
        (one,) = sums
        count, parts = one.count, list(one.numerators.items())
    else:
        count = sum([one.count for one in sums])
        parts = [part for one in sums for part in one.numerators.items()]
    if not count:
        return None
    common = lcm(*[denominator for denominator, _ in parts])
    return Fraction(sum([numerator * (common // denominator) for denominator, numerator in parts]), common * count)


def total(*sums: NoteSum) -> Fraction | None:
    """Return the exact sum of all notes of these sums, or None if there are no notes."""
    average = mean(*sums)
    return None if average is None else average * sum([one.count for one in sums])
