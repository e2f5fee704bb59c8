"""How long what is kept, and why: one table, from which people read it and by which the daily job does it.

Nothing of the results is touched: neither a figure nor who played.
"""

import datetime as dt
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailConfirmation
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session as LogIn
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clubs.accounts.questions import LIFE
from clubs.models import Invitation, PasswordLink, PersonLink, PlayerLink
from tournaments.locks import lock_apart
from tournaments.models import (
    Applicant,
    ArbiterCode,
    CalendarLink,
    EntryCheck,
    LogEntry,
    RequestAnswer,
    ResultEntry,
    Ruling,
    TableDevice,
)

DAYS = dt.timedelta(days=30)
A_BATCH = 500  # rows of one transaction: a table that enters a result waits for no more
NOWHERE, GONE = "::", "–"
MAKE = re.compile(r"^(Table \d+ · )(?:.* )?(\d+)$", re.IGNORECASE)
NUMBERED = r"^[Tt]able [0-9]+ · [0-9]+$"

Rows = QuerySet[Any, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that the job does: which rows are `due`, the oldest word on them being said at a moment, and how a
    batch of them, locked, is `ended`."""

    due: Callable[[dt.datetime], Rows]
    end: Callable[[Sequence[Any]], None]


@dataclass(frozen=True, slots=True)
class Period:
    """What is kept, how long, and why; with what ends it, where the site does so by itself."""

    what: Promise
    kept: Promise
    why: Promise
    steps: tuple[Step, ...] = ()


def forget_what_is_over(now: dt.datetime) -> int:
    """Carries the table out, in batches; how many rows were due. Done twice, the second time finds nothing."""
    return sum(carry_out(step, now) for period in PERIODS for step in period.steps)


def carry_out(step: Step, now: dt.datetime) -> int:
    last: Any = None
    done = 0
    while True:
        due = step.due(now).order_by("pk")
        keys = list((due if last is None else due.filter(pk__gt=last)).values_list("pk", flat=True)[:A_BATCH])
        if not keys:
            return done
        with transaction.atomic():
            step.end(lock_apart(due.model, keys))
        done, last = done + len(keys), keys[-1]


def delete(rows: Sequence[Model]) -> None:
    if rows:
        type(rows[0])._base_manager.filter(pk__in=[row.pk for row in rows]).delete()


def without_make(label: str) -> str:
    """What is left of a device's name: "Table 3 · iPhone 2" is "Table 3 · 2", and still one device and no other."""
    found = MAKE.match(label)
    return f"{found[1]}{found[2]}" if found else ""


def with_make(rows: type[Model], moment: str) -> Callable[[dt.datetime], Rows]:
    """Rows of the model that name a device by its make, and are old enough by that field."""

    def due(now: dt.datetime) -> Rows:
        old = rows._base_manager.filter(**{f"{moment}__lt": now - DAYS})
        return old.exclude(device="").exclude(device__regex=NUMBERED)

    return due


def forget_make(rows: Sequence[Any]) -> None:
    for row in rows:
        row.device = without_make(row.device)
    save(rows, "device")


def save(rows: Sequence[Any], *fields: str) -> None:
    if rows:
        type(rows[0])._base_manager.bulk_update(rows, fields)


def old_devices(now: dt.datetime) -> Rows:
    return TableDevice.objects.filter(seen_at__lt=now - DAYS).exclude(device__startswith=GONE)


def number_devices(rows: Sequence[TableDevice]) -> None:
    """What a device called itself is gone, and whatever it says is told from all others by its table's number of it."""
    for row in rows:
        row.device, row.name, row.label = f"{GONE}{row.pk}", "", without_make(row.label)
    save(rows, "device", "name", "label")


DEVICE_LINES = ("device_writes", "device_follows", "device_left", "opened_by_number")


def old_device_lines(now: dt.datetime) -> Rows:
    lines = LogEntry.objects.filter(action__in=DEVICE_LINES, at__lt=now - DAYS)
    known = Q(params__has_key="id") & ~Q(params__id=GONE)
    return lines.filter(known | Q(params__has_key="address") & ~Q(params__address=GONE))


def forget_lines(rows: Sequence[LogEntry]) -> None:
    """The log goes on to tell that a device came, not which one, nor from where."""
    for row in rows:
        row.params |= {name: GONE for name in ("id", "address") if name in row.params}
        row.device = without_make(row.device)
        row.words = row.device.lower() or f"table {row.params['table']}"
    save(rows, "params", "device", "words")


def old_log_ins(now: dt.datetime) -> Rows:
    """Those that nothing is logged in by any more, and those of old whose address is still known."""
    going_on = LogIn.objects.filter(expire_date__gte=now).values("session_key")
    known = ~Q(ip=NOWHERE) | ~Q(user_agent="")
    rows: Rows = UserSession.objects.filter(~Q(session_key__in=going_on) | Q(last_seen_at__lt=now - DAYS) & known)
    return rows


def end_log_ins(rows: Sequence[UserSession]) -> None:
    going_on = set(LogIn.objects.filter(session_key__in=[row.session_key for row in rows]).values_list("pk", flat=True))
    delete([row for row in rows if row.session_key not in going_on])
    for row in (left := [row for row in rows if row.session_key in going_on]):
        row.ip, row.user_agent = NOWHERE, ""
    save(left, "ip", "user_agent")


def past_applicants(now: dt.datetime) -> Rows:
    past = Applicant.objects.filter(session__date__lt=(now - DAYS).date())
    return past.exclude(contact="", token__startswith=GONE)


def forget_contacts(rows: Sequence[Applicant]) -> None:
    for row in rows:
        row.contact, row.token = "", f"{GONE}{secrets.token_urlsafe(24)}"
    save(rows, "contact", "token")


def over_links(links: type[Model]) -> Callable[[dt.datetime], Rows]:
    def due(now: dt.datetime) -> Rows:
        then = now - DAYS
        over = Q(expires_at__lt=then) | Q(used_at__lt=then) | Q(revoked_at__lt=then)
        return links._base_manager.filter(over)

    return due


def old_questions(now: dt.datetime) -> Rows:
    """Whether somebody plays in another club too: not agreed to, with or without anybody whom it is about."""
    asked = PersonLink.objects.filter(proposed_at__lt=now - LIFE, accepted_at=None)
    return asked.filter(Q(ended_at=None) | ~Q(asked=""))


def end_questions(rows: Sequence[PersonLink]) -> None:
    for row in rows:
        row.asked, row.ended_at = "", row.ended_at or row.proposed_at + LIFE
    save(rows, "asked", "ended_at")


def over_codes(now: dt.datetime) -> Rows:
    return ArbiterCode.objects.filter(Q(expires_at__lt=now - DAYS) | Q(ended_at__lt=now - DAYS))


def older(rows: type[Model], moment: str) -> Callable[[dt.datetime], Rows]:
    return lambda now: rows._base_manager.filter(**{f"{moment}__lt": now - DAYS})


MAKES = ((ResultEntry, "entered_at"), (EntryCheck, "checked_at"), (Ruling, "ruled_at"), (RequestAnswer, "answered_at"))
TRIES = ((AccessAttempt, "attempt_time"), (AccessFailureLog, "attempt_time"), (AccessLog, "attempt_time"))

PERIODS: tuple[Period, ...] = (
    Period(
        _("Results, rankings, feuilles de route, rulings and penalties"),
        _("for good"),
        _("They are those of everybody who played, and a figure is there to be checked. A name can be erased."),
    ),
    Period(
        _("Name, licence, category, series, ladies’ ranking, country and club of origin, on the list of a club"),
        _("until the club takes them off, or they are erased"),
        _("So that somebody who comes back is known. Nobody but the club’s directors sees more than the name."),
    ),
    Period(
        _("The device that entered a result at a table: its make and its name"),
        _("30 days; then a number that says nothing of it"),
        _("So that a result that is contested can be traced to the device that sent it."),
        (
            Step(old_devices, number_devices),
            *(Step(with_make(rows, moment), forget_make) for rows, moment in (*MAKES, (LogEntry, "at"))),
        ),
    ),
    Period(
        _("Network addresses: of who opened a table by its number, and of who tried a password"),
        _("30 days"),
        _("So that somebody who tries to break in is noticed and kept out."),
        (
            Step(old_device_lines, forget_lines),
            *(Step(older(rows, moment), delete) for rows, moment in TRIES),
        ),
    ),
    Period(
        _("Where an account is logged in: browser, network address and hour"),
        _("while it is logged in; address and browser 30 days at most"),
        _("So that its owner sees who is in, and can put him out."),
        (
            Step(lambda now: LogIn.objects.filter(expire_date__lt=now), delete),
            Step(old_log_ins, end_log_ins),
        ),
    ),
    Period(
        _("The telephone number or address that somebody left when they signed up for an evening"),
        _("until 30 days after the evening, with the link to their registration"),
        _("So that the director can reach them about that evening."),
        (Step(past_applicants, forget_contacts),),
    ),
    Period(
        _("Invitations, links to an account or a new password, codes of the arbiter, addresses not yet confirmed"),
        _("until 30 days after they have been used or are over"),
        _("So that it can be seen who was let in by which."),
        (
            *(Step(over_links(links), delete) for links in (Invitation, PlayerLink, PasswordLink)),
            Step(over_codes, delete),
            Step(lambda now: EmailConfirmation.objects.filter(sent__lt=now - DAYS), delete),
        ),
    ),
    Period(
        _("The name or licence by which a club asked another whether somebody plays there too"),
        _("until it is answered or taken back, 30 days at most"),
        _("So that the right person is asked. The club that asks learns nothing unless they agree."),
        (Step(old_questions, end_questions),),
    ),
    Period(
        _("The link on a player’s guide card, and the secret addresses of personal calendars"),
        _(
            "with the evening, or until the player is erased; taken back it opens nothing, and a calendar’s goes 30"
            " days later"
        ),
        _("So that a player finds what is his without an account."),
        (Step(older(CalendarLink, "revoked_at"), delete),),
    ),
    Period(
        _("That an account wants its feuilles by mail, and which were sent to it"),
        _("until it wants no more of them, or is erased"),
        _("So that each published version is sent once, and to nobody who has not asked."),
    ),
    Period(
        _("Tokens of programs"),
        _("90 days, or until the password changes; the site keeps none of them"),
        _("A token says by itself whose it is and until when."),
    ),
    Period(
        _("The account: name, e-mail address, password (as a digest), second step"),
        _("until its owner has it erased"),
        _("To log in."),
    ),
    Period(
        _("The log of an evening and of a club’s team: who did what, and when"),
        _("for good; without the device and its address after 30 days"),
        _("So that everybody can be told how a result came about."),
    ),
    Period(
        _("Who looked at the cards of an étui before it was played"),
        _("for good"),
        _("So that nobody need take it on trust that the deals were secret."),
    ),
    Period(
        _("How many wrong codes were tried from a network address"),
        _("a day at most"),
        _("So that codes cannot be guessed."),
    ),
)
