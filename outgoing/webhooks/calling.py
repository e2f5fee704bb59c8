"""The job of webhooks: find the versions that a webhook has to be called about, call it, and note the answer.

A version is told once: `note_new_calls` makes one row for each webhook and version. A conditional update claims a try
before anything is sent. So two workers never send the same try. The rows of rankings say what
happened. Nothing has to be queued when a ranking is published, and no message can be lost.
"""

import datetime as dt
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet

from clubs.house import find_club_language
from clubs.log import log_club_action
from clubs.models import Webhook, WebhookCall, real_clubs
from clubs.roles import directorships_now
from outgoing.mailing.queued import queue_mail
from outgoing.mailing.wishes import confirmed_address
from outgoing.webhooks.posting import Answer, Headers, derive_webhook_secret, find_call_id, post_body, sign_call
from rankings.listing import KINDS_BY_NAME, RANKING_KINDS, RankingKind
from tournaments.models import QueuedMail, Version
from tournaments.queue import WEBHOOK, queue_again
from tournaments.versions.steps import OFFICIAL, WITHDRAWN


def mail_about_dead_webhook(webhook: Webhook, now: dt.datetime) -> None:
    """Queue a mail to each director of the club who has a confirmed address."""
    kind, language = QueuedMail.PageMailKind.WEBHOOK, find_club_language(webhook.club)
    for member in directorships_now().filter(club=webhook.club).select_related("user").order_by("pk"):
        if address := confirmed_address(member.user):
            mail = QueuedMail(kind=kind, user=member.user, row=webhook.pk, email=address, language=language)
            mail.asked_at = now
            queue_mail(mail)


logger = logging.getLogger(__name__)
Event, Fault = WebhookCall.CallEvent, WebhookCall.CallFault
Post = Callable[[str, bytes, Headers], Answer]
TOLD_FOR = dt.timedelta(days=1)  # an older version is news no more
# The time from each try to the next. The five tries end a day after the first one.
WAITS = (dt.timedelta(minutes=5), dt.timedelta(minutes=55), dt.timedelta(hours=5), dt.timedelta(hours=18))
TRIES = len(WAITS) + 1
MOST_AT_ONCE = 5  # calls of one webhook in a job; together they take at most 25 seconds
TRIAL = "trial"  # the kind of a trial
IS_TRIAL = ExpressionWrapper(Q(kind=TRIAL), BooleanField())
VERSION = "1"  # of the body


class Step(NamedTuple):
    """A version of a ranking that a webhook may have to be called about."""

    kind: RankingKind
    owner: int
    version: int
    event: str


def note_new_calls(now: dt.datetime) -> None:
    """Make a row for each webhook and each version that it has not been called about.

    Only versions of the last day are told, and only those published since the webhook was made or switched on.
    """
    for webhook in find_active_webhooks():
        since = max(webhook.since, now - TOLD_FOR)
        calls = [
            WebhookCall(
                webhook=webhook,
                event=step.event,
                kind=step.kind.name,
                owner=step.owner,
                version=step.version,
                made_at=now,
                next_at=now,
            )
            for kind in RANKING_KINDS
            for step in find_steps(kind, webhook, since)
            if getattr(webhook, f"on_{step.event}")
        ]
        WebhookCall.objects.bulk_create(calls, ignore_conflicts=True)


def find_active_webhooks() -> QuerySet[Webhook]:
    """Return the webhooks that are switched on. Those of practice clubs, and of a site without an address, are not."""
    active = Webhook.objects.filter(real_clubs("club"), off_at=None).select_related("club").order_by("pk")
    return active if settings.SITE_URL else active.none()


def find_steps(kind: RankingKind, webhook: Webhook, since: dt.datetime) -> Iterator[Step]:
    """Yield the versions of one kind that the webhook's club has published since, and that no call is about."""
    earlier_calls = webhook.calls.filter(
        kind=kind.name, owner=OuterRef(f"{kind.owner}_id"), version=OuterRef("version")
    )
    versions = kind.model._default_manager.filter(published_at__gt=since, **{kind.club: webhook.club_id})
    untold = versions.filter(~Exists(earlier_calls)).order_by("pk")
    new = list(untold.values_list(f"{kind.owner}_id", "version", "status"))
    if not new:
        return
    shown = kind.find_shown(webhook.club_id, {owner for owner, _version, _status in new})
    before = find_statuses(kind, shown)
    for owner, version, status in new:
        if owner in shown:
            yield Step(kind, owner, version, name_event(status, before.get((owner, version - 1))))


def find_statuses(kind: RankingKind, owners: Any) -> dict[tuple[int, int], str]:
    """Return the status of each version of these owners, by the owner's id and the version's number."""
    versions = kind.model._default_manager.filter(**{f"{kind.owner}__in": list(owners)}).order_by()
    return {
        (owner, number): status
        for owner, number, status in versions.values_list(f"{kind.owner}_id", "version", "status")
    }


def name_event(status: str, before: str | None) -> str:
    """Return the event of a version with this status. `before` is the status of the version before, or None."""
    if status == WITHDRAWN:
        return Event.WITHDRAWN
    if status == OFFICIAL:
        return Event.OFFICIAL
    return Event.PUBLISHED if before in (None, WITHDRAWN) else Event.CORRECTED


def find_due_webhooks(now: dt.datetime) -> list[int]:
    """Return the ids of the webhooks that have a call whose next try is due."""
    due = find_due_calls(now).order_by().values_list("webhook", flat=True).distinct()
    return sorted(due)


def find_due_calls(now: dt.datetime) -> QuerySet[WebhookCall]:
    """Return the calls to send now: trials first, because a director waits for them, then the oldest first.

    A webhook that is switched off gets only trials.
    """
    active = Q(webhook__in=find_active_webhooks().values("pk")) | Q(kind=TRIAL)
    return WebhookCall.objects.filter(active, next_at__lte=now).order_by(IS_TRIAL.desc(), "pk")


def call_webhook(webhook_id: int, *, find_now: Callable[[], dt.datetime], post: Post = post_body) -> None:
    """Send the due calls of a webhook, the oldest first, until one fails. After MOST_AT_ONCE, queue the rest."""
    for _number in range(MOST_AT_ONCE):
        if not send_next_call(webhook_id, now=find_now(), post=post):
            return
    queue_again(webhook_id, WEBHOOK)


def send_next_call(webhook_id: int, *, now: dt.datetime, post: Post = post_body) -> bool:
    """Send the oldest due call of a webhook. Return whether one was sent and accepted, so that the next may follow."""
    call = find_due_calls(now).filter(webhook=webhook_id).select_related("webhook__club").first()
    if call is None or not claim_call(call, now):
        return False
    body = compose_body(call)
    if body is None:
        WebhookCall.objects.filter(pk=call.pk).update(next_at=None, fault=Fault.HIDDEN, code=None)
        return True
    webhook, content = call.webhook, json.dumps(body, ensure_ascii=True).encode()
    headers = [
        ("User-Agent", "Topage-Webhook/1"),
        ("Content-Type", "application/json"),
        ("Topage-Event", call.event),
        ("Topage-Call", find_call_id(webhook, call)),
        ("Topage-Signature", sign_call(derive_webhook_secret(webhook), content, now)),
    ]
    answer = post(webhook.url, content, headers)
    note_answer(call, answer, now)
    return not answer.fault


def claim_call(call: WebhookCall, now: dt.datetime) -> bool:
    """Claim the next try of a call, and set the time of the try after it. Return False if another worker has it.

    If this worker dies before it notes the answer, the call is tried again at that time.
    """
    follows = now + WAITS[call.tries] if call.kind != TRIAL and call.tries < len(WAITS) else now + TOLD_FOR
    mine = WebhookCall.objects.filter(pk=call.pk, tries=call.tries, next_at=call.next_at)
    claimed = mine.update(tries=F("tries") + 1, tried_at=now, next_at=follows)
    call.tries += 1
    return bool(claimed)


def note_answer(call: WebhookCall, answer: Answer, now: dt.datetime) -> None:
    """Note the answer to a try. After the fifth failure in a row of tries, switch the webhook off."""
    is_over = not answer.fault or call.kind == TRIAL or call.tries >= TRIES
    outcome: dict[str, Any] = {"code": answer.code, "fault": answer.fault}
    WebhookCall.objects.filter(pk=call.pk).update(**outcome, **({"next_at": None} if is_over else {}))
    if answer.fault:
        logger.info("call %s of webhook %s failed: %s", call.pk, call.webhook_id, answer.fault)
        if is_over and call.kind != TRIAL:
            switch_dead_webhook_off(call.webhook, now)


@transaction.atomic
def switch_dead_webhook_off(webhook: Webhook, now: dt.datetime) -> None:
    """Switch off a webhook that could not be reached for a day. Log it, and write to the directors of the club."""
    reason = Webhook.OffReason.UNREACHED
    if Webhook.objects.filter(pk=webhook.pk, off_at=None).update(off_at=now, off_reason=reason):
        log_club_action(webhook.club, "webhook_dead", now=now, by=None, address=webhook.origin)
        mail_about_dead_webhook(webhook, now)


def compose_body(call: WebhookCall) -> dict[str, Any] | None:
    """Return the body of a call: addresses and versions, and no name of a person.

    Return None if readers no longer see the ranking.
    """
    body: dict[str, Any] = {
        "format": VERSION,
        "id": find_call_id(call.webhook, call),
        "event": call.event,
        "club": call.webhook.club.slug,
    }
    if call.kind == TRIAL:
        return body
    kind = KINDS_BY_NAME[call.kind]
    newest = kind.find_shown(call.webhook.club_id, [call.owner]).get(call.owner)
    version = find_version_of_call(kind, call)
    if newest is None or version is None:
        return None
    setattr(version, kind.owner, getattr(newest, kind.owner))
    place = kind.place(version)
    return body | {
        "kind": kind.name,
        "version": version.version,
        "status": version.status,
        "published_at": version.published_at.isoformat(),
        "newest_version": newest.version,
        "newest_status": newest.status,
        "page": settings.SITE_URL + place.page,
        "version_page": settings.SITE_URL + place.version,
        "api": settings.SITE_URL + place.api,
    }


def find_version_of_call(kind: RankingKind, call: WebhookCall) -> Version | None:
    """Return the version that the call is about, without its figures."""
    versions = kind.model._default_manager.defer("data", "frozen", "changes")
    return versions.filter(**{kind.owner: call.owner}, version=call.version).first()
