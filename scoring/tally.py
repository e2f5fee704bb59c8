"""Knows how one player's notes add up, and are taken off again; not where a note comes from, nor what is ranked by it.

Sums are whole numbers by denominator. A note is over twice the other scores, so there are few, and whatever is added
and taken off again leaves the very same sums behind.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from scoring.fixed import FixedNote, Part


@dataclass(slots=True)
class NoteSum:
    """How many notes there are, and their sum: numerators by denominator, without those that are 0."""

    count: int = 0
    numerators: dict[int, int] = field(default_factory=dict)

    def add(self, denominator: int, numerator: int) -> None:
        """Adds one note."""
        self.count += 1
        self._add(denominator, numerator)

    def move(self, other: "NoteSum", times: int) -> None:
        """Adds the other's notes that many times: −1 takes them off."""
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
    """One player's plays, those without a score among them, and his notes by the part he had in the deal.

    `fixed`: how many times each note that the arbiter has fixed is his, by that part; they are not among the others.
    """

    plays: int = 0
    attack: NoteSum = field(default_factory=NoteSum)
    defence: NoteSum = field(default_factory=NoteSum)
    passed: NoteSum = field(default_factory=NoteSum)
    fixed: dict[tuple[Part, FixedNote], int] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        """How many notes he has, those that the arbiter has fixed among them."""
        return self.attack.count + self.defence.count + self.passed.count + sum(self.fixed.values())

    def move(self, other: "Tally", times: int = 1) -> None:
        """Adds the other's plays and notes that many times: −1 takes them off."""
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
        """Adds a fixed note that many times, −1 takes it off."""
        if left := self.fixed.get((part, fixed), 0) + times:
            self.fixed[part, fixed] = left
        else:
            self.fixed.pop((part, fixed), None)

    def unfixed_mean(self, part: Part) -> Fraction | None:
        """Of his own notes in that part; in one that nobody knows, of all of them."""
        if part == Part.OPEN:
            return mean(self.attack, self.defence, self.passed)
        own: NoteSum = getattr(self, part)
        return mean(own)

    def resolve(self, part: Part, fixed: FixedNote) -> Fraction:
        """What a note that is fixed comes to for him."""
        return fixed.against(self.unfixed_mean(part) if fixed.better else None)

    def with_fixed(self) -> "Tally":
        """With what the fixed notes come to among the others; those of an open part weigh as of deals passed out."""
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
    """The mean of all their notes, exact; None without any."""
    count = sum([one.count for one in sums])
    if not count:
        return None
    parts = [part for one in sums for part in one.numerators.items()]
    common = lcm(*[denominator for denominator, _ in parts])
    return Fraction(sum([numerator * (common // denominator) for denominator, numerator in parts]), common * count)
