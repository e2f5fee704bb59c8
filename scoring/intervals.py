"""Knows how far a mean of a few notes can be trusted: its interval at 95 % by Student's t. Not whose notes they are.

What is added up stays exact; only the width of an interval, which is a root, is a float. By the distribution as Student
gave it (Biometrika 1908); means of several samples together by Welch (Biometrika 1947) and Satterthwaite (1946).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import cos, floor, pi, sin, sqrt, tan
from typing import NamedTuple, Self

LEVEL = 0.95
MANY_DEGREES = 300  # from which on t is less than half a per cent above that of the normal distribution


@dataclass(frozen=True, slots=True)
class Sample:
    """How many notes there are, their sum and the sum of their squares, exact."""

    count: int = 0
    total: Fraction = Fraction()
    squares: Fraction = Fraction()

    @classmethod
    def of(cls, notes: Sequence[Fraction]) -> Self:
        return cls(len(notes), sum(notes, Fraction()), sum((note * note for note in notes), Fraction()))

    def __add__(self, other: "Sample") -> "Sample":
        return Sample(self.count + other.count, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> Fraction | None:
        """None without a note."""
        return self.total / self.count if self.count else None

    @property
    def variance(self) -> Fraction | None:
        """Of whatever the notes were drawn from, by n − 1; None for fewer than two."""
        if self.count < 2:
            return None
        return (self.squares - self.total * self.total / self.count) / (self.count - 1)


class Interval(NamedTuple):
    """From where to where a mean may lie."""

    low: float
    high: float

    def within(self, least: float, most: float) -> "Interval":
        """As far as it lies where any mean can."""
        return Interval(min(max(self.low, least), most), max(min(self.high, most), least))


def find_interval(*parts: tuple[Fraction, Sample]) -> Interval | None:
    """Of the sum of these samples' means, each taken so many times: `(¼, attack), (¾, defence)`, or `(1, notes)`.

    None where a sample has fewer than two notes, and where all notes of each are equal: nothing is known of how they
    scatter.
    """
    middle, error, degrees = Fraction(), Fraction(), Fraction()
    for weight, sample in parts:
        if sample.mean is None or sample.variance is None:
            return None
        share = weight * weight * sample.variance / sample.count
        middle += weight * sample.mean
        error += share
        degrees += share * share / (sample.count - 1)
    if not error:
        return None
    half = student(floor(error * error / degrees)) * sqrt(error)
    return Interval(float(middle) - half, float(middle) + half)


@lru_cache(maxsize=MANY_DEGREES)
def student(degrees: int) -> float:
    """The t that a variable of so many degrees of freedom (1 at least) stays within, in both directions, in 95 of 100
    cases: 12.706 for 1, 2.228 for 10. From MANY_DEGREES on that of so many: a trifle too wide."""
    if degrees < 1:
        raise ValueError(degrees)
    if degrees > MANY_DEGREES:
        return student(MANY_DEGREES)
    low, high = 0.0, pi / 2  # the angle whose tangent is t / √degrees
    for _step in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share_within(middle, degrees) < LEVEL else (low, middle)
    return sqrt(degrees) * tan(low)


def share_within(angle: float, degrees: int) -> float:
    """The probability of |t| / √degrees below the tangent of an angle: the finite sums of Abramowitz and Stegun, 26.7.3
    for odd degrees, 26.7.4 for even ones."""
    odd = degrees % 2
    term = total = cos(angle) if odd else 1.0
    if degrees == 1:
        total = 0.0
    for step in range(2 if odd else 1, degrees - 1, 2):
        term *= cos(angle) ** 2 * step / (step + 1)
        total += term
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
