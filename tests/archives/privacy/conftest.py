"""A club with its director and a published session, and with stored data about its people."""

import pytest

from tests import shared_evenings
from tests.factories import published_session

director = shared_evenings.director_of_a_new_tournament


@pytest.fixture
def club(director):
    return director.memberships.get().club


@pytest.fixture
def session(director, club):
    return published_session(club.tournaments.get(), by=director)
