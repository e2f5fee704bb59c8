"""The sums of an étui or a session as values: added, taken off, stored as data and read again."""

import json
from collections import Counter
from fractions import Fraction

import pytest

from evenings.standings.etuis import Sums, read_sums
from scoring.notes import FixedNote, NoteSum, Part, Tally

BETTER = (Part.OPEN, FixedNote(Fraction(175, 2), better=True))
FLAT = (Part.ATTACK, FixedNote(Fraction(60)))


def tally(plays=3, **fixed):
    return Tally(plays, NoteSum(1, {4: 100}), NoteSum(2, {2: 25, 4: 3}), NoteSum(), **fixed)


def sums():
    """Return the sums of two players. The second has notes that the arbiter fixed."""
    counts = Counter({"scored": 5, "missing": 0, "annulled": 1})
    return Sums(counts, 2, {7: tally(), 8: tally(4, fixed={BETTER: 2, FLAT: 1})})


DATA = {
    "counts": {"scored": 5, "annulled": 1},
    "topped": 2,
    "tallies": {
        "7": [3, [1, {"4": 100}], [2, {"2": 25, "4": 3}], [0, {}]],
        "8": [4, [1, {"4": 100}], [2, {"2": 25, "4": 3}], [0, {}], {"open better 175/2": 2, "attack 60": 1}],
    },
}


def test_sums_are_stored_as_data_that_gives_them_again():
    assert sums().to_data() == DATA
    stored = json.loads(json.dumps(DATA))
    assert read_sums(stored).to_data() == DATA
    assert read_sums(stored).tallies == sums().tallies
    assert (read_sums(stored).counts, read_sums(stored).topped) == (Counter({"scored": 5, "annulled": 1}), 2)


def test_nothing_is_stored_and_read_as_nothing():
    nothing = {"counts": {}, "topped": 0, "tallies": {}}
    assert Sums().to_data() == nothing
    assert read_sums(nothing) == Sums()


def test_added_sums_count_both_and_a_player_of_one_only():
    both = sums()
    both.move(Sums(Counter(scored=2, missing=1), 1, {8: tally(1, fixed={FLAT: 1}), 9: tally(1)}))
    assert both.counts == Counter(scored=7, missing=1, annulled=1)
    assert both.topped == 3
    assert {player: each.plays for player, each in both.tallies.items()} == {7: 3, 8: 5, 9: 1}
    assert both.tallies[8].attack == NoteSum(2, {4: 200})
    assert both.tallies[8].fixed == {BETTER: 2, FLAT: 2}
    assert both.tallies[9] == tally(1)


@pytest.mark.parametrize("times", [1, 3])
def test_sums_taken_off_as_often_as_added_leave_nothing_and_nobody(times):
    both, other = sums(), Sums(Counter(scored=2), 1, {8: tally(1, fixed={FLAT: 1}), 9: tally(2)})
    both.move(other, times)
    assert both.tallies[9].plays == 2 * times
    both.move(other, -times)
    assert both.to_data() == DATA
    both.move(sums(), -1)
    assert both.to_data() == {"counts": {}, "topped": 0, "tallies": {}}
