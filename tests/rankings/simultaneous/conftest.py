"""The organiser of a simultaneous, its director, and an evening that two clubs have played."""

import pytest

from tests.factories import make_club, make_director
from tests.rankings.simultaneous.national_day import play_in


@pytest.fixture
def organiser():
    return make_club("federation", "Fédération")


@pytest.fixture
def director(organiser):
    return make_director(organiser)


@pytest.fixture
def played(organiser, director):
    return play_in(organiser, director, 2)
