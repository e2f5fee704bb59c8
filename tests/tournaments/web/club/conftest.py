"""The director of a club's pages, who needs no session."""

import pytest

from clubs.models import Club, User
from tests.factories import make_director


@pytest.fixture
def director(club: Club) -> User:
    return make_director(club)
