"""The sums of one player's notes, to which notes are added and from which they are taken off again.

Sums are whole numbers by denominator. The denominator of a note is twice the number of the other scores, so there are
few. A note that is added and taken off again leaves exactly the same sums.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from scoring.fixed import FixedNote, Part


@dataclass(slots=True)
class NoteSum:
    """A number of notes and their sum: numerators by denominator, without numerators that are 0."""

    count: int = 0
    numerators: dict[int, int] = field(default_factory=dict)

    def add(self, denominator: int, numerator: int) -> None:
        """Add one note."""
        self.count += 1
        self._add(denominator, numerator)

    def move(self, other: "NoteSum", times: int) -> None:
        """Add the other's notes `times` times: −1 takes them off."""
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
    """One player's plays, with those that have no score, and the player's notes by the part in the deal.

    `fixed`: how many times the player has each note fixed by the arbiter, by part. These are not among the other notes.
    """

    plays: int = 0
    attack: NoteSum = field(default_factory=NoteSum)
    defence: NoteSum = field(default_factory=NoteSum)
    passed: NoteSum = field(default_factory=NoteSum)
    fixed: dict[tuple[Part, FixedNote], int] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        """The number of the player's notes, with those fixed by the arbiter."""
        return self.attack.count + self.defence.count + self.passed.count + sum(self.fixed.values())

    def move(self, other: "Tally", times: int = 1) -> None:
        """Add the other's plays and notes `times` times: −1 takes them off."""
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
        """Add a fixed note `times` times: −1 takes it off."""
        if left := self.fixed.get((part, fixed), 0) + times:
            self.fixed[part, fixed] = left
        else:
            self.fixed.pop((part, fixed), None)

    def unfixed_mean(self, part: Part) -> Fraction | None:
        """Return the mean of the player's unfixed notes in that part, or of all of them if the part is unknown."""
        if part == Part.OPEN:
            return mean(self.attack, self.defence, self.passed)
        own: NoteSum = getattr(self, part)
        return mean(own)

    def resolve(self, part: Part, fixed: FixedNote) -> Fraction:
        """Return the value of a fixed note for this player."""
        return fixed.against(self.unfixed_mean(part) if fixed.better else None)

    def with_fixed(self) -> "Tally":
        """Return the tally with the values of the fixed notes among the others.

        Notes of an open part weigh like notes of deals passed out.
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
    """Return the exact mean of all notes of these sums, or None if there is none."""
    count = sum([one.count for one in sums])
    if not count:
        return None
    parts = [part for one in sums for part in one.numerators.items()]
    common = lcm(*[denominator for denominator, _ in parts])
    return Fraction(sum([numerator * (common // denominator) for denominator, numerator in parts]), common * count)


def total(*sums: NoteSum) -> Fraction | None:
    """Return the exact sum of all notes of these sums, or None if there is none."""
    average = mean(*sums)
    return None if average is None else average * sum([one.count for one in sums])
