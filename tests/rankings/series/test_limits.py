"""The limits of what a director types for a series: 100 ranks with points, and 200 events."""

import pytest
from django.core.exceptions import ValidationError

from pages.series.forms import SeriesForm
from rankings.series.setup import SeriesRefused, read_points


def test_table_of_points_has_100_ranks_at_most():
    assert read_points("5 " * 100) == (5,) * 100
    with pytest.raises(SeriesRefused) as caught:
        read_points("5 " * 101)
    assert (caught.value.code, caught.value.params) == ("series_table_long", {"most": 100})


@pytest.mark.parametrize("field", ["best_of", "least"])
def test_numbers_of_events_end_at_200(field):
    typed = SeriesForm.base_fields[field]
    assert typed.clean("200") == 200
    with pytest.raises(ValidationError):
        typed.clean("201")
