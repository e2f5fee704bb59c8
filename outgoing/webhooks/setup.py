"""The functions that make, change, try and remove the webhooks of a club. Each step is logged in the club's log."""

import datetime as dt
import re
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote, urlsplit

from django.core.exceptions import ValidationError
from django.db import transaction

from clubs.log import log_club_action
from clubs.models import Club, User, Webhook, WebhookCall
from clubs.origins import read_origin
from clubs.roles import require_directing
from outgoing.webhooks.calling import TRIAL
from outgoing.webhooks.posting import derive_webhook_secret, make_webhook_key
from tournaments.errors import ActionRefused
from tournaments.locks import lock_club
from tournaments.queue import ANY_ROW, WEBHOOK, ask_for_standings
from wording import Texts
from wording import gettext_noop as _


class WebhookRefused(ActionRefused):
    """An error: a write about a webhook was refused and wrote nothing."""

    messages: ClassVar[Texts] = {
        "webhook_address": _("Type an https address with the name of a server, like %(example)s."),
        "webhook_address_long": _("The address is longer than %(most)s letters: choose a shorter one."),
        "webhook_without_event": _("Choose at least one event."),
        "webhook_twice": _("The club has a webhook with this address already: change that one."),
        "too_many_webhooks": _("The club has %(most)s webhooks already: remove one that no program uses."),
        "webhook_gone": _("This webhook does not exist, or no longer exists: look at the list again."),
        "webhook_too_many_trials": _("That is more than %(most)s trials in an hour: wait a little."),
    }


MOST = 5  # the most webhooks of a club
MOST_LETTERS = 500
MOST_TRIALS = 10  # the most trials of a webhook in an hour
EVENTS = tuple(event for event in WebhookCall.CallEvent.values if event != TRIAL)
EXAMPLE = "https://club.example/topage"
BAD = re.compile(r"[\x00-\x20\x7f\\]")
SAFE = "/!$&'()*+,;=:@-._~%?"  # what may stand in a path and a query beside letters and digits


@dataclass(frozen=True, slots=True)
class WebhookGiven:
    """The data that a director gives for a webhook: its address, and the events about which it is called."""

    url: str
    events: frozenset[str]

    def columns(self) -> dict[str, bool]:
        return {f"on_{event}": event in self.events for event in EVENTS}


def check_webhook_url(typed: str) -> str:
    """Return the address as it is stored: https, a host name, a port, a path and a query. Raise `WebhookRefused`.

    A name that leads to a private network is refused later, at each call, because names can change.
    """
    wrong = WebhookRefused("webhook_address", "url", example=EXAMPLE)
    typed = typed.strip()
    if len(typed) > MOST_LETTERS:
        raise WebhookRefused("webhook_address_long", "url", most=MOST_LETTERS)
    if BAD.search(typed):
        raise wrong
    try:
        origin = read_origin(typed)
        parts = urlsplit(typed if "://" in typed else f"https://{typed}")
    except (ValidationError, ValueError):
        raise wrong from None
    url = origin + (quote(parts.path, safe=SAFE) or "/") + (f"?{quote(parts.query, safe=SAFE)}" if parts.query else "")
    if len(url) > MOST_LETTERS:
        raise WebhookRefused("webhook_address_long", "url", most=MOST_LETTERS)
    return url


@transaction.atomic
def make_webhook(club: Club, given: WebhookGiven, *, by: User, now: dt.datetime) -> tuple[Webhook, str]:
    """Create a webhook of a club. Return it with its secret, which no page shows again.

    Raise `AccountRefused` if `by` does not direct the club, and `WebhookRefused` for a wrong address or no event.
    """
    lock_and_check(club, by)
    url = check_given(club, given)
    if club.webhooks.count() >= MOST:
        raise WebhookRefused("too_many_webhooks", most=MOST)
    webhook = Webhook.objects.create(
        club=club, url=url, key=make_webhook_key(), made_at=now, made_by=by, since=now, **given.columns()
    )
    log_club_action(club, "webhook_made", now=now, by=by, address=webhook.origin)
    return webhook, derive_webhook_secret(webhook)


@transaction.atomic
def change_webhook(club: Club, webhook_id: int, given: WebhookGiven, *, by: User, now: dt.datetime) -> None:
    """Change the address or the events of a webhook. Its secret stays the same."""
    lock_and_check(club, by)
    webhook = find_webhook(club, webhook_id)
    url = check_given(club, given, but=webhook.pk)
    if (url, given.columns()) == (webhook.url, {f"on_{event}": getattr(webhook, f"on_{event}") for event in EVENTS}):
        return
    columns = given.columns()
    more = any(on and not getattr(webhook, name) for name, on in columns.items())  # then only of what happens from now
    Webhook.objects.filter(pk=webhook.pk).update(url=url, **columns, **({"since": now} if more else {}))
    webhook.url = url
    log_club_action(club, "webhook_changed", now=now, by=by, address=webhook.origin)


@transaction.atomic
def renew_webhook_secret(club: Club, webhook_id: int, *, by: User, now: dt.datetime) -> str:
    """Give a webhook another secret, and return it. Signatures with the old one end at once."""
    lock_and_check(club, by)
    webhook = find_webhook(club, webhook_id)
    webhook.key = make_webhook_key()
    webhook.save(update_fields=["key"])
    log_club_action(club, "webhook_renewed", now=now, by=by, address=webhook.origin)
    return derive_webhook_secret(webhook)


@transaction.atomic
def switch_webhook(club: Club, webhook_id: int, *, on: bool, by: User, now: dt.datetime) -> None:
    """Switch a webhook on or off. Calls that wait are given up: it is told only of what happens from now on."""
    lock_and_check(club, by)
    webhook = find_webhook(club, webhook_id)
    if (webhook.off_at is None) == on:
        return
    webhook.calls.exclude(next_at=None).update(next_at=None)
    webhook.off_at, webhook.off_reason = (None, "") if on else (now, Webhook.OffReason.DIRECTOR.value)
    webhook.since = now
    webhook.save(update_fields=["off_at", "off_reason", "since"])
    log_club_action(club, "webhook_on" if on else "webhook_off", now=now, by=by, address=webhook.origin)


@transaction.atomic
def remove_webhook(club: Club, webhook_id: int, *, by: User, now: dt.datetime) -> None:
    """Delete a webhook with its calls."""
    lock_and_check(club, by)
    webhook = find_webhook(club, webhook_id)
    log_club_action(club, "webhook_removed", now=now, by=by, address=webhook.origin)
    webhook.delete()


@transaction.atomic
def try_webhook(club: Club, webhook_id: int, *, by: User, now: dt.datetime) -> None:
    """Queue a trial: a call about nothing, sent once, also if the webhook is switched off."""
    lock_and_check(club, by)
    webhook = find_webhook(club, webhook_id)
    trials = webhook.calls.filter(kind=TRIAL)
    if trials.filter(made_at__gt=now - dt.timedelta(hours=1)).count() >= MOST_TRIALS:
        raise WebhookRefused("webhook_too_many_trials", most=MOST_TRIALS)
    number = max(trials.values_list("version", flat=True), default=0) + 1
    trial = {"event": WebhookCall.CallEvent.TRIAL, "kind": TRIAL, "owner": 0, "version": number}
    WebhookCall.objects.create(webhook=webhook, made_at=now, next_at=now, **trial)
    log_club_action(club, "webhook_tried", now=now, by=by, address=webhook.origin)
    transaction.on_commit(lambda: ask_for_standings(ANY_ROW, WEBHOOK), robust=True)


def lock_and_check(club: Club, by: User) -> None:
    """Lock the club, so that roles and numbers stay as they are. Raise `AccountRefused` unless `by` directs it."""
    lock_club(club.pk)
    require_directing(by, club)


def find_webhook(club: Club, webhook_id: int) -> Webhook:
    """Return a webhook of the club. Raise `WebhookRefused` if there is none with this id."""
    webhook = club.webhooks.filter(pk=webhook_id).first()
    if webhook is None:
        raise WebhookRefused("webhook_gone")
    return webhook


def check_given(club: Club, given: WebhookGiven, *, but: int | None = None) -> str:
    """Return the address as it is stored. Raise `WebhookRefused` for a wrong or repeated address, or no event."""
    url = check_webhook_url(given.url)
    if not given.events & set(EVENTS):
        raise WebhookRefused("webhook_without_event", "events")
    if club.webhooks.filter(url=url).exclude(pk=but or 0).exists():
        raise WebhookRefused("webhook_twice", "url")
    return url
