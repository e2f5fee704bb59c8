"""The permissions of roles, in the one module that decides them."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from clubs.models import User
from tests import shared_evenings
from tests.factories import make_club, make_director, make_helper, make_user
from tournaments.permissions import (
    Can,
    get_club_for,
    get_play_for,
    get_session_for,
    get_tournament_for,
    may_see_result,
    power_of,
)

pytestmark = pytest.mark.django_db


session = shared_evenings.started


@pytest.fixture
def club(session):
    return session.tournament.club


def test_roles_have_their_powers_in_their_own_club_only(club):
    elsewhere = make_club("autre")
    director, helper, stranger = make_director(club), make_helper(club), make_user("passant")
    root = User.objects.create_superuser("root", password="x")
    assert [power_of(user, club) for user in (director, helper, stranger, root, AnonymousUser())] == [
        Can.DIRECT, Can.ENTER, Can.READ, Can.READ, Can.READ,
    ]  # fmt: skip
    assert [power_of(user, elsewhere) for user in (director, helper)] == [Can.READ, Can.READ]


@pytest.mark.parametrize("need", [Can.ENTER, Can.DIRECT])
def test_objects_of_a_club_are_refused_to_whoever_has_no_role_there(session, club, need):
    foreign = make_director(make_club("autre"))
    fetches = [
        lambda: get_club_for(foreign, need, slug=club.slug),
        lambda: get_tournament_for(foreign, need, pk=session.tournament_id),
        lambda: get_session_for(foreign, need, pk=session.pk),
        lambda: get_play_for(foreign, need, pk=session.plays.first().pk),
    ]
    for fetch in fetches:
        with pytest.raises(PermissionDenied):
            fetch()


def test_helper_may_enter_but_not_direct(session, club):
    helper = make_helper(club)
    assert get_session_for(helper, Can.ENTER, pk=session.pk) == session
    with pytest.raises(PermissionDenied):
        get_session_for(helper, Can.DIRECT, pk=session.pk)


def test_what_does_not_exist_is_not_found(session):
    with pytest.raises(Http404):
        get_session_for(AnonymousUser(), Can.READ, pk=0)


def test_helper_sees_only_the_results_entered_by_himself(club):
    director, helper = make_director(club), make_helper(club)
    assert may_see_result(director, Can.DIRECT, helper.pk)
    assert may_see_result(helper, Can.ENTER, helper.pk)
    assert not may_see_result(helper, Can.ENTER, director.pk)
    assert not may_see_result(AnonymousUser(), Can.READ, None)
