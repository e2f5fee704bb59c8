"""The mails that pages ask for: rows without links, sent by a job, tried for a day; no request waits for a server."""

import datetime as dt
import re
import smtplib

import pytest
from allauth.account.models import EmailAddress
from celery import current_app
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from jobs import tasks
from operations.doctor.jobs import examine_queued_mails
from outgoing.mailing import queued, sending
from outgoing.mailing.queued import give_old_mails_up, queue_mail, send_queued_mails
from outgoing.mailing.sending import ROUND
from tests.factories import make_club, make_user
from tests.services.mail_server import serve_mails
from tests.services.waiting import wait_until
from tournaments.job_health import SILENT
from tournaments.models import QueuedMail
from tournaments.queue import ANY_ROW, FEUILLES, QUEUED_MAILS

pytestmark = pytest.mark.django_db
Kind = QueuedMail.PageMailKind
DAY = dt.timedelta(days=1)


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.MAIL, settings.SITE_URL = True, "https://tarot.example.org"
    settings.EMAIL_BACKEND, settings.EMAIL_USE_TLS = "django.core.mail.backends.locmem.EmailBackend", False


@pytest.fixture
def user():
    user = make_user("zoe")
    User.objects.filter(pk=user.pk).update(email="zoe@example.org")
    EmailAddress.objects.create(user=user, email="zoe@example.org", verified=True, primary=True)
    return user


def forget_password(email="zoe@example.org"):
    return Client().post(reverse("account_reset_password"), {"email": email})


def wait_for_sign_up(name="ada", **more):
    row = QueuedMail(kind=Kind.SIGN_UP, email=f"{name}@example.org", name=name, language="fr", **more)
    row.asked_at = row.asked_at or timezone.now()
    queue_mail(row)
    return row


def test_request_stores_a_row_without_a_link_and_sends_nothing(user):
    assert forget_password()["Location"] == reverse("account_reset_password_done")
    (row,) = QueuedMail.objects.all()
    assert (mail.outbox, row.kind, row.user, row.email) == ([], "password", user, "zoe@example.org")
    assert send_queued_mails(timezone.now()) == 1
    (letter,) = mail.outbox
    link = re.search(r"https://tarot.example.org(/\S+)", letter.body)[1]
    assert 'name="password1"' in Client().get(link, follow=True).content.decode()
    assert not QueuedMail.objects.exists()


def test_six_forgotten_passwords_and_a_reader_wait_for_no_mail_server(user, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with serve_mails() as server:
        server.is_silent = True
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        names = [f"nobody{number}" for number in range(5)]
        assert [forget_password(f"{name}@example.org").status_code for name in ["zoe", *names]] == [302] * 6
        assert Client().get(reverse("home")).status_code == 200
        assert server.met == 0


@pytest.mark.django_db(transaction=True)
def test_mail_that_is_asked_for_while_redis_is_away_is_sent_once_it_is_back(user, redis_server, monkeypatch):
    redis_server.stop()
    assert forget_password()["Location"] == reverse("account_reset_password_done")
    assert (QueuedMail.objects.count(), mail.outbox) == (1, [])
    redis_server.start()
    monkeypatch.setattr(current_app.conf, "task_always_eager", True)  # what the sweep queues runs here
    wait_until(lambda: tasks.sweep_publications() or mail.outbox, what="a sweep after Redis is back")
    assert [letter.to for letter in mail.outbox] == [["zoe@example.org"]]
    assert not QueuedMail.objects.exists()


@pytest.mark.parametrize("kind", ["silent", "refusing", "slow"])
def test_mail_is_kept_for_a_server_that_does_not_take_it(user, settings, monkeypatch, kind):
    settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "django.core.mail.backends.smtp.EmailBackend", 0.3
    monkeypatch.setattr(sending, "PATIENCE", 0.1)
    forget_password()
    with serve_mails() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        server.is_silent = kind == "silent"
        server.refusal = "450 later" if kind == "refusing" else ""
        server.reply_seconds = 0.05 if kind == "slow" else 0
        assert send_queued_mails(timezone.now()) == (kind == "slow")
        server.is_silent, server.refusal = False, ""
        cache.delete(SILENT)  # after LEFT_ALONE
        assert send_queued_mails(timezone.now()) == (kind != "slow")
        assert [each.to for each in server.accepted] == [["zoe@example.org"]]


def test_mail_that_is_asked_for_again_and_again_waits_once(user):
    for _time in range(4):
        forget_password()
    assert QueuedMail.objects.count() == 1


def test_unknown_address_leaves_no_row(user):
    assert forget_password("nobody@example.org")["Location"] == reverse("account_reset_password_done")
    assert not QueuedMail.objects.exists()


def test_refused_mail_keeps_no_other_back(monkeypatch):
    for name in ("ada", "bob"):
        wait_for_sign_up(name)
    really = EmailMessage.send

    def refuse_ada(message, **more):
        if message.to == ["ada@example.org"]:
            raise smtplib.SMTPDataError(451, b"later")
        return really(message, **more)

    monkeypatch.setattr(EmailMessage, "send", refuse_ada)
    assert send_queued_mails(timezone.now()) == 1
    assert [row.email for row in QueuedMail.objects.all()] == ["ada@example.org"]


def test_mail_unsent_after_a_day_is_given_up_and_the_doctor_says_so_for_a_week():
    now = timezone.now()
    wait_for_sign_up(asked_at=now - DAY, club=make_club())
    assert [each.what for each in examine_queued_mails()] == ["1 mails wait for more than 10 min."]
    assert send_queued_mails(now) == 0
    give_old_mails_up(now)
    row = QueuedMail.objects.get()
    assert (row.email, row.name, row.club, row.given_up_at) == ("", "", None, now)
    assert [each.what for each in examine_queued_mails()] == ["1 mails of the last week were not sent within a day."]
    give_old_mails_up(now + 7 * DAY)
    assert not QueuedMail.objects.exists()


def test_sweep_finds_a_mail_whose_job_was_lost():
    wait_for_sign_up()
    tasks.sweep_publications()
    assert [letter.to for letter in mail.outbox] == [["ada@example.org"]]


def test_letters_to_many_wait_for_the_mails_of_pages():
    wait_for_sign_up()
    tasks.mail_feuilles(0)
    assert len(mail.outbox) == 1


def test_letters_wait_for_another_turn_when_mails_of_pages_took_half_a_round(monkeypatch):
    asked, sent = [], []
    monkeypatch.setattr(tasks, "queue_again", lambda pk, task: asked.append((pk, task)))
    monkeypatch.setattr(tasks.feuilles, "send_feuilles", lambda pk, now: sent.append(pk))
    seconds = iter([0.0, ROUND / 2, 0.0, ROUND / 2 - 1])
    monkeypatch.setattr(tasks, "monotonic", lambda: next(seconds))
    tasks.mail_feuilles(7)
    assert (asked, sent) == ([(7, FEUILLES)], [])
    tasks.mail_feuilles(7)
    assert (asked, sent) == ([(7, FEUILLES)], [7])


def test_slow_server_gets_them_in_rounds_of_some_seconds(short_rounds):
    for name in ("ada", "bob"):
        wait_for_sign_up(name)
    assert [send_queued_mails(timezone.now()) for _round in range(3)] == [1, 1, 0]
    assert short_rounds == [(ANY_ROW, QUEUED_MAILS)] * 2


def test_link_that_was_revoked_is_not_sent():
    queue_mail(QueuedMail(kind=Kind.STAFF, email="eve@example.org", row=0, language="fr", asked_at=timezone.now()))
    assert send_queued_mails(timezone.now()) == 0
    assert (mail.outbox, QueuedMail.objects.count()) == ([], 0)


def test_each_kind_of_letter_has_a_writer():
    assert {*queued.WRITERS} == {*Kind}
