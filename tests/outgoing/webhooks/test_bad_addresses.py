"""The calls to addresses that are slow, private or lie: each is noted with its reason, and tried again."""

import datetime as dt
from functools import partial

import pytest
from django.utils import timezone

from clubs.models import WebhookCall
from outgoing.webhooks.calling import call_webhooks, note_new_calls
from outgoing.webhooks.posting import is_public, post_body
from tests.outgoing.webhooks.receiver import HERE, keep_silent, reach_here, receive, say_status

pytestmark = pytest.mark.django_db
MINUTE = dt.timedelta(minutes=1)


@pytest.mark.parametrize(
    ("answering", "network", "fault"),
    [
        (keep_silent, {"seconds": 0.3}, "time"),
        (say_status("200 OK"), {"allows": is_public}, "private"),
        (say_status("200 OK"), {"resolve": lambda *_where: ["93.184.216.34", HERE], "allows": is_public}, "private"),
        (say_status("302 Found", "Location: https://127.0.0.1/"), {}, "redirect"),
        (say_status("200 OK"), {"trusted": "other.example"}, "certificate"),
    ],
    ids=["slow", "private", "one private address", "sends elsewhere", "lies about its name"],
)
def test_address_that_is_slow_private_or_lies_is_noted_and_tried_again(webhook, session, answering, network, fault):
    now = timezone.now()
    with receive(answering) as receiver:
        type(webhook).objects.filter(pk=webhook.pk).update(url=receiver.url)
        note_new_calls(now)
        post = partial(post_body, network=reach_here(**network))
        call_webhooks(find_now=lambda: now, post=post)
    call = WebhookCall.objects.get()
    assert (call.fault, call.tries, call.next_at) == (fault, 1, now + 5 * MINUTE)
    assert len(receiver.requests) == (fault in ("time", "redirect"))
    webhook.refresh_from_db()
    assert webhook.off_at is None
