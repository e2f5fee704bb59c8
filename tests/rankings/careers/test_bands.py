"""The bands in which a career counts notes: no band is empty only because no possible note lies in it."""

from collections import Counter
from fractions import Fraction

import pytest

from rankings.careers.figures import NoteKey, Totals, Where, count_in_bands, find_band

WHERE = Where(1, 1, "2026-11-20")


def every_note_of(*sizes):
    """Return each note that is possible without ties among so many plays, with the same total for each size."""
    notes = Counter()
    for plays in sizes:
        for place in range(plays):
            notes[NoteKey(plays, plays - 1, 100 * place)] += 420 // plays
    return notes


@pytest.mark.parametrize("plays", range(2, 13))
def test_each_note_of_a_field_has_a_band_of_its_own(plays):
    assert count_in_bands(every_note_of(plays)) == [420 // plays] * plays


@pytest.mark.parametrize(
    "sizes", [(5, 6), (5, 7), (4, 5, 6, 7), (7, 8), (8, 9, 10, 11), (12, 13), *((plays,) for plays in range(13, 40))]
)
def test_no_band_can_hold_much_more_than_another(sizes):
    counts = count_in_bands(every_note_of(*sizes))
    assert len(counts) >= 3
    assert max(counts) <= Fraction(3, 2) * min(counts)


def test_a_few_deals_of_a_small_field_make_the_bands_no_coarser():
    assert len(count_in_bands(every_note_of(7) + Counter({NoteKey(4, 3, 100): 2}))) == 7


def test_notes_at_five_tables_leave_no_neighbour_empty():
    """Check the sums of a career in which each étui has five plays, and each note comes ten times."""
    totals = Totals()
    for note in (0, 25, 50, 75, 100):
        figures = {"den": 1, "d": [10, 10 * note, 10 * note * note], "n": [[5, note, 10]], "best": [], "m": []}
        totals.add(figures, is_free=False, where=WHERE)
    assert totals.heights == [10, 10, 10, 10, 10]
    assert totals.deals == 50


@pytest.mark.parametrize("bands", [3, 5, 7, 9, 11])
def test_a_note_and_its_opposite_lie_in_opposite_bands(bands):
    for number in range(1001):
        note = Fraction(number, 10)
        assert find_band(note, bands) + find_band(100 - note, bands) == bands - 1


def test_notes_over_several_denominators_are_kept_over_one():
    totals = Totals()
    for den, note in ((4, 175), (8, 350), (3, 100)):
        figures = {"den": den, "d": [1, note, note * note], "n": [[9, note, 1]], "best": [], "m": []}
        totals.add(figures, is_free=False, where=WHERE)
    kept = Totals()
    kept.add_kept(totals.to_data())
    assert (kept.heights, kept.deals) == (totals.heights, 3)
    assert sorted(kept.notes.values()) == [1, 2]


def test_row_of_the_first_format_has_deals_and_no_bands():
    """Check a row from before an upgrade, which the job has not made anew."""
    totals = Totals()
    figures = {"den": 1, "a": [1, 50, 2500], "h": [0] * 5 + [1] + [0] * 4, "best": [[3, 50, 5, "a"]], "m": []}
    totals.add(figures, is_free=False, where=WHERE)
    assert (totals.deals, totals.heights, totals.best[0].ahead) == (1, [], None)
