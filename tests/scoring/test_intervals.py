"""The intervals of means, compared with printed tables of Student's t and with examples computed by hand."""

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.intervals import MANY_DEGREES, Interval, Sample, find_interval, student

# From any printed table of the distribution, 95 % on both sides together.
TABLE = {
    1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228, 11: 2.201,
    12: 2.179, 15: 2.131, 19: 2.093, 20: 2.086, 25: 2.060, 29: 2.045, 30: 2.042, 40: 2.021, 60: 2.000, 120: 1.980,
}  # fmt: skip
ONE, QUARTER = Fraction(1), Fraction(1, 4)


@pytest.mark.parametrize(("degrees", "t"), TABLE.items())
def test_student_is_what_tables_print(degrees, t):
    assert round(student(degrees), 3) == t


def test_student_falls_towards_the_normal_distribution_and_is_never_below_it():
    found = [student(degrees) for degrees in range(1, MANY_DEGREES + 1)]
    assert found == sorted(found, reverse=True)
    assert 1.95996 < found[-1] < 1.95996 * 1.005
    assert student(40_000) == found[-1]


@pytest.mark.parametrize("degrees", [0, -1])
def test_no_degrees_of_freedom_have_no_t(degrees):
    with pytest.raises(ValueError, match=str(degrees)):
        student(degrees)


def test_interval_of_five_notes_as_worked_out_by_hand():
    """Compute it by hand: 40, 50, 60, 70, 80 have mean 60, variance 250, 4 degrees of freedom."""
    low, high = find_interval((ONE, Sample.of([Fraction(n) for n in (40, 50, 60, 70, 80)])))
    half = 2.7764451 * sqrt(250 / 5)
    assert (round(low, 5), round(high, 5)) == (round(60 - half, 5), round(60 + half, 5))


def test_interval_of_weighed_means_has_the_degrees_of_welch_and_satterthwaite():
    """Compute it by hand: attack 0, 100 (variance 5000), defence 40, 50, 60 (100); error 156.25 + 18.75; 1 degree."""
    attack = Sample.of([Fraction(0), Fraction(100)])
    defence = Sample.of([Fraction(n) for n in (40, 50, 60)])
    low, high = find_interval((QUARTER, attack), (1 - QUARTER, defence))
    half = 12.7062047 * sqrt(5000 / 2 / 16 + 100 / 3 * 9 / 16)
    assert (round(low, 4), round(high, 4)) == (round(50 - half, 4), round(50 + half, 4))


@pytest.mark.parametrize("notes", [[], [50], [50, 50, 50]])
def test_nothing_is_said_where_nothing_scatters(notes):
    assert find_interval((ONE, Sample.of([Fraction(note) for note in notes]))) is None


def test_interval_is_kept_within_what_a_mean_can_be():
    assert Interval(-12.0, 80.0).within(0, 100) == (0, 80)
    assert Interval(20.0, 140.0).within(0, 100) == (20, 100)


@given(st.lists(st.fractions(0, 100, max_denominator=60), min_size=1), st.lists(st.fractions(0, 100), min_size=1))
def test_samples_added_are_the_sample_of_all(one, other):
    both = Sample.of(one) + Sample.of(other)
    assert both == Sample.of([*one, *other])
    assert sum([Sample.of(one), Sample.of(other)], Sample()) == both
    assert both.mean == sum([*one, *other]) / (len(one) + len(other))
