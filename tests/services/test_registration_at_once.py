"""Two connections at once, on PostgreSQL: two people for the last place, and a start that comes in between."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from django.db import connection, transaction
from django.utils import timezone

from evenings.plans.starting import start_session
from evenings.sessions.setup import create_session, create_tournament
from registration.people.applicants import NewApplicant, list_down, list_teams_down
from registration.people.registration import register, set_registration, withdraw
from registration.people.seats import seat_present_teams
from registration.people.teams import agree, check_in_team, name_player, register_team
from tests.factories import DATE, draft_session, make_club, make_director
from tests.services.test_standings_jobs import in_threads
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Entrant, Session, Team

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("race")]


@pytest.fixture
def session():
    session = draft_session()
    director = make_director(session.tournament.club)
    set_registration(accepts_at_once=True, session_id=session.pk, by=director, now=timezone.now(), places=1)
    return session


def come(session, *name):
    try:
        return register(session_id=session.pk, asked=NewApplicant(*name), now=timezone.now()).name
    except ActionRefused as refusal:
        return refusal.code


def test_of_two_for_the_last_place_one_waits(session):
    in_threads([lambda: come(session, "Un"), lambda: come(session, "Deux")])
    assert [each.waits for each in list_down(session)] == [0, 1]


def test_same_person_twice_at_once_is_down_and_twice(session):
    in_threads([lambda: come(session, "Dupont", "Éva"), lambda: come(session, "DUPONT", "Eva")])
    assert [(each.waits, each.twice) for each in list_down(session)] == [(0, False), (1, True)]


def test_form_sent_twice_at_once_is_down_once(session):
    def send():
        return register(
            session_id=session.pk, asked=NewApplicant("Dupont", "Éva"), now=timezone.now(), once="a" * 43
        ).token

    assert len(set(in_threads([send, send]))) == 1
    assert Applicant.objects.count() == 1


def test_place_given_back_twice_at_once_brings_up_one(session):
    for name in ("Un", "Deux", "Trois"):
        come(session, name)
    token = Applicant.objects.get(last_name="Un").token
    in_threads([lambda: withdraw(token=token, now=timezone.now())] * 2)
    assert list(Applicant.objects.exclude(moved_up_at=None).values_list("last_name", flat=True)) == ["Deux"]


def test_registration_while_the_director_starts_is_before_or_after(session):
    def start():
        return start_session(session_id=session.pk, now=timezone.now()).status

    answers = in_threads([start, lambda: come(session, "Tard")])
    assert answers[0] == Session.Status.RUNNING
    assert (answers[1] == "registration_closed") == (not Applicant.objects.exists())
    assert Entrant.objects.filter(session=session).count() == 20


def test_wrong_password_waits_for_nobody_who_holds_the_session(session):
    """Check that a wrong password takes no lock, so that guessing holds nobody up."""
    set_registration(
        accepts_at_once=True,
        session_id=session.pk,
        by=session.tournament.club.memberships.get().user,
        now=timezone.now(),
        way="password",
    )

    def guess():
        try:
            return come(session, "Joker")
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other, transaction.atomic():
        Session.objects.select_for_update().get(pk=session.pk)
        assert other.submit(guess).result(timeout=60) == "registration_password"


@pytest.fixture
def team_session():
    tournament = create_tournament(club=make_club("trois"), name="Triplettes", format="triplettes", now=timezone.now())
    session = create_session(tournament=tournament, date=DATE, positions=3)
    director = make_director(tournament.club, "directeur")
    set_registration(accepts_at_once=True, session_id=session.pk, by=director, now=timezone.now(), places=1)
    return session


def come_as_team(session, *names):
    """Sign up a team, and let everybody whom the captain names agree. Return the captain's name, or the refusal."""
    captain, *named = map(NewApplicant, names)
    try:
        row = register_team(session_id=session.pk, captain=captain, named=named, now=timezone.now())
        for each in row.named.order_by("pk"):
            agree(token=each.token, now=timezone.now())
    except ActionRefused as refusal:
        return refusal.code
    return row.name


def test_of_two_captains_for_the_last_place_one_team_waits(team_session):
    in_threads(
        [lambda: come_as_team(team_session, "Un", "A", "B"), lambda: come_as_team(team_session, "Deux", "C", "D")]
    )
    assert [team.waits for team in list_teams_down(team_session)] == [0, 1]


def test_player_whom_two_captains_name_at_once_takes_one_place(team_session):
    set_registration(
        accepts_at_once=True,
        session_id=team_session.pk,
        by=team_session.tournament.club.memberships.get().user,
        now=timezone.now(),
        places=None,
    )
    in_threads(
        [lambda: come_as_team(team_session, "Un", "Éva", "B"), lambda: come_as_team(team_session, "Deux", "EVA", "D")]
    )
    assert sorted(len(team.twice) for team in list_teams_down(team_session)) == [0, 1]


def test_last_place_in_a_team_is_given_once(team_session):
    """Check a captain who names two players at once, from two windows, for the one place that is left."""
    captain = register_team(
        session_id=team_session.pk, captain=NewApplicant("Un"), named=[NewApplicant("A")], now=timezone.now()
    )

    def name(last):
        try:
            return name_player(token=captain.token, asked=NewApplicant(last), now=timezone.now()).name
        except ActionRefused as refusal:
            return refusal.code

    answers = in_threads([lambda: name("B"), lambda: name("C")])
    assert sorted(answers)[1:] == ["registered_team_full"]
    assert Applicant.objects.filter(session=team_session, withdrawn_at=None).count() == 3


def test_captain_and_heir_who_withdraw_at_once_leave_no_player_without_a_captain(team_session):
    come_as_team(team_session, "Un", "A", "B")
    one, two = Applicant.objects.order_by("pk")[:2]
    in_threads([partial(withdraw, token=each.token, now=timezone.now()) for each in (one, two)])
    (team,) = list_teams_down(team_session)
    assert [each.last_name for each in team.members] == ["B"]


def test_teams_at_the_door_are_seated_once_by_two_presses(team_session):
    come_as_team(team_session, "Un", "A", "B")
    director = team_session.tournament.club.memberships.get().user
    captain = Applicant.objects.order_by("pk").first()
    check_in_team(session_id=team_session.pk, captain_id=captain.pk, now=timezone.now())

    def seat():
        return seat_present_teams(session_id=team_session.pk, answers={}, by=director, now=timezone.now())

    outcomes = in_threads([seat, seat])
    assert [len(found) for found in outcomes] == [1, 1]
    assert (Team.objects.count(), Entrant.objects.filter(session=team_session).count()) == (1, 1)
