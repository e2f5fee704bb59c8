"""Knows how scores on one étui become notes from 0 to 100; not who played, nor what a score is made of."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

ALONE = Fraction(50)  # an étui played once: not settled by the FFT


def topage(scores: Sequence[int]) -> list[Fraction]:
    """Scores compared on one étui → their notes, exact, in the same order (FFT 2012 p. 17).

    A note is 100 × (scores beaten + half of those tied with) / (the other scores); a score alone gets 50.
    """
    most = most_halves(scores)
    return [note_of(halves, most) for halves in beaten_halves(scores)]


def most_halves(scores: Sequence[int]) -> int:
    """The half points of a score that beats all others."""
    return 2 * (len(scores) - 1)


def beaten_halves(scores: Sequence[int]) -> list[int]:
    """The half points of each score: two for each one beaten, one for each other one tied with."""
    halves: dict[int, int] = {}
    beaten = 0
    for score, plays in sorted(Counter(scores).items()):
        halves[score] = 2 * beaten + plays - 1
        beaten += plays
    return list(map(halves.__getitem__, scores))


@lru_cache(maxsize=16_384)
def note_of(halves: int, most: int) -> Fraction:
    """The note of so many half points of at most so many: few differ among the étuis of an evening."""
    return Fraction(100 * halves, most) if most else ALONE


def complement(note: Fraction) -> Fraction:
    """The note of each opponent of whoever has this one."""
    return Fraction(100 * note.denominator - note.numerator, note.denominator)
