"""The comparison of scores on one étui: notes from 0 to 100 among many tables, match points between two teams."""

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import isqrt

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
