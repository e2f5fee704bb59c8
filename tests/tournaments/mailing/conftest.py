"""The evening about which letters are written."""

import pytest

from tests.tournaments.mailing.evening import make_evening


@pytest.fixture
def session():
    return make_evening()
