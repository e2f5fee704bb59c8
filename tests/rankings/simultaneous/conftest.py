"""The organiser of a simultaneous, its director, and an evening that two clubs have played."""

import pytest

from tests.factories import make_club, make_director
from tests.rankings.simultaneous.national_day import play_in
from tests.worlds import kept_world


def make_organiser():
    """Return the club that organises, and its director."""
    organiser = make_club("federation", "Fédération")
    return organiser, make_director(organiser)


@kept_world
def make_day():
    """Return the organiser, its director, the simultaneous and the sessions of two clubs."""
    organiser, director = make_organiser()
    return organiser, director, *play_in(organiser, director, 2)


@pytest.fixture
def national_day(request):
    return make_day() if "played" in request.fixturenames else make_organiser()


@pytest.fixture
def organiser(national_day):
    return national_day[0]


@pytest.fixture
def director(national_day):
    return national_day[1]


@pytest.fixture
def played(national_day):
    return national_day[2:]
