"""The étuis that are hidden from a director who plays, here or in another section of the same group."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from evenings.plays.desk_state import hidden_elsewhere, hidden_etuis, plays_in
from evenings.plays.ruling import declare_playing, lift_hiding
from tests.factories import started_session
from tournaments.models import SectionGroup, Session

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    """Return two sessions of a tournament: in the first one the director plays."""
    first = started_session()
    return first.pk, started_session(first.tournament).pk


@pytest.fixture
def session(db, evening):
    return Session.objects.get(pk=evening[0])


@pytest.fixture
def other(db, evening):
    return Session.objects.get(pk=evening[1])


@pytest.fixture
def own(session, director):
    """Return the étuis that the director has still to play in the first session."""
    entrant = session.entrants.first()
    declare_playing(session_id=session.pk, entrant_id=entrant.pk, by=director, now=timezone.now())
    return frozenset(session.plays.filter(north=entrant).values_list("etui_id", flat=True))


def put_in_group(*sessions):
    group = SectionGroup.objects.create(tournament=sessions[0].tournament)
    for session in sessions:
        session.group = group
        session.save()


def test_etuis_of_another_section_are_hidden_too(session, other, director, own):
    put_in_group(session, other)
    assert len(own) == 5
    assert (hidden_elsewhere(other, director), hidden_elsewhere(session, director)) == (own, frozenset())
    assert hidden_etuis(other, director) == hidden_etuis(session, director) == own
    assert hidden_elsewhere(other, None) == hidden_elsewhere(other, AnonymousUser()) == frozenset()
    lift_hiding(session_id=session.pk, by=director, now=timezone.now())
    assert hidden_etuis(other, director) == frozenset()


def test_nothing_of_a_session_outside_the_group_is_hidden(session, other, director, own):
    assert (hidden_etuis(session, director), hidden_etuis(other, director)) == (own, frozenset())
    put_in_group(other)
    assert hidden_elsewhere(other, director) == frozenset()


def test_hiding_is_lifted_where_the_director_plays(session, other, director, own):
    assert [plays_in(each, director) for each in (session, other)] == [session, other]
    put_in_group(session, other)
    assert [plays_in(each, director) for each in (session, other)] == [session, session]
    lift_hiding(session_id=session.pk, by=director, now=timezone.now())
    assert plays_in(other, director) == other


def test_players_are_not_read_for_the_etuis_still_to_play(session, director, own, django_assert_num_queries):
    with django_assert_num_queries(4):  # the director's row, rulings on étuis, plays with their rulings, and entries
        assert hidden_etuis(session, director) == own
