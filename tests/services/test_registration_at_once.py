"""Two connections at once, on PostgreSQL: two people for the last place, and a start that comes in between."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.utils import timezone

from tests.factories import draft_session, make_director
from tests.services.test_standings_jobs import in_threads
from tournaments.errors import ActionRefused
from tournaments.models import Applicant, Entrant, Session
from tournaments.people.registration import NewApplicant, list_down, register, set_registration, withdraw
from tournaments.plans.starting import start_session

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def session():
    session = draft_session()
    director = make_director(session.tournament.club)
    set_registration(session_id=session.pk, by=director, now=timezone.now(), places=1)
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
        session_id=session.pk, by=session.tournament.club.memberships.get().user, now=timezone.now(), way="password"
    )

    def guess():
        try:
            return come(session, "Joker")
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other, transaction.atomic():
        Session.objects.select_for_update().get(pk=session.pk)
        assert other.submit(guess).result(timeout=60) == "registration_password"
