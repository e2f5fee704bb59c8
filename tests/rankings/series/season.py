"""The club, the director and the four players of the tests of series, as fixtures."""

import pytest

from tests.factories import make_club, make_director
from tests.rankings.series.seasons import name_players


@pytest.fixture
def club(db):
    return make_club()


@pytest.fixture(name="director")
def directress(club):
    return make_director(club)


@pytest.fixture
def people(club):
    return name_players(club, "Ada", "Bob", "Cyr", "Dan")


director = directress
