"""The calls of webhooks: each version once, in order, without a name; five tries over a day, then off."""

import datetime as dt
import hashlib
import hmac
import json

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.utils import timezone

from clubs.models import Club, Webhook, WebhookCall
from evenings.plays.entering import annul_play
from jobs import tasks
from outgoing.webhooks import calling
from outgoing.webhooks.calling import (
    AT_ONCE,
    TRIAL,
    call_webhooks,
    claim_call,
    claim_next_calls,
    find_due_calls,
    note_new_calls,
)
from outgoing.webhooks.posting import Answer, derive_webhook_secret, make_webhook_key, post_body
from outgoing.webhooks.setup import (
    WebhookGiven,
    change_webhook,
    switch_webhook,
    try_webhook,
)
from rankings.events.publishing import TOURNAMENTS
from rankings.publication.publishing import SESSIONS
from rankings.series.publishing import SERIES_OF_CLUBS
from tests.factories import make_club, make_director, make_tournament, play_and_publish, publish
from tests.outgoing.mailing.test_queued import wait_for_sign_up
from tests.outgoing.webhooks.receiver import HOST, reach_here, receive, say_status
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, publish_rows, thursdays
from tournaments.queue import ANY_ROW, WEBHOOK
from tournaments.versions import DirectorWord

pytestmark = pytest.mark.django_db
HOUR, MINUTE = dt.timedelta(hours=1), dt.timedelta(minutes=1)
FIRST_AT = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
DOWN = Answer(503, "answer")


def sweep(listener, now=None):
    """Run the two steps of the sweep, and return what the webhooks were told now: event, kind and version."""
    now = now or timezone.now()
    before = len(listener.calls)
    note_new_calls(now)
    call_webhooks(find_now=lambda: now, post=listener)
    told = [json.loads(body) for _url, body, _headers in listener.calls[before:]]
    return [(body["event"], body.get("kind"), body.get("version")) for body in told]


def word(director, reason=""):
    return DirectorWord(director, timezone.now(), reason)


def log_of(club):
    return [row.action for row in club.log.order_by("pk")]


@pytest.mark.nightly("story")
@pytest.mark.usefixtures("webhook")
def test_each_step_of_a_session_is_told_once(club, director, listener):
    session = play_and_publish(make_tournament(club), director)
    assert sweep(listener) == [("published", "session", 1)]
    assert sweep(listener) == []
    annul_play(play_id=session.plays.first().pk, reason="x", by=director, now=timezone.now())
    publish(session, by=director)
    assert sweep(listener) == [("corrected", "session", 2)]
    SESSIONS.make_official(session.pk, word=word(director))
    SESSIONS.withdraw(session.pk, word=word(director, "erreur"))
    assert sweep(listener) == [("official", "session", 3), ("withdrawn", "session", 4)]
    publish(session, by=director)
    assert sweep(listener) == [("published", "session", 5)]


def test_body_has_addresses_and_versions_and_no_name(club, session, listener):
    sweep(listener)
    url, body, headers = listener.calls[0]
    place = f"https://tarot.example.org/clubs/{club.slug}/tournaments/{session.tournament.slug}/1/ranking/"
    published = session.publications.get().published_at.isoformat()
    assert url == "https://club.example/topage"
    assert json.loads(body) == {
        "format": "1",
        "id": headers["Topage-Call"],
        "event": "published",
        "club": club.slug,
        "kind": "session",
        "version": 1,
        "status": "provisional",
        "published_at": published,
        "newest_version": 1,
        "newest_status": "provisional",
        "page": place,
        "version_page": f"{place}1/",
        "api": f"https://tarot.example.org/api/v1/sessions/{session.pk}/publications/latest/",
    }
    assert b"Ada" not in body
    assert b"Zo" not in body


def test_receiver_can_check_the_signature(webhook, session):
    """Check it as docs/webhooks.md says, at a real server."""
    with receive(say_status("204 No Content")) as receiver:
        type(webhook).objects.filter(pk=webhook.pk).update(url=receiver.url)

        def post(url, body, headers):
            return post_body(url, body, headers, reach_here())

        note_new_calls(timezone.now())
        call_webhooks(find_now=timezone.now, post=post)
    (request,) = receiver.requests
    head, _end, body = request.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    assert headers["Host"].startswith(HOST)
    signed = dict(part.split("=", 1) for part in headers["Topage-Signature"].split(","))
    secret = derive_webhook_secret(webhook).encode()
    expected = hmac.new(secret, signed["t"].encode() + b"." + body, hashlib.sha256).hexdigest()
    assert hmac.compare_digest(signed["v1"], expected)
    assert abs(int(signed["t"]) - timezone.now().timestamp()) < 60
    call = WebhookCall.objects.get()
    assert (call.code, call.fault, call.next_at, call.tries) == (204, "", None, 1)


@pytest.mark.nightly("story")
def test_tournaments_and_series_are_told_too(club, director, session, listener):
    tournament = session.tournament
    for played in (session, hold(tournament, FIRST + dt.timedelta(days=7), {})):
        publish_rows(played, dict.fromkeys(name_players(club, "Ada", "Bob"), 50), ranks=[1, 1], compared_etuis=4)
    sweep(listener)
    TOURNAMENTS.publish(tournament.pk, word(director))
    series = make_series(club, director)
    SERIES_OF_CLUBS.publish(series.pk, word(director))
    assert sweep(listener) == [("published", "tournament", 1), ("published", "series", 1)]
    body = json.loads(listener.calls[-1][1])
    assert body["page"] == f"https://tarot.example.org/clubs/{club.slug}/series/{series.slug}/"
    assert body["api"] == f"https://tarot.example.org/api/v1/clubs/{club.slug}/series/{series.slug}/"
    SERIES_OF_CLUBS.withdraw(series.pk, word(director, "erreur"))
    TOURNAMENTS.withdraw(tournament.pk, word=word(director, "erreur"))
    assert sweep(listener) == [("withdrawn", "tournament", 2), ("withdrawn", "series", 2)]


def test_only_the_chosen_events_are_told(club, director, webhook, session, listener):
    given = WebhookGiven("club.example/topage", frozenset({"corrected"}))
    change_webhook(club, webhook.pk, given, by=director, now=timezone.now())
    people = name_players(club, "Ada", "Bob", "Cyr")
    publish_rows(session, dict(zip(people, (61, 50, 40), strict=True)))
    assert sweep(listener) == [("corrected", "session", 2)]


def hide_row(session):
    type(session).objects.filter(pk=session.pk).update(shows_ranking=False)


def put_row_away(session):
    type(session).objects.filter(pk=session.pk).update(put_away_at=timezone.now())


@pytest.mark.parametrize("hiding", [hide_row, put_row_away])
def test_hidden_session_sends_nothing(session, listener, hiding):
    hiding(session)
    assert sweep(listener) == []
    assert not WebhookCall.objects.exists()


@pytest.mark.parametrize("hiding", [hide_row, put_row_away])
def test_session_that_is_hidden_before_a_try_sends_nothing_more(session, listener, hiding):
    listener.answers = [DOWN]
    sweep(listener)
    hiding(session)
    assert sweep(listener, timezone.now() + 6 * MINUTE) == []
    call = WebhookCall.objects.get()
    assert (call.fault, call.next_at) == ("hidden", None)


def test_ranking_that_counts_a_hidden_session_sends_nothing(club, director, session, listener):
    make = make_series(club, director)
    sweep(listener)
    SERIES_OF_CLUBS.publish(make.pk, word(director))
    hide_row(session)
    assert sweep(listener) == []


def test_practice_club_and_site_without_address_send_nothing(club, session, listener, settings):
    Club.every.filter(pk=club.pk).update(practice_of=Club.objects.create(name="Vrai", slug="vrai", created_at=FIRST_AT))
    assert sweep(listener) == []
    Club.every.filter(pk=club.pk).update(practice_of=None)
    settings.SITE_URL = ""
    assert sweep(listener) == []
    settings.SITE_URL = "https://tarot.example.org"
    assert sweep(listener) == [("published", "session", 1)]


def test_other_clubs_are_not_told(session, listener):
    other = make_club("autre")
    people = name_players(other, "Eva", "Flo")
    make_director(other, "autre")
    hold(thursdays(other), FIRST, dict(zip(people, (60, 40), strict=True)))
    assert sweep(listener) == [("published", "session", 1)]


def test_what_was_published_before_is_not_told(club, director, session, listener, webhook):
    type(webhook).objects.update(since=timezone.now())
    assert sweep(listener) == []
    type(webhook).objects.update(since=FIRST_AT)
    assert sweep(listener, timezone.now() + 25 * HOUR) == []


@pytest.mark.nightly("story")
def test_failed_call_is_tried_five_times_over_a_day_with_one_id(club, session, listener, webhook):
    listener.answers = [DOWN] * 5
    start = timezone.now()
    sweep(listener, start)
    for number, moment in enumerate((5 * MINUTE, 1 * HOUR, 6 * HOUR, 24 * HOUR), start=1):
        sweep(listener, start + moment - dt.timedelta(seconds=1))
        assert len(listener.calls) == number
        webhook.refresh_from_db()
        assert webhook.off_at is None
        sweep(listener, start + moment)
        assert len(listener.calls) == number + 1
    webhook.refresh_from_db()
    assert (webhook.off_reason, webhook.off_at) == ("unreached", start + 24 * HOUR)
    ids = {headers["Topage-Call"] for _url, _body, headers in listener.calls}
    signatures = {headers["Topage-Signature"] for _url, _body, headers in listener.calls}
    assert (len(ids), len(signatures)) == (1, 5)
    assert log_of(club) == ["webhook_made", "webhook_dead"]
    call = WebhookCall.objects.get()
    assert (call.tries, call.code, call.fault, call.next_at) == (5, 503, "answer", None)
    assert sweep(listener, start + 48 * HOUR) == []


def test_call_that_is_accepted_late_ends_the_tries(session, listener, webhook):
    listener.answers = [DOWN, Answer(None, "time")]
    start = timezone.now()
    for moment in (0 * MINUTE, 5 * MINUTE, 1 * HOUR, 6 * HOUR, 24 * HOUR):
        sweep(listener, start + moment)
    assert len(listener.calls) == 3
    webhook.refresh_from_db()
    assert webhook.off_at is None


def test_first_failure_lets_the_later_calls_wait(club, session, listener):
    people = name_players(club, "Ada", "Bob", "Cyr")
    publish_rows(session, dict(zip(people, (61, 50, 40), strict=True)))
    listener.answers = [DOWN]
    start = timezone.now()
    assert sweep(listener, start) == [("published", "session", 1)]
    assert sweep(listener, start + MINUTE) == [("corrected", "session", 2)]
    assert sweep(listener, start + 5 * MINUTE) == [("published", "session", 1)]
    assert json.loads(listener.calls[-1][1])["newest_version"] == 2


def test_two_workers_never_send_the_same_try(session, webhook, listener):
    now = timezone.now()
    note_new_calls(now)
    first, second = (find_due_calls(now).select_related("webhook__club").get() for _worker in range(2))
    assert claim_call(first, now)
    assert not claim_call(second, now)
    assert not find_due_calls(now).exists()
    assert sweep(listener, now) == []


def test_try_of_a_worker_that_died_is_made_again(session, listener):
    now = timezone.now()
    note_new_calls(now)
    assert claim_call(WebhookCall.objects.get(), now)
    assert sweep(listener, now + 4 * MINUTE) == []
    assert sweep(listener, now + 5 * MINUTE) == [("published", "session", 1)]


def test_row_that_is_derived_again_has_the_same_id(session, listener):
    sweep(listener)
    WebhookCall.objects.all().delete()
    sweep(listener)
    assert len(listener.calls) == 2
    assert listener.calls[0][2]["Topage-Call"] == listener.calls[1][2]["Topage-Call"]


def test_webhook_hears_nothing_of_the_time_when_it_was_off(club, director, session, listener, webhook):
    listener.answers = [DOWN]
    sweep(listener)
    now = timezone.now()
    switch_webhook(club, webhook.pk, on=False, by=director, now=now)
    people = name_players(club, "Ada", "Bob", "Cyr")
    publish_rows(session, dict(zip(people, (61, 50, 40), strict=True)))
    assert sweep(listener, now + HOUR) == []
    switch_webhook(club, webhook.pk, on=True, by=director, now=timezone.now())
    assert sweep(listener) == []
    publish_rows(session, dict(zip(people, (62, 50, 40), strict=True)))
    assert sweep(listener) == [("corrected", "session", 3)]
    assert log_of(club) == ["webhook_made", "webhook_off", "webhook_on"]


def test_trial_is_sent_once_even_when_the_webhook_is_off(club, director, webhook, listener):
    switch_webhook(club, webhook.pk, on=False, by=director, now=timezone.now())
    try_webhook(club, webhook.pk, by=director, now=timezone.now())
    listener.answers = [DOWN]
    assert sweep(listener) == [("trial", None, None)]
    assert sweep(listener, timezone.now() + 5 * MINUTE) == []
    call = WebhookCall.objects.get()
    assert (call.code, call.fault, call.next_at) == (503, "answer", None)
    body = json.loads(listener.calls[0][1])
    assert body == {"format": "1", "id": listener.calls[0][2]["Topage-Call"], "event": "trial", "club": club.slug}


@pytest.mark.django_db(transaction=True)
def test_directors_with_an_address_get_a_mail_when_it_is_switched_off(club, director, session, listener, settings):
    settings.MAIL = True
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    EmailAddress.objects.create(user=director, email="d@example.org", verified=True, primary=True)
    ended = make_director(club, "partie")
    EmailAddress.objects.create(user=ended, email="partie@example.org", verified=True, primary=True)
    ended.memberships.update(ends_on=dt.date(2026, 1, 1))
    make_director(club, "sans")
    listener.answers = [DOWN] * 5
    start = timezone.now()
    for moment in (0 * MINUTE, 5 * MINUTE, 1 * HOUR, 6 * HOUR, 24 * HOUR):
        sweep(listener, start + moment)
    (letter,) = mail.outbox
    assert letter.to == ["d@example.org"]
    assert "https://club.example\n" in letter.body
    assert "/topage" not in letter.body, "the path may hold a secret"
    assert f"https://tarot.example.org/clubs/{club.slug}/webhooks/" in letter.body


def test_sweep_of_a_club_costs_the_same_for_many_versions(club, session, listener, django_assert_num_queries):
    people = name_players(club, "Ada", "Bob", "Cyr")
    with django_assert_num_queries(8):
        note_new_calls(timezone.now())
    for number in range(20):
        publish_rows(session, dict(zip(people, (61 + number, 50, 40), strict=True)))
    with django_assert_num_queries(8):
        note_new_calls(timezone.now())
    assert WebhookCall.objects.count() == 21


def test_sweep_reads_no_call_of_the_last_weeks(session, listener, webhook):
    sweep(listener)
    told = {"event": "published", "kind": "session", "made_at": timezone.now() - 20 * 24 * HOUR}
    WebhookCall.objects.bulk_create(
        WebhookCall(webhook=webhook, owner=session.pk, version=100 + number, **told) for number in range(200)
    )
    read = []

    def note_rows(execute, sql, params, many, context):
        found = execute(sql, params, many, context)
        read.append((sql, context["cursor"].rowcount))
        return found

    with connection.execute_wrapper(note_rows):
        note_new_calls(timezone.now())
    assert max(rows for _sql, rows in read) == 1, "only the webhook itself"


def test_trial_does_not_wait_behind_calls_that_fail(club, director, session, listener, webhook):
    people = name_players(club, "Ada", "Bob", "Cyr")
    for number in range(5):
        publish_rows(session, dict(zip(people, (61 + number, 50, 40), strict=True)))
    note_new_calls(timezone.now())
    try_webhook(club, webhook.pk, by=director, now=timezone.now())
    listener.answers = [Answer(200, ""), DOWN]
    assert sweep(listener) == [("trial", None, None), ("published", "session", 1)]


def test_round_that_is_over_queues_the_rest(club, session, listener, monkeypatch):
    people, asked = name_players(club, "Ada", "Bob", "Cyr"), []
    monkeypatch.setattr(calling, "queue_again", lambda pk, task: asked.append((pk, task)))
    monkeypatch.setattr(calling, "ROUND", 0)
    publish_rows(session, dict(zip(people, (61, 50, 40), strict=True)))
    assert sweep(listener) == [("published", "session", 1)]
    assert sweep(listener) == [("corrected", "session", 2)]
    assert asked == [(ANY_ROW, WEBHOOK)] * 2
    assert sweep(listener) == []
    assert len(asked) == 2


def test_sweep_without_webhooks_costs_two_queries(db, django_assert_num_queries):
    with django_assert_num_queries(2):
        tasks.sweep_webhooks()


def test_job_and_sweep_call_the_network(session, webhook, listener, monkeypatch):
    """Check that the tasks of the worker are the same two steps."""
    monkeypatch.setattr(calling.call_webhooks, "__kwdefaults__", {"post": listener})
    tasks.sweep_webhooks()
    tasks.call_webhooks()
    assert [json.loads(body)["event"] for _url, body, _headers in listener.calls] == ["published"]


@pytest.mark.nightly("story")
def test_mail_of_a_page_waits_for_the_receivers_that_are_called_together(club, director, monkeypatch, settings):
    settings.MAIL, sent = True, []
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    told = {"made_at": FIRST_AT, "since": FIRST_AT, "made_by": director}
    for number in range(20):
        url = f"https://club-{number}.example/"
        each = Webhook.objects.create(club=make_club(f"club-{number}"), key=make_webhook_key(), url=url, **told)
        row = {"owner": each.pk, "version": 1, "made_at": FIRST_AT, "next_at": FIRST_AT}
        WebhookCall.objects.create(webhook=each, event=TRIAL, kind=TRIAL, **row)

    def keep_silent(_url, _body, _headers):
        sent.append(len(mail.outbox))
        return Answer(None, "time")

    def claim_and_ask(now, over):
        batch = claim_next_calls(now, over)
        if not sent:
            wait_for_sign_up()
        return batch

    monkeypatch.setattr(calling.call_webhooks, "__kwdefaults__", {"post": keep_silent})
    monkeypatch.setattr(calling, "claim_next_calls", claim_and_ask)
    tasks.sweep_webhooks()
    assert sent == [*[0] * AT_ONCE, *[1] * (20 - AT_ONCE)]
