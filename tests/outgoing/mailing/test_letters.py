"""The job that sends letters about an evening: each once, in its reader's language, and only while it is right."""

import datetime as dt
import smtplib

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import ClubSettings, Membership
from evenings.plans.starting import start_session
from jobs import tasks
from outgoing.mailing import letters
from outgoing.mailing.letters import PAUSE, find_mails_under_way, send_evening_mail
from registration.people.registration import withdraw
from tests.factories import make_director
from tests.outgoing.mailing.evening import make_account, sign_up, write
from tests.pages.reading import words
from tournaments.job_health import LIFE, claim_key
from tournaments.models import EveningMail, EveningMailRecipient, EveningMailWish, Session
from tournaments.queue import EVENING_MAIL

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"


def send(letter, now=None):
    return send_evening_mail(letter.pk, now=now or timezone.now())


def outcomes():
    return dict(EveningMailRecipient.objects.order_by("pk").values_list("applicant__last_name", "outcome"))


@pytest.mark.nightly("story")
def test_everybody_gets_one_mail_of_their_own(session):
    for name in ("Adam", "Brun"):
        sign_up(session, name)
    letter = write(session, "moved", "La salle est fermée.")
    assert [send(letter), send(letter)] == [2, 0]
    assert [each.to for each in mail.outbox] == [["adam@example.org"], ["brun@example.org"]]
    assert all(not (each.cc or each.bcc) for each in mail.outbox)
    assert "adam" not in mail.outbox[1].message().as_string().lower()
    first = mail.outbox[0]
    assert first.body.replace("\u00a0", " ").startswith("Max Adam,\n\nDuplicate d’été, séance 1, a lieu maintenant")
    assert "La salle est fermée." in first.body
    assert session.applicants.get(last_name="Adam").token in first.body
    assert first.content_subtype == "plain"
    letter.refresh_from_db()
    assert letter.ended_at is not None
    assert find_mails_under_way() == []


@pytest.mark.nightly("story")
def test_mail_is_in_the_language_of_whoever_signed_up(session):
    sign_up(session, "Adam", language="en")
    sign_up(session, "Brun", language="fr")
    sign_up(session, "Clerc")
    ClubSettings.objects.update_or_create(club=session.tournament.club, defaults={"language": "en"})
    send(write(session, "cancelled", ""))
    assert [each.subject.split()[0].removesuffix("\u00a0:") for each in mail.outbox] == [
        "Cancelled:",
        "Annulation",
        "Cancelled:",
    ]
    assert "will not take place" in mail.outbox[0].body
    assert "n’aura pas lieu" in mail.outbox[1].body


def test_one_click_stops_these_mails(session):
    user = sign_up(session, "Adam").user
    send(write(session))
    headers = mail.outbox[0].extra_headers
    end = headers["List-Unsubscribe"].strip("<>").removeprefix("https://tarot.example.org")
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert end in mail.outbox[0].body
    reader = Client(enforce_csrf_checks=True, headers={"accept-language": "en"})
    assert "Stop e-mails about evenings" in words(reader.get(end)), "reading alone stops nothing"
    assert EveningMailWish.objects.get(user=user).stopped_at is None
    assert reader.post(end, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert EveningMailWish.objects.get(user=user).stopped_at is not None
    assert "You will receive no more e-mails about evenings." in words(reader.get(end))
    assert reader.post(end).status_code == 200
    assert Client().get(reverse("mails_end", args=["x" * 43])).status_code == 200


def test_person_chooses_in_the_account(session, client):
    user = sign_up(session, "Adam").user
    client.force_login(user)
    client.post(reverse("account_feuilles"), {"do": "stop_evenings"})
    assert EveningMailWish.objects.get(user=user).stopped_at is not None
    client.post(reverse("account_feuilles"), {"do": "allow_evenings"})
    assert EveningMailWish.objects.get(user=user).stopped_at is None


@pytest.mark.nightly("story")
def test_whoever_left_in_the_meantime_gets_nothing(session):
    letter_to = {name: sign_up(session, name) for name in ("Adam", "Brun", "Clerc", "Dubois")}
    letter = write(session)
    withdraw(token=letter_to["Adam"].token, now=timezone.now())
    letters.find_stop_link(letter_to["Brun"].user_id)
    EveningMailWish.objects.update(stopped_at=timezone.now())
    letter_to["Clerc"].user.emailaddress_set.update(verified=False)
    assert send(letter) == 1
    assert outcomes() == {"Adam": "left_out", "Brun": "left_out", "Clerc": "left_out", "Dubois": "sent"}
    assert mail.outbox[0].to == ["dubois@example.org"]


def test_closed_account_gets_nothing(session):
    user = sign_up(session, "Adam").user
    sign_up(session, "Brun")
    letter = write(session)
    user.is_active = False
    user.save()
    EmailAddress.objects.filter(user=user).delete()
    assert send(letter) == 1
    assert mail.outbox[0].to == ["brun@example.org"]


@pytest.mark.parametrize("why", ["role", "author", "started", "session", "put_away", "late"])
def test_letter_that_is_no_longer_right_is_sent_to_nobody(session, why):
    sign_up(session, "Adam")
    letter, now = write(session), timezone.now()
    if why == "role":
        Membership.objects.filter(user=session.director).delete()
    elif why == "author":
        EveningMail.objects.update(author=None)
    elif why == "session":
        Session.objects.filter(pk=session.pk).update(put_away_at=now)
    elif why == "started":
        start_session(session_id=session.pk, now=now)
    elif why == "put_away":
        session.tournament.put_away_at = now
        session.tournament.save()
    else:
        now += dt.timedelta(days=1, minutes=1)
    assert send(letter, now) == 0
    assert outcomes() == {"Adam": "left_out"}
    assert find_mails_under_way() == []


def test_cancelled_evening_is_still_written_about(session):
    sign_up(session, "Adam")
    letter = write(session, "cancelled", "")
    Session.objects.filter(pk=session.pk).update(put_away_at=timezone.now())
    assert send(letter) == 1


def test_letter_names_the_date_that_counts_when_it_leaves(session):
    sign_up(session, "Adam")
    letter = write(session, "moved", "")
    Session.objects.filter(pk=session.pk).update(date=dt.date(2027, 3, 9))
    send(letter)
    assert "mardi 9 mars 2027" in mail.outbox[0].body


def test_header_gets_no_line_of_anybody(session):
    session.tournament.name = "Coupe\nBcc: victim@example.org"
    session.tournament.save()
    sign_up(session, "Adam")
    send(write(session, "cancelled", "Bcc: victim@example.org\r\nSubject: x"))
    (letter,) = mail.outbox
    assert "\n" not in letter.subject
    assert letter.message()["Bcc"] is None
    assert letter.recipients() == ["adam@example.org"]


def test_text_is_plain(session):
    sign_up(session, "Adam")
    send(write(session, text="<a href='https://x.example'>clic</a>"))
    assert mail.outbox[0].message().get_content_type() == "text/plain"


def fail_at(monkeypatch, name, error):
    """Let the mail server fail for one address."""
    real = EmailMessage.send

    def answer(self, *args, **kwargs):
        if self.to == [f"{name}@example.org"]:
            raise error
        return real(self, *args, **kwargs)

    monkeypatch.setattr(EmailMessage, "send", answer)


def test_server_that_fails_is_tried_again(session, monkeypatch):
    for name in ("Adam", "Brun", "Clerc"):
        sign_up(session, name)
    letter = write(session)
    with monkeypatch.context() as patch:
        fail_at(patch, "brun", smtplib.SMTPServerDisconnected())
        assert send(letter) == 1
    assert outcomes() == {"Adam": "sent", "Brun": "", "Clerc": ""}
    assert find_mails_under_way() == [letter.pk]
    assert send(letter) == 2
    assert [each.to[0] for each in mail.outbox] == ["adam@example.org", "brun@example.org", "clerc@example.org"]


def test_refused_address_stops_nobody_else(session, monkeypatch):
    for name in ("Adam", "Brun"):
        sign_up(session, name)
    fail_at(monkeypatch, "adam", smtplib.SMTPRecipientsRefused({}))
    letter = write(session)
    assert [send(letter), send(letter)] == [1, 0]
    assert outcomes() == {"Adam": "refused", "Brun": "sent"}


def refuse(name, code):
    return smtplib.SMTPRecipientsRefused({f"{name}@example.org": (code, b"no")})


@pytest.mark.nightly("story")
@pytest.mark.parametrize("error", [refuse("adam", 550), smtplib.SMTPDataError(554, b"no")], ids=["address", "text"])
def test_refusal_for_ever_is_final_and_stops_nobody_else(session, monkeypatch, error):
    for name in ("Adam", "Brun"):
        sign_up(session, name)
    fail_at(monkeypatch, "adam", error)
    letter = write(session)
    assert send(letter) == 1
    assert outcomes() == {"Adam": "refused", "Brun": "sent"}
    assert find_mails_under_way() == []


@pytest.mark.nightly("story")
@pytest.mark.parametrize(
    "error",
    [refuse("adam", 450), smtplib.SMTPDataError(451, b"later"), smtplib.SMTPSenderRefused(550, b"no", "us")],
    ids=["address", "text", "sender"],
)
def test_refusal_for_now_is_tried_again_and_stops_nobody_else(session, monkeypatch, error):
    for name in ("Adam", "Brun"):
        sign_up(session, name)
    letter, now = write(session), timezone.now()
    with monkeypatch.context() as patch:
        fail_at(patch, "adam", error)
        assert send(letter, now) == 1
    assert outcomes() == {"Adam": "", "Brun": "sent"}
    assert EveningMailRecipient.objects.get(outcome="").done_at is None
    assert send(letter, now + PAUSE / 2) == 0, "the server gets time"
    assert send(letter, now + PAUSE) == 1
    assert outcomes() == {"Adam": "sent", "Brun": "sent"}


@pytest.mark.parametrize(
    "error",
    [smtplib.SMTPDataError(421, b"bye"), smtplib.SMTPAuthenticationError(535, b"who?"), ConnectionResetError()],
    ids=["closing", "password", "network"],
)
def test_lost_connection_refuses_nobody_and_waits(session, monkeypatch, error):
    for name in ("Adam", "Brun"):
        sign_up(session, name)
    letter = write(session)
    with monkeypatch.context() as patch:
        fail_at(patch, "adam", error)
        assert send(letter) == 0
    assert outcomes() == {"Adam": "", "Brun": ""}
    assert send(letter) == 2


class KilledWorkerError(BaseException):
    """The end of a worker by force."""


@pytest.mark.nightly("story")
def test_killed_worker_neither_loses_nor_doubles(session):
    """Check the claim that a killed worker leaves: it ends by itself, half a minute later."""
    for name in ("Adam", "Brun", "Clerc"):
        sign_up(session, name)
    letter, now = write(session), timezone.now()
    claim = claim_key(f"evening-mail-{EveningMailRecipient.objects.get(applicant__last_name='Brun').pk}")
    cache.set(claim, "killed worker", LIFE)
    assert send(letter, now) == 2, "another worker does not wait for the one that holds Brun's letter"
    assert outcomes() == {"Adam": "sent", "Brun": "", "Clerc": "sent"}
    cache.delete(claim)
    assert send(letter, now + dt.timedelta(seconds=LIFE)) == 1
    assert sorted(each.to[0][:4] for each in mail.outbox) == ["adam", "brun", "cler"]
    assert find_mails_under_way() == []


def test_mail_that_leaves_twice_has_the_same_id(session, monkeypatch):
    sign_up(session, "Adam")
    letter, now = write(session), timezone.now()
    real = EmailMessage.send

    def leave_and_die(self, *args, **kwargs):
        real(self, *args, **kwargs)
        raise KilledWorkerError

    with monkeypatch.context() as patch:
        patch.setattr(EmailMessage, "send", leave_and_die)
        with pytest.raises(KilledWorkerError):
            send(letter, now)
    assert send(letter, now) == 1
    ids = {each.extra_headers["Message-ID"] for each in mail.outbox}
    assert (len(mail.outbox), len(ids)) == (2, 1)
    assert ids.pop().endswith("@tarot.example.org>")


def test_claimed_row_is_left_to_its_worker(session, monkeypatch):
    sign_up(session, "Adam")
    letter, now = write(session), timezone.now()
    real, inner = EmailMessage.send, []

    def look(self, *args, **kwargs):
        if not inner:
            inner.append(None)
            inner.append(send(letter, now))
        return real(self, *args, **kwargs)

    monkeypatch.setattr(EmailMessage, "send", look)
    assert send(letter, now) == 1
    assert inner == [None, 0]
    assert len(mail.outbox) == 1


def test_writing_queues_the_job(session, django_capture_on_commit_callbacks):
    sign_up(session, "Adam")
    with django_capture_on_commit_callbacks(execute=True):
        write(session)
    assert len(mail.outbox) == 1


def test_sweep_sends_what_was_lost(session):
    sign_up(session, "Adam")
    write(session)
    tasks.sweep_publications()
    assert len(mail.outbox) == 1


def test_site_without_mail_sends_nothing(session, settings):
    sign_up(session, "Adam")
    letter = write(session)
    settings.MAIL = False
    assert (send(letter), find_mails_under_way()) == (0, [])


def test_answers_go_to_the_club(session):
    sign_up(session, "Adam")
    club = session.tournament.club
    ClubSettings.objects.update_or_create(club=club, defaults={"contact": "club@example.org"})
    send(write(session))
    assert mail.outbox[0].reply_to == ["club@example.org"]
    ClubSettings.objects.update(shows_address=False)
    send(write(session, key="b" * 32))
    assert mail.outbox[1].reply_to == []


def test_another_director_may_write_too(session):
    sign_up(session, "Adam")
    send(write(session, by=make_director(session.tournament.club, "autre")))
    assert len(mail.outbox) == 1


def test_person_chosen_by_a_director_gets_no_personal_link(session):
    from clubs.players import add_players
    from clubs.roster import RosterLine

    (player,) = add_players(club=session.tournament.club, lines=[RosterLine("Petit", "Max")])
    player.account = make_account("Petit")
    player.save()
    applicant = sign_up(session, "Petit", user=False)
    applicant.player = player
    applicant.save()
    send(write(session))
    assert applicant.token not in mail.outbox[0].body
    assert "/register/" in mail.outbox[0].body


def test_slow_server_gets_the_letter_in_rounds_of_some_seconds(session, short_rounds):
    for name in ("Adam", "Brun"):
        sign_up(session, name)
    letter = write(session)
    assert [send(letter), send(letter), send(letter)] == [1, 1, 0]
    assert short_rounds == [(letter.pk, EVENING_MAIL)] * 2
