"""The limits of what a director types for a series: 100 ranks with points, and 200 events."""

from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError

from pages.series.forms import SeriesForm
from rankings.series.setup import SeriesRefused, read_points


def test_table_of_points_has_100_ranks_at_most():
    assert read_points("5 " * 100) == (5,) * 100
    with pytest.raises(SeriesRefused) as caught:
        read_points("5 " * 101)
    assert (caught.value.code, caught.value.params) == ("series_table_long", {"most": 100})


def test_points_of_ranks_are_figures_as_people_write_them():
    assert read_points("1\N{NO-BREAK SPACE}044; 12,5 ;+7 6½;\n0") == (1044, Fraction(25, 2), 7, Fraction(13, 2), 0)


@pytest.mark.parametrize("word", ["−5", "1,234", "dix", "1000000", "1/2", "12,"])
def test_word_that_is_no_points_of_a_rank_is_quoted(word):
    with pytest.raises(SeriesRefused) as caught:
        read_points(f"25 {word} 10")
    assert (caught.value.code, caught.value.params) == ("series_table_wrong", {"word": word})


@pytest.mark.parametrize("field", ["best_of", "least"])
def test_numbers_of_events_end_at_200(field):
    typed = SeriesForm.base_fields[field]
    assert typed.clean("200") == 200
    with pytest.raises(ValidationError):
        typed.clean("201")
