"""The periods for which personal data is kept, and the reasons. The daily job carries them out.

They are all in the table `PERIODS`, which a public page shows. The results always stay complete: all figures, and who
played.
"""

import datetime as dt
import re
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from allauth.account.models import EmailConfirmation
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session as LogIn
from django.db import transaction
from django.db.models import Model, Q
from django.utils.translation import gettext_lazy as _

from archives.privacy.personal_data import ExpiryStep, Period, Rows
from archives.privacy.rooms import PERIODS_OF_ROOMS
from archives.privacy.tournaments import PERIOD_OF_CASH
from clubs.accounts.questions import LIFE
from clubs.licences import find_old_lists
from clubs.models import Invitation, LogInTry, PasswordLink, PersonLink, PlayerLink, ProgramToken, WebhookCall
from registration.people.links import past_digests
from tournaments.locks import lock_apart
from tournaments.models import (
    Applicant,
    ArbiterCode,
    CalendarLink,
    ClubFile,
    EntryCheck,
    EveningMail,
    LogEntry,
    PlayRecord,
    RequestAnswer,
    ResultEntry,
    Ruling,
    TableDevice,
    WantedFile,
)

DAYS, A_DAY = dt.timedelta(days=30), dt.timedelta(days=1)
A_BATCH = 500  # the rows of one transaction; a table that enters a result may have to wait for one transaction
NOWHERE, GONE = "::", "–"  # NOWHERE replaces a deleted address, GONE replaces any other deleted value
MAKE = re.compile(r"^(Table \d+ · )(?:.* )?(\d+)$", re.IGNORECASE)  # a device's name such as "Table 3 · iPhone 2"
# A device's name without its make, "Table 3 · 2", as a regular expression for the database.
NUMBERED = r"^[Tt]able [0-9]+ · [0-9]+$"


def forget_what_is_over(now: dt.datetime) -> int:
    """Delete or empty all data whose period is over, in batches. Return the number of rows that were due.

    Calling it again does no harm.
    """
    return sum(carry_out(step, now) for period in PERIODS for step in period.steps)


def carry_out(step: ExpiryStep, now: dt.datetime) -> int:
    """Carry out one step in batches and return the number of rows."""
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
    """Return a device's name without its make, for example "Table 3 · 2" for "Table 3 · iPhone 2".

    The make is "iPhone" here. The number still tells the devices of a table apart.
    """
    match = MAKE.match(label)
    return f"{match[1]}{match[2]}" if match else ""


def with_make(rows: type[Model], moment: str) -> Callable[[dt.datetime], Rows]:
    """Return a function that finds the rows which still contain a device's make, such as "iPhone", after DAYS.

    `moment` is the name of the date field from which the days are counted.
    """

    def due(now: dt.datetime) -> Rows:
        old = rows._base_manager.filter(**{f"{moment}__lt": now - DAYS})
        return old.exclude(device="").exclude(device__regex=NUMBERED)

    return due


def forget_make(rows: Sequence[Any]) -> None:
    """Remove the make, such as "iPhone", from the device names of these rows."""
    for row in rows:
        row.device = without_make(row.device)
    save(rows, "device")


def save(rows: Sequence[Any], *fields: str) -> None:
    if rows:
        type(rows[0])._base_manager.bulk_update(rows, fields)


def old_devices(now: dt.datetime) -> Rows:
    return TableDevice.objects.filter(seen_at__lt=now - DAYS).exclude(device__startswith=GONE)


def number_devices(rows: Sequence[TableDevice]) -> None:
    """Forget the names that devices gave themselves. Table and number still tell them apart."""
    for row in rows:
        row.device, row.name, row.label = f"{GONE}{row.pk}", "", without_make(row.label)
    save(rows, "device", "name", "label")


DEVICE_LINES = ("device_writes", "device_follows", "device_left", "opened_by_number")


def old_device_lines(now: dt.datetime) -> Rows:
    """Return old log entries that still contain a device's id or address."""
    lines = LogEntry.objects.filter(action__in=DEVICE_LINES, at__lt=now - DAYS)
    has_device = Q(params__has_key="id") & ~Q(params__id=GONE)
    return lines.filter(has_device | Q(params__has_key="address") & ~Q(params__address=GONE))


def forget_lines(rows: Sequence[LogEntry]) -> None:
    """Remove the device's id and address from these log entries. They still record that a device came."""
    for row in rows:
        row.params |= {name: GONE for name in ("id", "address") if name in row.params}
        row.device = without_make(row.device)
        row.words = row.device.lower() or f"table {row.params['table']}"
    save(rows, "params", "device", "words")


def old_log_ins(now: dt.datetime) -> Rows:
    """Return the log-ins that have ended, and old ones of which address or browser are still stored."""
    going_on = LogIn.objects.filter(expire_date__gte=now).values("session_key")
    is_named = ~Q(ip=NOWHERE) | ~Q(user_agent="")
    rows: Rows = UserSession.objects.filter(~Q(session_key__in=going_on) | Q(last_seen_at__lt=now - DAYS) & is_named)
    return rows


def end_log_ins(rows: Sequence[UserSession]) -> None:
    """Delete the log-ins that have ended, and remove address and browser from the others."""
    going_on = set(LogIn.objects.filter(session_key__in=[row.session_key for row in rows]).values_list("pk", flat=True))
    delete([row for row in rows if row.session_key not in going_on])
    for row in (left := [row for row in rows if row.session_key in going_on]):
        row.ip, row.user_agent = NOWHERE, ""
    save(left, "ip", "user_agent")


def past_applicants(now: dt.datetime) -> Rows:
    """Return the applicants of sessions more than DAYS ago whose contact or link is still stored."""
    past = Applicant.objects.filter(session__date__lt=(now - DAYS).date())
    return past.exclude(contact="", token__startswith=GONE)


def forget_contacts(rows: Sequence[Applicant]) -> None:
    for row in rows:
        row.contact, row.token = "", f"{GONE}{secrets.token_urlsafe(24)}"
    save(rows, "contact", "token")


def forget_digests(rows: Sequence[Applicant]) -> None:
    for row in rows:
        row.address_digest = ""
    save(rows, "address_digest")


def past_mails(now: dt.datetime) -> Rows:
    """Return the letters about sessions, with their recipients, that were written and are over more than DAYS ago."""
    then = now - DAYS
    return EveningMail.objects.filter(session__date__lt=then.date(), asked_at__lt=then)


def over_links(links: type[Model]) -> Callable[[dt.datetime], Rows]:
    """Return a function that finds the links which expired, were used or were revoked more than DAYS ago."""

    def due(now: dt.datetime) -> Rows:
        then = now - DAYS
        over = Q(expires_at__lt=then) | Q(used_at__lt=then) | Q(revoked_at__lt=then)
        return links._base_manager.filter(over)

    return due


def over_tokens(now: dt.datetime) -> Rows:
    """Return the tokens of programs that were ended, or whose last day was over, more than DAYS ago."""
    then = now - DAYS
    return ProgramToken.objects.filter(Q(ended_at__lt=then) | Q(ends_on__lt=then.date()))


def old_questions(now: dt.datetime) -> Rows:
    """Return questions between clubs, about a player, that nobody has agreed to in their time.

    They may contain the name of somebody whom the asked club does not know.
    """
    questions = PersonLink.objects.filter(proposed_at__lt=now - LIFE, accepted_at=None)
    return questions.filter(Q(ended_at=None) | ~Q(asked=""))


def end_questions(rows: Sequence[PersonLink]) -> None:
    """End these questions and remove the name that they contain."""
    for row in rows:
        row.asked, row.ended_at = "", row.ended_at or row.proposed_at + LIFE
    save(rows, "asked", "ended_at")


def over_codes(now: dt.datetime) -> Rows:
    """Return the arbiter's codes that ended more than DAYS ago."""
    return ArbiterCode.objects.filter(Q(expires_at__lt=now - DAYS) | Q(ended_at__lt=now - DAYS))


def older(rows: type[Model], moment: str) -> Callable[[dt.datetime], Rows]:
    """Return a function that finds the rows whose date field `moment` is more than DAYS ago."""
    return lambda now: rows._base_manager.filter(**{f"{moment}__lt": now - DAYS})


MAKES = (
    (ResultEntry, "entered_at"),
    (PlayRecord, "recorded_at"),
    (EntryCheck, "checked_at"),
    (Ruling, "ruled_at"),
    (RequestAnswer, "answered_at"),
)

PERIODS: tuple[Period, ...] = (
    Period(
        _("Results, rankings, feuilles de route, rulings and penalties"),
        _("for ever"),
        _("They belong to everybody who played, and it must be possible to check a figure. A name can be erased."),
    ),
    Period(
        _("Name, licence, category, series, ladies’ ranking, country and club of origin, on the list of a club"),
        _("until the club removes them, or they are erased"),
        _("To recognise somebody who comes back. Only the club’s directors see more than the name."),
    ),
    Period(
        _("The federation’s list that a club has read: names, licences, categories, series and clubs"),
        _("until the club reads a newer list or deletes it, 13 months at most"),
        _(
            "So that the directors of this club find a licence when somebody joins. Nobody else sees the list. Whoever "
            "is erased is deleted from it, and no later list is read with them."
        ),
        (ExpiryStep(find_old_lists, delete),),
    ),
    Period(
        _("The device that entered a result at a table: its make and its name"),
        _("30 days; then a number that reveals nothing about it"),
        _("To trace a contested result to the device that sent it."),
        (
            ExpiryStep(old_devices, number_devices),
            *(ExpiryStep(with_make(rows, moment), forget_make) for rows, moment in (*MAKES, (LogEntry, "at"))),
        ),
    ),
    Period(
        _("Network addresses of people who opened a table by its number, or who tried a password"),
        _("30 days"),
        _("To notice and stop somebody who tries to break in."),
        (
            ExpiryStep(old_device_lines, forget_lines),
            ExpiryStep(older(LogInTry, "at"), delete),
        ),
    ),
    Period(
        _("Where an account is logged in: browser, network address and time"),
        _("while it is logged in; address and browser 30 days at most"),
        _("So that the owner sees who is logged in, and can log them out."),
        (
            ExpiryStep(lambda now: LogIn.objects.filter(expire_date__lt=now), delete),
            ExpiryStep(old_log_ins, end_log_ins),
        ),
    ),
    Period(
        _("The phone number or address that somebody left when they signed up for an evening"),
        _("until 30 days after the evening, with the link to their registration"),
        _("So that the director can reach them about that evening."),
        (ExpiryStep(past_applicants, forget_contacts),),
    ),
    Period(
        _("Invitations, links to an account or a new password, arbiter’s codes, addresses not yet confirmed"),
        _("until 30 days after they were used or expired"),
        _("To see who came in by which link."),
        (
            *(ExpiryStep(over_links(links), delete) for links in (Invitation, PlayerLink, PasswordLink)),
            ExpiryStep(over_codes, delete),
            ExpiryStep(lambda now: EmailConfirmation.objects.filter(sent__lt=now - DAYS), delete),
        ),
    ),
    Period(
        _("The name or licence by which a club asked another whether somebody plays there too"),
        _("until it is answered or withdrawn, 30 days at most"),
        _("To ask the right person. The club that asks learns nothing unless the person agrees."),
        (ExpiryStep(old_questions, end_questions),),
    ),
    Period(
        _("The link on a player’s guide card, and the secret addresses of personal calendars"),
        _(
            "with the evening, or until the player is erased; a withdrawn link opens nothing, and a "
            "calendar’s is deleted 30 days later"
        ),
        _("So that players find their own results without an account."),
        (ExpiryStep(older(CalendarLink, "revoked_at"), delete),),
    ),
    Period(
        _("The wish of an account to get its feuilles de route by e-mail, and which ones were sent"),
        _("until the account stops them, or is erased"),
        _("To send each published version once, and only to people who asked for it."),
    ),
    Period(
        _("E-mails to people who signed up for an evening: their text, and who received them"),
        _("until 30 days after the evening"),
        _("To write to each person once, and so that directors see who knows."),
        (ExpiryStep(past_mails, delete),),
    ),
    Period(
        _("The wish of an account to receive no e-mails about evenings"),
        _("until the account is erased"),
        _("So that nobody gets e-mails that they have stopped."),
    ),
    Period(
        _("The calls by which the site told a program of the club that a ranking has changed"),
        _("30 days; no name is in them"),
        _("So that a director sees why a program did not hear of a ranking."),
        (ExpiryStep(older(WebhookCall, "made_at"), delete),),
    ),
    Period(
        _("Tokens of programs"),
        _("90 days, or until the password changes; the site does not store them"),
        _("A token itself says who it belongs to and until when."),
    ),
    Period(
        _("Tokens that a director has created for a program of the club: name, scopes, last use"),
        _("until 30 days after they ended; deleted at once with the role"),
        _("To see which token is used, and to end it. The site keeps no token, only a digest."),
        (ExpiryStep(over_tokens, delete),),
    ),
    Period(
        _("The account: name, e-mail address, password (as a digest), two-step log-in"),
        _("until its owner has it erased"),
        _("To log in."),
    ),
    Period(
        _("The log of an evening and of a club’s staff: who did what, and when"),
        _("for ever; without the device and its address after 30 days"),
        _("To be able to tell everybody how a result came about."),
    ),
    Period(
        _("Who looked at the cards of an étui before it was played"),
        _("for ever"),
        _("So that nobody has to take our word that the deals were secret."),
    ),
    Period(
        _("All of this, in the backups of the site"),
        _("a year at most: one of each of 7 days, 4 weeks and 12 months; on a laptop the last ten"),
        _("To bring everything back after a fault. After that time, what was erased is gone from them, too."),
    ),
    Period(
        _("Which registrations for an evening came from one network address: a digest of address and day"),
        _("until the end of the day (midnight UTC), or a few minutes later"),
        _("So that a director can refuse together what one address sent. The address itself is not stored."),
        (ExpiryStep(past_digests, forget_digests),),
    ),
    Period(
        _("How many wrong codes were tried from a network address"),
        _("a day at most"),
        _("To stop people from guessing codes."),
    ),
    Period(
        _("Large files of a published ranking, made on request, with a digest of the network address that asked"),
        _("a day"),
        _("So that nobody waits twice for the same file, and nobody has several made at once."),
        (ExpiryStep(lambda now: WantedFile.objects.filter(asked_at__lt=now - A_DAY), delete),),
    ),
    Period(
        _("Files that a director of a club asked for, and archives of tournaments that a director wants to import"),
        _("a day"),
        _("So that the director can download or import them."),
        (ExpiryStep(lambda now: ClubFile.objects.filter(asked_at__lt=now - A_DAY), delete),),
    ),
    PERIOD_OF_CASH,
    *PERIODS_OF_ROOMS,
)
