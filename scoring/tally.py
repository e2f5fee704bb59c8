"""The sums of one player's notes. Notes can be added, and taken off again.

Sums are exact: each is kept as whole numbers, one numerator for each denominator. There are few denominators, because
the denominator of a note is twice the number of the other tables. Adding a note and taking it off leaves exactly the
same sums.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from scoring.fixed import FixedNote, Part


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
