"""The bands in which a career's notes are counted: as many as the possible notes fill evenly. Pure.

Among *n* plays the notes without ties are the *n* multiples of 100 / (n − 1), from 0 to 100. Bands that are narrower
than that step, or that lie across it unevenly, stay empty or count double whatever the player does.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

MOST_BANDS = 12
UNEVEN = Fraction(3, 2)  # how many times as many notes one band may get as another


class NoteKey(NamedTuple):
    """A note: `note` over the denominator `den`, won among `compared` plays."""

    compared: int
    den: int
    note: int


def count_in_bands(counts: Mapping[NoteKey, int]) -> list[int]:
    """Return the number of notes in each band, from the lowest to the highest. The bands are equally wide."""
    deals: defaultdict[int, int] = defaultdict(int)
    for key, count in counts.items():
        deals[key.compared] += count
    bands = [0] * choose_bands(deals)
    for key, count in counts.items():
        bands[find_band(Fraction(key.note, key.den), len(bands))] += count
    return bands


def choose_bands(deals: Mapping[int, int]) -> int:
    """Return the greatest number of bands that the notes of these deals can fill evenly.

    `deals` has the number of deals for each number of compared plays.
    """
    told = {plays: count for plays, count in deals.items() if plays > 1}
    for bands in range(MOST_BANDS, 1, -1):
        shares = expect_shares(told, bands)
        if told and max(shares) <= UNEVEN * min(shares):
            return bands
    return 3  # nothing was compared, and every note is the middle


def expect_shares(deals: Mapping[int, int], bands: int) -> Sequence[Fraction]:
    """Return how many of the deals fall into each band if every possible note comes equally often."""
    shares = [Fraction()] * bands
    for plays, count in deals.items():
        for place in range(plays):
            shares[find_band(Fraction(100 * place, plays - 1), bands)] += Fraction(count, plays)
    return shares


def find_band(note: Fraction, bands: int) -> int:
    """Return the index of the band of a note.

    A note on the border of two bands belongs to the band nearer to 50. The note 50 itself belongs to the upper one.
    """
    place = note * bands / 100
    above = note > 50 and place.denominator == 1
    return int(place) - above
