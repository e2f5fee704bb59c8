"""The job of webhooks: find the versions that a webhook has to be called about, call it, and note the answer.

A version is told once: `note_new_calls` makes one row for each webhook and version. A conditional update claims a try
before anything is sent. So two workers never send the same try. The rows of rankings say what
happened. Nothing has to be queued when a ranking is published, and no message can be lost.
"""

import datetime as dt
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import BooleanField, Case, Exists, ExpressionWrapper, F, Max, OuterRef, Q, QuerySet, When

from clubs.house import find_club_language
from clubs.log import log_club_action
from clubs.models import Webhook, WebhookCall, real_clubs
from clubs.roles import directorships_now
from outgoing.mailing.queued import queue_mail, send_queued_mails
from outgoing.mailing.sending import ROUND
from outgoing.mailing.wishes import confirmed_address
from outgoing.webhooks.posting import Answer, Headers, derive_webhook_secret, find_call_id, post_body, sign_call
from rankings.kinds import AnyKind
from rankings.listing import KINDS_BY_NAME, RANKING_KINDS
from tournaments.models import QueuedMail, Version
from tournaments.queue import ANY_ROW, WEBHOOK, queue_again
from tournaments.versions import OFFICIAL, WITHDRAWN


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
AT_ONCE = 8  # servers that a job calls together; it waits five seconds at most for all of them
LEFT_ALONE = dt.timedelta(minutes=1)  # for this time nobody calls a server that was silent
TRIAL = "trial"  # the kind of a trial
IS_TRIAL = ExpressionWrapper(Q(kind=TRIAL), BooleanField())
VERSION = "1"  # of the body


class Step(NamedTuple):
    """A version of a ranking that a webhook may have to be called about."""

    kind: AnyKind
    owner: int
    version: int
    event: str


class ClaimedCall(NamedTuple):
    """A call whose next try this worker has claimed, with the bytes and the headers to send."""

    call: WebhookCall
    content: bytes
    headers: Headers
    at: dt.datetime


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


def find_steps(kind: AnyKind, webhook: Webhook, since: dt.datetime) -> Iterator[Step]:
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


def find_statuses(kind: AnyKind, owners: Any) -> dict[tuple[int, int], str]:
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
    """Return the ids of the webhooks that have a call whose next try is due.

    A webhook with a trial comes first, because a director waits for it, then the one that was not called for longest.
    """
    due = find_due_calls(now).order_by().values("webhook")
    trial = Max(Case(When(kind=TRIAL, then=1), default=0))
    oldest = F("last").asc(nulls_first=True)
    sorted_due = due.annotate(trial=trial, last=Max("webhook__calls__tried_at")).order_by("-trial", oldest, "webhook")
    return list(sorted_due.values_list("webhook", flat=True))


def find_due_calls(now: dt.datetime) -> QuerySet[WebhookCall]:
    """Return the calls to send now: trials first, because a director waits for them, then the oldest first.

    A webhook that is switched off gets only trials.
    """
    active = Q(webhook__in=find_active_webhooks().values("pk")) | Q(kind=TRIAL)
    return WebhookCall.objects.filter(active, next_at__lte=now).order_by(IS_TRIAL.desc(), "pk")


def call_webhooks(*, find_now: Callable[[], dt.datetime], post: Post = post_body) -> None:
    """Send the due calls of all webhooks for the seconds of a round, then queue the rest: other jobs come between.

    Calls to AT_ONCE servers leave together, so that silent ones are waited for together. The mails that pages have
    asked for leave before the next calls. After a failure, the later calls of the same webhook wait for another round.
    """
    ends_at, over = monotonic() + ROUND, set[int]()
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="webhook") as pool:
        while batch := claim_next_calls(find_now(), over):
            answers = [pool.submit(post, one.call.webhook.url, one.content, one.headers) for one in batch]
            for one, answer in zip(batch, answers, strict=True):
                note_answer(one.call, answer.result(), one.at)
                if answer.result().fault:
                    over.add(one.call.webhook_id)
            send_queued_mails(find_now(), ends_at=ends_at)
            if monotonic() >= ends_at:
                queue_again(ANY_ROW, WEBHOOK)
                return


def claim_next_calls(now: dt.datetime, over: set[int]) -> list[ClaimedCall]:
    """Claim the next due call of up to AT_ONCE webhooks, at most one of a server. Return what to send.

    A webhook in `over` gets no call. A webhook whose server is left alone, or which another worker calls, is added.
    """
    batch: list[ClaimedCall] = []
    hosts, silent, due = set[str](), find_silent_servers(now), find_due_webhooks(now)
    webhooks = Webhook.objects.only("url").in_bulk(due)
    for webhook_id in due:
        if len(batch) == AT_ONCE:
            break
        if webhook_id in over:
            continue
        origin = webhooks[webhook_id].origin if webhook_id in webhooks else ""
        if not origin or origin in hosts:
            continue
        claimed = None if origin in silent else claim_next_call(webhook_id, now)
        if claimed is None:
            over.add(webhook_id)
        else:
            hosts.add(origin)
            batch.append(claimed)
    return batch


def find_silent_servers(now: dt.datetime) -> set[str]:
    """Return the servers that did not answer a moment ago. No webhook calls them: each would wait for them again."""
    silent = WebhookCall.objects.filter(fault=Fault.TIME, tried_at__gt=now - LEFT_ALONE).select_related("webhook")
    return {call.webhook.origin for call in silent}


def claim_next_call(webhook_id: int, now: dt.datetime) -> ClaimedCall | None:
    """Claim the oldest due call of a webhook, and return what to send. Return None if there is none to send.

    A call about a ranking that readers no longer see ends without being sent.
    """
    for call in find_due_calls(now).filter(webhook=webhook_id).select_related("webhook__club"):
        if not claim_call(call, now):
            return None
        if (body := compose_body(call)) is not None:
            return write_call(call, body, now)
        WebhookCall.objects.filter(pk=call.pk).update(next_at=None, fault=Fault.HIDDEN, code=None)
    return None


def write_call(call: WebhookCall, body: Mapping[str, Any], now: dt.datetime) -> ClaimedCall:
    """Return the bytes and the signed headers of a call."""
    content = json.dumps(body, ensure_ascii=True).encode()
    headers = [
        ("User-Agent", "Topage-Webhook/1"),
        ("Content-Type", "application/json"),
        ("Topage-Event", call.event),
        ("Topage-Call", find_call_id(call.webhook, call)),
        ("Topage-Signature", sign_call(derive_webhook_secret(call.webhook), content, now)),
    ]
    return ClaimedCall(call, content, headers, now)


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


def find_version_of_call(kind: AnyKind, call: WebhookCall) -> Version | None:
    """Return the version that the call is about, without its figures."""
    versions = kind.model._default_manager.defer("data", "frozen", "changes")
    version: Version | None = versions.filter(**{kind.owner: call.owner}, version=call.version).first()
    return version
