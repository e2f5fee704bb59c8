"""One random evening of each format. `tests/faults/test_random_evenings.py` plays three hundred others."""

import pytest

from tests.random_evenings import FORMATS, play_random_evening

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
FIRST = 100 * len(FORMATS)  # the seed of the first evening of an individual session


@pytest.mark.parametrize("seed", range(FIRST, FIRST + len(FORMATS)))
def test_random_evening_of_each_format_never_proposes_what_it_refuses(seed):
    play_random_evening(seed)
