"""The receivers that take a call and never answer: others are served between, and nothing is lost or sent twice."""

import datetime as dt
import json
from collections import deque
from contextlib import ExitStack

import pytest
from django.core import mail
from django.utils import timezone

from clubs.models import Webhook, WebhookCall
from jobs import tasks
from outgoing.mailing import sending
from outgoing.webhooks import calling
from outgoing.webhooks.calling import TRIAL, call_webhooks, find_due_calls, find_due_webhooks
from outgoing.webhooks.posting import find_call_id, make_webhook_key, post_body
from tests.factories import make_club
from tests.outgoing.mailing.test_queued import wait_for_sign_up
from tests.outgoing.webhooks.receiver import measure, reach_here, receive, say_status
from tournaments.queue import QUEUED_MAILS, WEBHOOK

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
MADE = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
PATIENCE = 0.3  # seconds for a whole call, instead of five
RECEIVERS = 20


@pytest.fixture
def silent():
    """Start the receivers: they take connections, and say nothing."""
    with ExitStack() as stack:
        yield [stack.enter_context(receive(say_status("200 OK"), handshakes=False)) for _number in range(RECEIVERS)]


@pytest.fixture
def reached(monkeypatch):
    """Let calls go to this machine. Return the addresses that were called, in their order."""
    called, network = [], reach_here(seconds=PATIENCE)

    def post(url, body, headers):
        called.append((url, json.loads(body)["id"]))
        return post_body(url, body, headers, network)

    monkeypatch.setattr(calling.call_webhooks, "__kwdefaults__", {"post": post})
    return called


def await_trials(director, urls):
    """Make a webhook of a club of its own for each address, with a call that is due."""
    told = {"made_at": MADE, "since": MADE, "made_by": director}
    for number, url in enumerate(urls):
        each = Webhook.objects.create(club=make_club(f"club-{number}"), key=make_webhook_key(), url=url, **told)
        row = {"owner": each.pk, "version": 1, "made_at": MADE, "next_at": MADE}
        WebhookCall.objects.create(webhook=each, event=TRIAL, kind=TRIAL, **row)


class OutsideQueue:
    """The queue of the jobs that wait for other servers, in which a job waits once. `ran` has the jobs that ran."""

    def __init__(self, monkeypatch):
        self.jobs, self.ran = deque(), []
        for module in (calling, tasks):
            monkeypatch.setattr(module, "queue_again", self.ask)

    def ask(self, pk, task):
        if (task, pk) not in self.jobs:
            self.jobs.append((task, pk))

    def run(self):
        """Run one job after the other until none waits."""
        while self.jobs:
            job = self.jobs.popleft()
            self.ran.append(job)
            task = job[0]
            if callable(task):
                task()
            else:
                tasks.call_webhooks()


def test_twenty_silent_receivers_let_other_jobs_of_the_queue_come_between(director, silent, reached, monkeypatch):
    monkeypatch.setattr(calling, "ROUND", 2 * calling.AT_ONCE)
    monkeypatch.setattr(calling, "monotonic", lambda: len(reached))
    await_trials(director, [receiver.url for receiver in silent])
    queue, letters = OutsideQueue(monkeypatch), []
    tasks.sweep_webhooks()
    queue.ask(0, lambda: letters.append(len(reached)))
    seconds = measure(queue.run)
    assert letters == [2 * calling.AT_ONCE], "a letter that was queued behind them leaves after one round"
    assert seconds < RECEIVERS * PATIENCE / 2, "those that are called together are waited for together"
    assert sorted(url for url, _call in reached) == sorted(receiver.url for receiver in silent)
    assert [task for task, _pk in queue.ran if task == WEBHOOK] == [WEBHOOK] * 2
    assert set(WebhookCall.objects.values_list("tries", "fault")) == {(1, "time")}


def test_trial_is_called_first_and_then_whoever_was_not_called_for_longest(director):
    await_trials(director, [f"https://club-{number}.example/" for number in range(4)])
    late, early, never, trial = Webhook.objects.order_by("pk")
    WebhookCall.objects.exclude(webhook=trial).update(kind="session", event="published")
    for webhook, hours in ((late, 1), (early, 2)):
        webhook.calls.create(kind="session", event="official", owner=9, version=9, made_at=MADE, tried_at=MADE)
        webhook.calls.filter(event="official").update(tried_at=timezone.now() - dt.timedelta(hours=hours))
    assert find_due_webhooks(timezone.now()) == [trial.pk, never.pk, early.pk, late.pk]


def test_mails_between_two_calls_end_with_the_round(director, silent, reached, settings, monkeypatch):
    """Let the mails of pages come while the first receivers are waited for, and the round end after one mail."""
    settings.MAIL, asked = True, []
    await_trials(director, [receiver.url for receiver in silent[: calling.AT_ONCE + 1]])
    for name in ("ada", "bob", "cyr"):
        wait_for_sign_up(name)
    clock = iter([0.0, calling.ROUND])  # the beginning of the round, and then its end
    monkeypatch.setattr(calling, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sending, "monotonic", lambda: calling.ROUND)
    for module in (calling, sending):
        monkeypatch.setattr(module, "queue_again", lambda pk, task: asked.append(task))
    call_webhooks(find_now=timezone.now)
    assert (len(mail.outbox), asked) == (1, [QUEUED_MAILS, WEBHOOK])


def test_receivers_that_were_silent_are_told_each_once_when_they_answer(director, reached, monkeypatch):
    with receive(say_status("200 OK"), handshakes=False) as receiver:
        await_trials(director, [receiver.url])
        WebhookCall.objects.update(kind="session", next_at=timezone.now())
        monkeypatch.setattr(calling, "compose_body", lambda call: {"id": find_call_id(call.webhook, call)})
        call_webhooks(find_now=timezone.now)
        port = receiver.port
    later = timezone.now() + dt.timedelta(minutes=5)
    with receive(say_status("200 OK"), port=port) as receiver:
        call_webhooks(find_now=lambda: later)
        call_webhooks(find_now=lambda: later + dt.timedelta(hours=1))
    assert len(receiver.requests) == 1
    assert [*{call for _url, call in reached}] == [reached[0][1]]
    assert len(reached) == 2
    assert list(WebhookCall.objects.values_list("tries", "fault", "next_at")) == [(2, "", None)]


def test_silent_server_is_left_alone_by_all_webhooks_for_a_minute(director, reached):
    with receive(say_status("200 OK"), handshakes=False) as receiver:
        paths = [receiver.url, f"{receiver.url}&other=1", f"{receiver.url}&other=2"]
        await_trials(director, paths)
        now = timezone.now()
        for seconds in (0, 30, 59):
            call_webhooks(find_now=lambda: now + dt.timedelta(seconds=seconds))  # noqa: B023
            assert [url for url, _call in reached] == paths[:1]
    assert find_due_calls(now).count() == 2
    with receive(say_status("200 OK"), port=receiver.port) as answering:
        call_webhooks(find_now=lambda: now + dt.timedelta(seconds=61))
    assert len(answering.requests) == 2
    assert [url for url, _call in reached] == paths
