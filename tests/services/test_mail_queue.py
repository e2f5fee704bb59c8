"""The jobs that wait for other servers: their queue, their rounds, and a mail server that is silent."""

from threading import Event

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage

from config.queues import QUEUES
from jobs import tasks
from outgoing.mailing import sending
from outgoing.mailing.sending import FAULTS, MailRound, MailServerLeftAlone
from tests.services.mail_server import serve_mails
from tests.services.waiting import wait_until
from tournaments import queue
from tournaments.job_health import SILENT
from tournaments.queue import Background, choose_way, find_queue

pytestmark = pytest.mark.nightly("race")

OUTSIDE = {
    queue.EVENING_MAIL, queue.FEUILLES, queue.FIELD_LETTERS, queue.INVITE, queue.QUEUED_MAILS, queue.SERIES_LETTERS,
    queue.WEBHOOK,
}  # fmt: skip


@pytest.fixture
def post_office(settings):
    """Start a mail server that this process uses."""
    with serve_mails() as server:
        settings.EMAIL_BACKEND, settings.EMAIL_TIMEOUT = "django.core.mail.backends.smtp.EmailBackend", 0.3
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        settings.EMAIL_USE_TLS = False
        yield server
    cache.delete(SILENT)


def write_mail(name="ada"):
    return EmailMessage("Hello", "text", to=[f"{name}@example.org"])


def test_round_of_mails_takes_twenty_seconds():
    assert sending.ROUND == 20


def test_jobs_that_wait_for_other_servers_have_a_queue_of_their_own():
    assert {task for task in queue.PAUSES if find_queue(task) == "mails"} == OUTSIDE
    assert {*QUEUES["mails"].jobs} - OUTSIDE == {tasks.note_worker_of_mails.name}


def test_mails_go_to_the_queue_rest_until_a_worker_takes_their_own():
    assert choose_way(queue.FEUILLES)["queue"] == "rest"
    tasks.note_worker_of_mails()
    assert choose_way(queue.FEUILLES)["queue"] == "mails"
    assert choose_way(queue.COMPUTE) == {}
    cache.delete(queue.MAIL_WORKER)


def test_job_that_came_by_the_queue_rest_shows_no_worker_of_mails():
    queue.note_mail_worker("rest")
    assert choose_way(queue.FEUILLES)["queue"] == "rest"


def test_laptop_computes_while_the_mail_server_does_not_answer(monkeypatch):
    answered, ran = Event(), []

    def run(task, *pk):
        if task == queue.FEUILLES:
            answered.wait(10)
        ran.append(task)

    laptop = Background(sweep_seconds=3600)
    for thread in (laptop, laptop.mailer):
        monkeypatch.setattr(thread, "run", run)
    laptop.ask_for_standings(1, queue.FEUILLES)
    laptop.ask_for_standings(1, queue.COMPUTE)
    wait_until(lambda: ran, what="the standings")
    answered.set()
    laptop.stop()
    assert ran == [queue.COMPUTE, queue.FEUILLES]


def test_round_sends_over_one_connection(post_office):
    with MailRound() as mails:
        for name in ("ada", "bob", "cyr"):
            mails.send(write_mail(name))
    assert (post_office.met, [to for _sender, (to,), _message in post_office.accepted]) == (
        1, ["ada@example.org", "bob@example.org", "cyr@example.org"]
    )  # fmt: skip


def test_silent_server_is_left_alone_by_all_jobs_for_a_while(post_office, monkeypatch):
    monkeypatch.setattr(sending, "PATIENCE", 0.1)
    post_office.is_silent = True
    with MailRound() as mails, pytest.raises(FAULTS):
        mails.send(write_mail())
    assert post_office.met == 1
    post_office.is_silent = False
    with MailRound() as other, pytest.raises(MailServerLeftAlone):
        other.send(write_mail())
    assert post_office.met == 1
    cache.delete(SILENT)  # after LEFT_ALONE
    with MailRound() as later:
        later.send(write_mail())
    assert len(post_office.accepted) == 1


def test_server_that_falls_silent_before_the_connection_ends_is_left_alone(post_office, monkeypatch):
    """Send one mail, and let the server give no answer to the last word of the conversation."""
    monkeypatch.setattr(sending, "PATIENCE", 0.1)
    with MailRound() as mails:
        mails.send(write_mail())
        post_office.is_silent = True
    assert len(post_office.accepted) == 1
    with MailRound() as other, pytest.raises(MailServerLeftAlone):
        other.send(write_mail("bob"))
    assert post_office.met == 1


def test_server_that_refuses_one_address_is_not_left_alone(post_office):
    post_office.refusal = "550 no such mailbox"
    with MailRound() as mails:
        assert not mails.send_or_refuse(write_mail())
        post_office.refusal = ""
        assert mails.send_or_refuse(write_mail("bob"))
    assert len(post_office.accepted) == 1


@pytest.mark.parametrize(("seconds", "goes_on"), [(20.0, False), (0.0, True)])
def test_round_that_is_over_queues_the_rest_of_its_job(monkeypatch, seconds, goes_on):
    asked = []
    monkeypatch.setattr(sending, "ROUND", seconds)
    monkeypatch.setattr(sending, "queue_again", lambda pk, task: asked.append((pk, task)))
    with MailRound() as mails:
        mails.send(write_mail())
        assert mails.go_on_later(7, queue.FEUILLES) == goes_on
    assert asked == [(7, queue.FEUILLES)] * goes_on
    assert len(mail.outbox) == 1
