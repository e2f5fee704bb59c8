"""A running session of eight triplettes, and its director's browser in French."""

import pytest
from django.test import Client

from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.test_starting import prepare, start
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tournaments.models import Session


@pytest.fixture
def session(db: None) -> Session:
    return start(prepare(make_team_tournament(teams=8), positions=5))


@pytest.fixture
def browser(session: Session) -> Client:
    found = browser_of(make_director(session.tournament.club))
    found.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    return found
