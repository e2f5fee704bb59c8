"""An eventful evening of triplettes, made once for each file. Each test sees its rows as they were made."""

import pytest

from evenings.plays.common import kept_common
from tests.outgoing.paper.teams.eventful import EventfulTeams


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return EventfulTeams()


@pytest.fixture
def session(db, evening):
    kept_common.cache_clear()
    return evening.session
