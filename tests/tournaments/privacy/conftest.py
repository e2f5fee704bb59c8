"""A club with its director and a published session, and with stored data about its people."""

import pytest

from tests.factories import make_director, make_tournament, published_session


@pytest.fixture
def director():
    return make_director(make_tournament().club)


@pytest.fixture
def club(director):
    return director.memberships.get().club


@pytest.fixture
def session(director, club):
    return published_session(club.tournaments.get(), by=director)
