"""The models that the pages of a large hall make: none for each player or play, since these cost most of a page."""

from collections import Counter
from contextlib import contextmanager

import pytest
from django.db.models.signals import post_init
from django.utils import timezone

from clubs.models import Person, Player
from evenings.standings import computing
from pages.doors import session_url
from tests import shared_evenings
from tests.factories import enter_all, make_director
from tests.pages.browsing import browser_of
from tournaments.models import Entrant, Play, ResultEntry

pytestmark = pytest.mark.django_db


@contextmanager
def counting_models():
    """Count the models that are made, by class."""
    made = Counter()

    def count(sender, **_more):
        made[sender] += 1

    post_init.connect(count)
    try:
        yield made
    finally:
        post_init.disconnect(count)


session = shared_evenings.started


@pytest.fixture
def director(session):
    user = make_director(session.tournament.club)
    enter_all(session, by=user)
    computing.refresh(session.pk, now=timezone.now())
    return browser_of(user)


def test_live_standings_make_no_model_of_a_player(session, director):
    with counting_models() as made:
        page = director.get(session_url("standings", session))
    assert page.text.count("data-who") >= 20
    assert [made[model] for model in (Player, Person, Entrant, Play)] == [0, 0, 0, 0]


def test_grid_takes_the_plays_that_the_desk_has_read(session, director):
    """Only the takers are read, since the grid names them."""
    address = session_url("bulk", session) + "?position=1"
    director.get(address)
    with counting_models() as made:
        page = director.get(address)
    takers = page.text.count("data-row")
    assert [made[model] for model in (Play, ResultEntry, Entrant)] == [0, 0, takers]
