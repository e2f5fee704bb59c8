"""The job that sends the letters about an evening: one mail for each recipient, once, in the recipient's language.

A job holds a claim of the recipient, sends the mail, and then stores that it is sent. No transaction is open while the
mail server answers. If a job is killed in between, another one sends the mail once its claim has ended. Only a job that
is killed after the server has accepted the mail, and before this is stored, makes a mail leave twice. Both have the
same Message-ID, by which mail programs show one of them.
"""

import datetime as dt
import logging
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format, time_format
from django.utils.translation import gettext as _

from clubs.house import find_club_language
from clubs.roles import find_directorship
from outgoing.mailing.evenings import (
    Kind,
    find_own_applicants,
    find_told_of_place,
    is_called_off,
    is_concerned,
    is_time,
    knows_of_place,
)
from outgoing.mailing.sending import FAULTS, MailRound, is_refused, spares_others
from outgoing.mailing.wishes import confirmed_address, find_stop_link, wants_evening_mails, write_stop_headers
from registration.people.applicants import ListedApplicant, list_down
from registration.people.registration import is_cancelled
from tournaments.job_health import hold_claim
from tournaments.models import Applicant, EveningMail, EveningMailRecipient, Session
from tournaments.queue import EVENING_MAIL

Outcome = EveningMailRecipient.MailOutcome
PAUSE = dt.timedelta(minutes=10)  # a mail that the server refused for now is tried again after this time
TRIED_FOR = dt.timedelta(days=1)  # for this time after it was written a letter is sent
logger = logging.getLogger(__name__)


class EveningLetter(NamedTuple):
    """The words of a mail about an evening, in one language."""

    subject: str
    body: str


class ReaderGroup(NamedTuple):
    """The applicants of one account for whom a letter says the same. `waits`: they are on the waiting list."""

    applicants: Sequence[Applicant]
    waits: bool


def find_mails_under_way() -> list[int]:
    """Return the ids of the letters that have not ended."""
    if not settings.MAIL:
        return []
    return list(EveningMail.objects.filter(ended_at=None).order_by("pk").values_list("pk", flat=True))


def send_evening_mail(mail_id: int, *, now: dt.datetime) -> int:
    """Send a letter to all recipients who have not got it. Return how many mails were sent.

    If the mail server fails, stop: the sweep tries again for a day. If it refuses one mail, go on with the others.
    After the seconds of a round, queue the rest.
    """
    mail = find_mail(mail_id) if settings.MAIL else None
    if mail is None:
        return 0
    listed = {each.applicant.pk: each for each in list_down(mail.session)}
    sent = 0
    try:
        with MailRound() as mails:
            for recipient in EveningMailRecipient.objects.filter(find_due(now), mail=mail).order_by("pk"):
                sent += send_once(recipient, listed, mails, now)
                if mails.go_on_later(mail.pk, EVENING_MAIL):
                    break
    except FAULTS:
        logger.warning("a letter about session %s is not sent to everybody", mail.session_id, exc_info=True)
    if not EveningMailRecipient.objects.filter(mail=mail, outcome=Outcome.WAITS).exists():
        EveningMail.objects.filter(pk=mail.pk, ended_at=None).update(ended_at=now)
    return sent


def find_mail(mail_id: int) -> EveningMail | None:
    """Return a letter that has not ended, with its session as it is now."""
    joins = "session__tournament__club__house", "author"
    return EveningMail.objects.select_related(*joins).filter(pk=mail_id, ended_at=None).first()


def find_due(now: dt.datetime) -> Q:
    """Return the condition that a recipient has not got the letter, and that the server did not just refuse it for now.

    `claimed_at` is the moment of such a refusal.
    """
    return Q(outcome=Outcome.WAITS) & (Q(claimed_at=None) | Q(claimed_at__lte=now - PAUSE))


def send_once(
    recipient: EveningMailRecipient, listed: Mapping[int, ListedApplicant], mails: MailRound, now: dt.datetime
) -> bool:
    """Send the mail to one recipient and store the outcome, unless another job does so. Return whether it was sent."""
    own = EveningMailRecipient.objects.filter(find_due(now), pk=recipient.pk)
    with hold_claim(f"evening-mail-{recipient.pk}") as is_mine:
        if not is_mine or not own.exists():
            return False
        outcome = send_to(recipient, listed, mails, now)
        done = {"done_at": now} if outcome else {"claimed_at": now}
        own.update(outcome=outcome, **done)
    return outcome == Outcome.SENT


def send_to(
    recipient: EveningMailRecipient,
    listed: Mapping[int, ListedApplicant],
    mails: MailRound,
    now: dt.datetime,
) -> str:
    """Send the mail to one recipient, if it is still right. Return the outcome.

    If the server refuses this mail for now, the outcome is that it waits. If the server fails for all mails, raise the
    error.
    """
    mail = find_mail(recipient.mail_id)
    message = None if mail is None else write_mail(mail, recipient, listed, now)
    if message is None:
        return Outcome.LEFT_OUT
    try:
        mails.send(message)
    except FAULTS as error:
        if is_refused(error):
            logger.warning("the mail server refuses an address: its letter is not sent")
            return Outcome.REFUSED
        if spares_others(error):
            logger.warning("the mail server refuses an address for now: its letter is tried again", exc_info=True)
            return Outcome.WAITS
        raise
    return Outcome.SENT


def write_mail(
    mail: EveningMail, recipient: EveningMailRecipient, listed: Mapping[int, ListedApplicant], now: dt.datetime
) -> EmailMessage | None:
    """Return the mail, or None if the recipient must not get it any more.

    `listed` has the applicants who have not withdrawn, with their places.
    """
    user, session = recipient.user, mail.session
    email = confirmed_address(user)
    own = find_own_applicants(session, user.pk)
    told_at = find_told_of_place(session, before=mail).get(user.pk) if mail.kind == Kind.PLACE else None
    down = [listed[each.pk] for each in own if each.pk in listed]
    mine = [each.applicant for each in down if is_concerned(each, mail.kind) and not knows_of_place(each, told_at)]
    if not mine or not email or not may_be_sent(mail, now) or not wants_evening_mails(user.pk):
        return None
    house = getattr(session.tournament.club, "house", None)
    contact = house.contact if house is not None and house.shows_address else ""
    stop = find_stop_link(user.pk)
    end = settings.SITE_URL + reverse("mails_end", args=[stop.token])
    waiting = {each.pk for each in mine if listed[each.pk].waits}
    language = mine[0].language or find_club_language(session.tournament.club)
    letter = write_evening_letter(mail, mine, end=end, waiting=waiting, language=language, own=user.pk)
    headers = write_stop_headers(end) | {"Message-ID": f"<{recipient.token}@{urlsplit(settings.SITE_URL).hostname}>"}
    return EmailMessage(
        letter.subject, letter.body, to=[email], headers=headers, reply_to=[contact] if contact else None
    )


def may_be_sent(mail: EveningMail, now: dt.datetime) -> bool:
    """Return whether the letter is still right for the session as it is now.

    It is not sent a day after it was written, or once the session has started. A letter of a director is not sent once
    the role has ended. If a session is cancelled, only the letter that says so is sent. A reminder is sent only for the
    date for which it was made, on the day before and at an hour for reminders.
    """
    session = mail.session
    if session.status != Session.Status.DRAFT or mail.asked_at < now - TRIED_FOR:
        return False
    if mail.kind == Kind.REMINDER:
        return mail.date == session.date and is_time(session, now) and not is_called_off(session)
    if mail.author is None or find_directorship(mail.author, session.tournament.club) is None:
        return False
    return mail.kind == Kind.CANCELLED or not is_cancelled(session)


def write_evening_letter(
    mail: EveningMail, mine: Sequence[Applicant], *, end: str, waiting: Collection[int], language: str, own: int
) -> EveningLetter:
    """Return the words of the mail to an account (`own`) in a language. `mine` are the account's applicants.

    `end` is the address that stops these mails. `waiting` has the ids of those on the waiting list. A letter about a
    free place has one sentence for them and another for those who have a place.
    """
    session, tournament = mail.session, mail.session.tournament
    with translation.override(language), timezone.override(tournament.club.zone):
        text_values = {
            "name": tournament.name,
            "number": session.number,
            "date": date_format(session.date, "l j F Y"),
            "time": time_format(session.starts_at),
        }
        groups = split_readers(mail.kind, mine, waiting)
        subject = write_words(mail.kind, waits=groups[0].waits)[0]
        personal = next((each for each in mine if each.user_id == own), None)
        if personal is not None:
            link = settings.SITE_URL + reverse("registered", args=[personal.token])
        else:
            link = settings.SITE_URL + reverse("sign_up", args=[tournament.club.slug, tournament.slug, session.number])
        lines = [
            *(line for group in groups for line in write_greeting(mail.kind, group, text_values)),
            mail.text,
            _("Your registration:") + f" {link}",
            tournament.club.name,
            _("You receive this e-mail because you signed up. To stop e-mails about evenings, open this link:")
            + f" {end}",
        ]
        return EveningLetter(" ".join((subject % text_values).split()), "\n\n".join(filter(None, lines)) + "\n")


def split_readers(kind: str, mine: Sequence[Applicant], waiting: Collection[int]) -> list[ReaderGroup]:
    """Return an account's applicants in groups that read the same sentence: those with a place, then those who wait."""
    if kind != Kind.PLACE:
        return [ReaderGroup(mine, False)]
    placed = ReaderGroup([each for each in mine if each.pk not in waiting], False)
    waits = ReaderGroup([each for each in mine if each.pk in waiting], True)
    return [group for group in (placed, waits) if group.applicants]


def write_greeting(kind: str, group: ReaderGroup, told: Mapping[str, object]) -> tuple[str, str]:
    """Return the names of a group, and the sentence for it. `told` has the facts of the session."""
    sentence = write_words(kind, waits=group.waits)[1]
    return (
        ", ".join(each.name for each in group.applicants) + ",",
        (sentence or _("News of %(name)s, session %(number)s, on %(date)s at %(time)s:")) % told,
    )


def write_words(kind: str, *, waits: bool) -> tuple[str, str]:
    """Return the subject and the first sentence of a letter, in the present language, with places for its facts.

    `waits`: the reader is on the waiting list.
    """
    match kind:
        case Kind.CANCELLED:
            return (
                _("Cancelled: %(name)s, session %(number)s, %(date)s"),
                _("%(name)s, session %(number)s, on %(date)s at %(time)s will not take place."),
            )
        case Kind.MOVED:
            return (
                _("New date: %(name)s, session %(number)s, %(date)s"),
                _("%(name)s, session %(number)s now takes place on %(date)s at %(time)s."),
            )
        case Kind.PLACE if waits:
            return (
                _("A place is free: %(name)s, session %(number)s, %(date)s"),
                _(
                    "You are on the waiting list of %(name)s, session %(number)s, on %(date)s at %(time)s. A place is "
                    "free: tell the director whether you come."
                ),
            )
        case Kind.PLACE:
            return (
                _("You have a place: %(name)s, session %(number)s, %(date)s"),
                _("A place has become free, and it is yours: %(name)s, session %(number)s, on %(date)s at %(time)s."),
            )
        case Kind.REMINDER:
            return (
                _("Tomorrow: %(name)s, session %(number)s, %(date)s"),
                _(
                    "You are expected tomorrow: %(name)s, session %(number)s, on %(date)s at %(time)s. If you cannot "
                    "come, withdraw by the link below."
                ),
            )
    return _("%(name)s, session %(number)s, %(date)s"), ""
