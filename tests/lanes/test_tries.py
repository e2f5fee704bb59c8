"""The rows of a file: what a test writes beside them is gone before the next test, and before another try of it."""

import pytest

from clubs.models import Club
from tests.factories import make_club


@pytest.fixture(scope="module")
def house(rows_of_the_file: None) -> Club:
    return make_club("house", "The house")


@pytest.mark.parametrize("time", ["first", "second"])
def test_club_that_a_test_adds_is_gone_before_the_next_one(house: Club, time: str) -> None:
    make_club("guest", f"The guest of the {time} test")
    assert list(Club.objects.order_by("slug").values_list("slug", flat=True)) == ["guest", house.slug]
