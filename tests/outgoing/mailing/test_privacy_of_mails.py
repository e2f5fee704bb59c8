"""The mails about evenings in exports and erasures, and how long they are kept."""

import datetime as dt

import pytest
from django.utils import timezone

from archives.privacy.erasing import erase
from archives.privacy.periods import forget_what_is_over
from archives.privacy.whom import whom_of_account
from outgoing.mailing.letters import send_evening_mail
from outgoing.mailing.wishes import stop_evening_mails
from tests.outgoing.mailing.evening import make_evening, sign_up, write
from tests.rankings.leaderboards.test_privacy import read_export
from tournaments.models import EveningMail, EveningMailRecipient, EveningMailWish

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def evening():
    """Return a session about which a letter was sent to one person, who then stopped such mails."""
    session = make_evening()
    user = sign_up(session, "Adam").user
    session.letter = write(session, text="La salle est fermée.")
    send_evening_mail(session.letter.pk, now=timezone.now())
    stop_evening_mails(user.pk, now=timezone.now())
    session.reader = user
    return session


@pytest.mark.nightly("story")
def test_export_has_what_was_received_and_the_wish_without_links(evening):
    told = read_export(whom_of_account(evening.reader))
    (received,) = told["evening_mails_received.json"]
    assert (received["kind"], received["text"], received["outcome"]) == ("news", "La salle est fermée.", "sent")
    (wish,) = told["evening_mails_stopped.json"]
    assert wish.keys() == {"stopped_at"}
    link = EveningMailWish.objects.get().token
    assert link not in str(told)
    (written,) = read_export(whom_of_account(evening.director))["evening_mails_written.json"]
    assert written["text"] == "La salle est fermée."


def test_erasure_of_an_account_deletes_its_rows(evening):
    erase(whom_of_account(evening.reader), by=evening.reader, now=timezone.now())
    assert not EveningMailRecipient.objects.exists()
    assert not EveningMailWish.objects.exists()
    assert EveningMail.objects.count() == 1


def test_letters_are_deleted_30_days_after_the_evening(evening):
    end = dt.datetime.combine(evening.date, dt.time(12), dt.UTC) + dt.timedelta(days=30)
    EveningMail.objects.update(asked_at=end - dt.timedelta(days=40))
    forget_what_is_over(end - dt.timedelta(days=1))
    assert EveningMail.objects.count() == 1
    forget_what_is_over(end + dt.timedelta(days=1))
    assert not EveningMail.objects.exists()
    assert not EveningMailRecipient.objects.exists()
    assert EveningMailWish.objects.get().stopped_at is not None, "a wish stays"
