"""The letters about a free place: each applicant is told of the own place, once, also where one account has several."""

import datetime as dt

import pytest
from django.core import mail
from django.db.models import F
from django.utils import timezone

from outgoing.mailing.evenings import find_audience
from outgoing.mailing.letters import send_evening_mail
from tests.outgoing.mailing.evening import make_account, make_evening, sign_up, write
from tournaments.models import EveningMailRecipient, Registration

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def send(letter, now=None):
    return send_evening_mail(letter.pk, now=now or timezone.now())


@pytest.fixture
def full():
    """Return an evening with one place, which Zola has. Adam and Brun, of one account, wait."""
    session = make_evening(places=1)
    sign_up(session, "Zola")
    account = make_account("Adam")
    for name in ("Adam", "Brun"):
        sign_up(session, name, user=account)
    return session


def move_up(session, *names, minutes=5):
    moment = timezone.now() - dt.timedelta(minutes=minutes)
    session.applicants.filter(last_name__in=names).update(moved_up_at=moment)
    Registration.objects.filter(session=session).update(places=F("places") + len(names))


def told_of_place(session):
    """Return who would be told of a free place now."""
    found = find_audience(session, "free").reached.values()
    return sorted(each.last_name for applicants in found for each in applicants)


def test_both_applicants_of_an_account_are_told_of_their_places_once(full):
    move_up(full, "Adam", "Brun")
    assert send(write(full, "free", "")) == 1
    assert mail.outbox[0].body.startswith("Max Adam, Max Brun,\n\nUne place s’est libérée, elle est pour vous")
    assert told_of_place(full) == []


def test_each_applicant_of_an_account_reads_the_own_sentence(full):
    move_up(full, "Adam")
    assert send(write(full, "free", "")) == 1
    first, mine, second, waits = mail.outbox[0].body.split("\n\n")[:4]
    assert (first, second) == ("Max Adam,", "Max Brun,")
    assert "elle est pour vous" in mine
    assert "liste d’attente" in waits
    assert told_of_place(full) == ["Brun"]
    move_up(full, "Brun", minutes=-1)
    later = timezone.now() + dt.timedelta(minutes=2)
    assert send(write(full, "free", "", key="b" * 32, now=later), later) == 1
    assert mail.outbox[1].body.startswith("Max Brun,")
    assert "Adam" not in mail.outbox[1].body
    assert told_of_place(full) == []


@pytest.mark.parametrize("outcome", ["refused", "left_out"])
def test_letter_that_did_not_arrive_has_told_nobody(full, outcome):
    move_up(full, "Adam", "Brun")
    write(full, "free", "")
    assert told_of_place(full) == [], "the letter is on its way"
    EveningMailRecipient.objects.update(outcome=outcome, done_at=timezone.now())
    assert told_of_place(full) == ["Adam", "Brun"]


def test_whoever_moves_up_before_the_letter_leaves_is_told_once(full):
    letter = write(full, "free", "", now=timezone.now() - dt.timedelta(minutes=9))
    move_up(full, "Adam", "Brun")
    assert send(letter) == 1
    assert "elle est pour vous" in mail.outbox[0].body
    assert told_of_place(full) == []
