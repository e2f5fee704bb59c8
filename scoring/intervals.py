"""The 95 % confidence interval of a mean of a few notes, computed by Student's t-distribution.

All sums are exact fractions. Only the width of an interval is a float, because it is a square root. The distribution is
Student's (Biometrika 1908); the way to combine the means of several samples is Welch's (Biometrika 1947) and
Satterthwaite's (1946).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import cos, floor, pi, sin, sqrt, tan
from typing import NamedTuple, Self

LEVEL = 0.95
MANY_DEGREES = 300  # from here on, t is less than 0.5 % above 1.96, the value of the normal distribution


@dataclass(frozen=True, slots=True)
class Sample:
    """A count of notes, their sum and the sum of their squares, all exact."""

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
        """The mean of the notes, or None if there is none."""
        return self.total / self.count if self.count else None

    @property
    def variance(self) -> Fraction | None:
        """The variance of the notes, estimated with n − 1; None for fewer than two notes."""
        if self.count < 2:
            return None
        return (self.squares - self.total * self.total / self.count) / (self.count - 1)


class Interval(NamedTuple):
    """An interval in which a mean may lie."""

    low: float
    high: float

    def within(self, least: float, most: float) -> "Interval":
        """Return the interval without the values below `least` or above `most`, which no mean can have."""
        return Interval(min(max(self.low, least), most), max(min(self.high, most), least))


def find_interval(*parts: tuple[Fraction, Sample]) -> Interval | None:
    """Return the confidence interval of a weighted sum of means. Each part is a weight and a sample.

    Examples of parts: `(¼, attack), (¾, defence)`, or `(1, notes)`. Return None if a sample has fewer than two notes,
    or if each sample has only equal notes. Equal notes do not show how far off their mean may be.
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
    """Return the number t such that a variable with these degrees of freedom lies from −t to t in 95 of 100 cases.

    Examples: 12.706 for 1 degree, 2.228 for 10. For more than MANY_DEGREES the t of MANY_DEGREES is returned, which is
    slightly too large. Raise ValueError for less than 1 degree.
    """
    if degrees < 1:
        raise ValueError(degrees)
    if degrees > MANY_DEGREES:
        return student(MANY_DEGREES)
    low, high = 0.0, pi / 2  # bounds of the angle with the tangent t / √degrees
    for _step in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share_within(middle, degrees) < LEVEL else (low, middle)
    return sqrt(degrees) * tan(low)


def share_within(angle: float, degrees: int) -> float:
    """Return the probability that |t| / √degrees is below the tangent of the angle.

    The formulas are the finite sums of Abramowitz and Stegun: 26.7.3 for odd degrees, 26.7.4 for even ones.
    """
    odd = degrees % 2
    term = total = cos(angle) if odd else 1.0
    if degrees == 1:
        total = 0.0
    for step in range(2 if odd else 1, degrees - 1, 2):
        term *= cos(angle) ** 2 * step / (step + 1)
        total += term
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total
