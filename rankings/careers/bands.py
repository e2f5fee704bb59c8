"""The bands of a diagram in which a career's notes are counted, for example 0–20, 20–40 … All functions are pure.

Among *n* compared plays without ties, the possible notes are the multiples of 100 / (n − 1), from 0 to 100. If bands
are narrower than that step, some stay empty; if their borders do not suit the steps, some count double. Therefore the
number of bands is chosen so that the possible notes fill them about evenly.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

MOST_BANDS = 12
UNEVEN = Fraction(3, 2)  # the fullest band may get at most this many times the notes of the emptiest one


class NoteKey(NamedTuple):
    """A note that was won among `compared` plays. Its value is `note` / `den`."""

    compared: int
    den: int
    note: int


def count_in_bands(counts: Mapping[NoteKey, int]) -> list[int]:
    """Return the number of notes in each band, from the lowest band to the highest. All bands are equally wide.

    `counts` has how often each note was won.
    """
    deals: defaultdict[int, int] = defaultdict(int)
    for key, count in counts.items():
        deals[key.compared] += count
    bands = [0] * choose_bands(deals)
    for key, count in counts.items():
        bands[find_band(Fraction(key.note, key.den), len(bands))] += count
    return bands


def choose_bands(deals: Mapping[int, int]) -> int:
    """Return the greatest number of bands that the notes of these deals can fill about evenly.

    `deals` has the number of deals by the number of plays that were compared with each other.
    """
    compared = {plays: count for plays, count in deals.items() if plays > 1}
    for bands in range(MOST_BANDS, 1, -1):
        shares = expect_shares(compared, bands)
        if compared and max(shares) <= UNEVEN * min(shares):
            return bands
    return 3  # nothing was compared, so every note is 50


def expect_shares(deals: Mapping[int, int], bands: int) -> Sequence[Fraction]:
    """Return how many deals would fall into each band if all possible notes were equally frequent.

    The numbers are exact fractions.
    """
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
