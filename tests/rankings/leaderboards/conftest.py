"""A published session of twenty players, with its ratings and leaderboards."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from rankings.careers.keeping import refresh
from rankings.leaderboards.keeping import refresh_leaderboards
from tests.factories import enter_all, make_tournament, publish, started_session
from tests.rankings.careers.world import played
from tournaments.models import LeaderboardBasis

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def client():
    return Client(headers={"accept-language": "en"})


@pytest.fixture
def session():
    session = played()
    refresh_leaderboards(timezone.now())
    return session


@pytest.fixture
def again():
    """Return a function that makes the leaderboards again, as after an hour."""

    def make():
        LeaderboardBasis.objects.update(looked_at=timezone.now() - HOUR)
        return refresh_leaderboards(timezone.now())

    return make


@pytest.fixture
def play_free(session):
    """Return a function that plays and publishes a session with a free auction in the same club."""

    def play():
        by = session.tournament.club.memberships.get().user
        other = started_session(make_tournament(session.tournament.club, auction="free", name="Libre"))
        enter_all(other, by=by)
        publish(other, by=by)
        refresh(other.pk)
        return other

    return play
