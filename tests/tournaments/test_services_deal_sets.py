"""When a seed may be revealed: after the last session of the last club that plays the set."""

import pytest
from django.utils import timezone

from deals.models import DealSet
from deals.services import copy_deal_set, create_deal_set
from tests.factories import (
    draft_session,
    enter_all,
    make_club,
    make_director,
    make_tournament,
    publish,
    started_session,
)
from tournaments.errors import Refused
from tournaments.services.deal_sets import reveal_seed
from tournaments.services.setup import start_session, use_deal_set

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    return started_session(cards=True)


@pytest.fixture
def director(session):
    return make_director(session.tournament.club)


def reveal(deal_set):
    return reveal_seed(deal_set_id=deal_set.pk, now=timezone.now())


def refusal(deal_set):
    with pytest.raises(Refused) as caught:
        reveal(deal_set)
    assert DealSet.objects.get(pk=deal_set.pk).revealed_at is None
    return caught.value.code, caught.value.params


def play(session, director):
    enter_all(session, by=director)
    publish(session, by=director)


def test_seed_is_revealed_after_the_only_session(session, director):
    play(session, director)
    revealed = reveal(session.deal_set)
    assert revealed.revealed_at is not None
    assert reveal(session.deal_set).revealed_at == revealed.revealed_at


def test_seed_stays_secret_while_the_session_is_under_way(session):
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})


def test_seed_stays_secret_while_results_are_missing(session, director):
    enter_all(session, by=director, plays=session.plays.select_related("etui")[:24])
    publish(session, by=director, allow_missing=True)
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})


def test_seed_stays_secret_while_another_session_waits(session, director):
    play(session, director)
    use_deal_set(session_id=draft_session(session.tournament).pk, deal_set=session.deal_set)
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})


def test_seed_stays_secret_until_the_last_club_has_played_its_copy(session, director):
    play(session, director)
    other = make_tournament(make_club("autre"))
    elsewhere = make_director(other.club, "autre-directrice")
    copy = copy_deal_set(deal_set=session.deal_set, club=other.club, by=director, now=timezone.now())
    twin = use_deal_set(session_id=draft_session(other).pk, deal_set=copy)
    assert refusal(session.deal_set) == ("sessions_still_to_play", {"waiting": 1})
    start_session(session_id=twin.pk, now=timezone.now())
    play(twin, elsewhere)
    reveal(session.deal_set)
    assert DealSet.objects.get(pk=copy.pk).revealed_at is not None


def test_set_that_nobody_has_played_has_nothing_to_reveal(session):
    unused = create_deal_set(club=session.tournament.club, name="x", count=1, now=timezone.now(), by=None)
    assert refusal(unused) == ("set_not_played", {})
