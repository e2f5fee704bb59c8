"""The letters of directors to the people who signed up for a session: who gets them, the limits, the reminders.

A letter goes only to confirmed addresses of accounts: the account that signed up, or that of the player whom a director
has chosen. Nobody sees an address, not even the director. An account gets each letter once, even if it has signed up
several people.
"""

import datetime as dt
import hashlib
import logging
import re
import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar, NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from clubs.models import Player, User, real_clubs
from registration.people.applicants import ListedApplicant, list_down
from registration.people.registration import is_cancelled
from tournaments.errors import ActionRefused
from tournaments.locks import lock_account, lock_draft, lock_session
from tournaments.log import log_action
from tournaments.models import Applicant, EveningMail, EveningMailRecipient, EveningMailWish, Session
from tournaments.queue import queue_evening_mail
from wording import Texts
from wording import gettext_noop as _


class MailRefused(ActionRefused):
    """An error: a letter to the people who signed up was refused, and nobody gets it."""

    messages: ClassVar[Texts] = {
        "mail_no_server": _("This site sends no e-mail: its administrator has set no e-mail server."),
        "mail_of_practice": _("People of a practice evening are invented: nobody gets an e-mail."),
        "mail_session_cancelled": _("This session is cancelled: write only that it will not take place."),
        "mail_without_preview": _("Look at the preview of the e-mail first, and send it from there."),
        "mail_needs_text": _("Write what you want to tell them."),
        "mail_too_long": _("The text has more than %(most)s letters: make it shorter."),
        "mail_nobody": _("Nobody can get this e-mail: nobody concerned has an account with a confirmed address."),
        "mails_of_session": _(
            "%(most)s e-mails about this session were sent within a day: write again tomorrow, or call people."
        ),
        "mails_of_director": _("You have sent %(most)s e-mails within a day: write again tomorrow, or call people."),
    }


Kind = EveningMail.MailKind
Outcome = EveningMailRecipient.MailOutcome
LONG_AGO, FAR_FUTURE = dt.datetime.min.replace(tzinfo=dt.UTC), dt.datetime.max.replace(tzinfo=dt.UTC)
BY_HAND = (Kind.CANCELLED, Kind.MOVED, Kind.PLACE, Kind.NEWS)  # the kinds that a director may choose
A_DAY = dt.timedelta(days=1)
MOST_OF_SESSION = 4  # the most letters of directors about a session in a day
MOST_OF_DIRECTOR = 12  # the most letters of a director in a day, in all clubs
MOST_TEXT = 2000  # the most letters of a text
FORM_KEY = re.compile(r"[A-Za-z0-9_-]{16,40}")  # what the page of the preview puts into its form


class EveningAudience(NamedTuple):
    """The people concerned by a letter. `reached` has the applicants of each account that gets it.

    `stopped` want no e-mails about evenings. `unreached` have no account with a confirmed address.
    """

    reached: Mapping[int, Sequence[Applicant]]
    stopped: Sequence[Applicant]
    unreached: Sequence[Applicant]


def find_audience(session: Session, kind: str) -> EveningAudience:
    """Return the people concerned by a letter of this kind. The number of queries does not depend on their number."""
    down = [each for each in list_down(session) if is_concerned(each, kind)]
    accounts = find_accounts([each.applicant for each in down])
    told_at = find_told_of_place(session) if kind == Kind.PLACE else {}
    concerned = [
        each.applicant for each in down if not knows_of_place(each, told_at.get(accounts.get(each.applicant.pk, 0)))
    ]
    users = set(accounts.values())
    confirmed = find_confirmed(users)
    stopped = set(
        EveningMailWish.objects.filter(user__in=users, stopped_at__isnull=False).values_list("user", flat=True)
    )
    reached: dict[int, list[Applicant]] = {}
    for each in concerned:
        user = accounts.get(each.pk)
        if user in confirmed and user is not None and user not in stopped:
            reached.setdefault(user, []).append(each)
    return EveningAudience(
        reached,
        [each for each in concerned if accounts.get(each.pk) in confirmed & stopped],
        [each for each in concerned if accounts.get(each.pk) not in confirmed],
    )


def is_concerned(listed: ListedApplicant, kind: str) -> bool:
    """Return whether a letter of this kind is for an applicant.

    A player named by a captain has to agree first. The letter about a free place is for people who wait, and for those
    who have moved up from the waiting list. A reminder is for people with a place.
    """
    applicant = listed.applicant
    if applicant.captain_id is not None and applicant.agreed_at is None:
        return False
    if kind == Kind.PLACE:
        return listed.waits > 0 or applicant.moved_up_at is not None
    return kind != Kind.REMINDER or not (listed.waits or listed.lacks or listed.held)


def find_told_of_place(session: Session, *, before: EveningMail | None = None) -> dict[int, dt.datetime]:
    """Return when each account got its last letter about a free place, by the account's id.

    With `before`, only letters before this one count. The moment of a letter that waits is FAR_FUTURE, because its text
    is made when it is sent. Letters that were not sent do not count.
    """
    rows = EveningMailRecipient.objects.filter(mail__session=session, mail__kind=Kind.PLACE)
    if before is not None:
        rows = rows.filter(mail__lt=before.pk)
    told_at: dict[int, dt.datetime] = {}
    for user, done in rows.filter(outcome__in=(Outcome.WAITS, Outcome.SENT)).values_list("user", "done_at"):
        told_at[user] = max(told_at.get(user, LONG_AGO), done or FAR_FUTURE)
    return told_at


def knows_of_place(listed: ListedApplicant, told_at: dt.datetime | None) -> bool:
    """Return whether an applicant has moved up, and the account got a letter about it (`told_at`)."""
    moved = listed.applicant.moved_up_at
    return not listed.waits and moved is not None and told_at is not None and told_at >= moved


def find_accounts(applicants: Sequence[Applicant]) -> dict[int, int]:
    """Return the account of each applicant, by id. Applicants without an account are left out. One query."""
    chosen = [each.player_id for each in applicants if each.user_id is None and each.player_id is not None]
    tied = dict(Player.objects.filter(pk__in=chosen, account__isnull=False).values_list("pk", "account"))
    accounts = {each.pk: each.user_id or tied.get(each.player_id or 0) for each in applicants}
    return {pk: user for pk, user in accounts.items() if user is not None}


def find_confirmed(users: Collection[int]) -> set[int]:
    """Return those of the accounts that are active and have a confirmed address. One query."""
    confirmed = EmailAddress.objects.filter(user__in=users, verified=True, user__is_active=True)
    return set(confirmed.values_list("user", flat=True))


@transaction.atomic
def write_to_applicants(*, session_id: int, kind: str, text: str, key: str, by: User, now: dt.datetime) -> EveningMail:
    """Store a letter of a director, and queue the job that sends it. Return the letter.

    `key` identifies the form. If the same form comes again with the same words, the first letter is returned. Raise
    `MailRefused` if the letter cannot be sent.
    """
    require_mail()
    if not FORM_KEY.fullmatch(key):
        raise MailRefused("mail_without_preview")
    session = lock_draft(session_id)
    written = clean_text(text)
    own_key = write_form_key(session, key, kind, written)
    stored = EveningMail.objects.filter(key=own_key).first()
    if stored is not None:
        return stored
    require_letter(session, kind, written)
    require_few(session, by, now)
    audience = find_audience(session, kind)
    if not audience.reached:
        raise MailRefused("mail_nobody")
    mail = EveningMail.objects.create(
        session=session, kind=kind, text=written, date=session.date, key=own_key, author=by, asked_at=now
    )
    address_mail(mail, audience)
    log_action(session, f"mail_{mail.kind}", now=now, by=by, count=len(audience.reached))
    queue_evening_mail(mail.pk)
    return mail


def write_form_key(session: Session, key: str, kind: str, text: str) -> str:
    """Return the key of a letter that a form makes. It is never that of a reminder."""
    digest = hashlib.sha256("\n".join((key, kind, text)).encode()).hexdigest()
    return f"{session.pk}:form:{digest[:40]}"


def require_mail() -> None:
    """Raise `MailRefused` if the site sends no mail."""
    if not settings.MAIL:
        raise MailRefused("mail_no_server")


def require_letter(session: Session, kind: str, text: str) -> None:
    """Raise `MailRefused` if a director may not write this about the session. The session is read with its club."""
    if session.tournament.club.is_practice:
        raise MailRefused("mail_of_practice")
    if kind not in BY_HAND:
        raise ValueError(f"{kind} is no kind of letter that a director writes")
    if is_cancelled(session) and kind != Kind.CANCELLED:
        raise MailRefused("mail_session_cancelled", "kind")
    if kind == Kind.NEWS and not text:
        raise MailRefused("mail_needs_text", "text")
    if len(text) > MOST_TEXT:
        raise MailRefused("mail_too_long", "text", most=MOST_TEXT)


def require_few(session: Session, by: User, now: dt.datetime) -> None:
    """Raise `MailRefused` if too many letters were written within a day. The session is locked.

    It locks the account of the director, so that two letters about different sessions are not counted at once.
    """
    lock_account(by.pk)
    lately = EveningMail.objects.exclude(kind=Kind.REMINDER).filter(asked_at__gt=now - A_DAY)
    if lately.filter(session=session).count() >= MOST_OF_SESSION:
        raise MailRefused("mails_of_session", most=MOST_OF_SESSION)
    if lately.filter(author=by).count() >= MOST_OF_DIRECTOR:
        raise MailRefused("mails_of_director", most=MOST_OF_DIRECTOR)


def clean_text(text: str) -> str:
    """Return the text without control characters, with plain line ends, and without blank lines around it."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("".join(each for each in line if each.isprintable()).rstrip() for line in lines).strip()


def address_mail(mail: EveningMail, audience: EveningAudience) -> None:
    """Store a row for each account that gets the letter."""
    EveningMailRecipient.objects.bulk_create(
        EveningMailRecipient(mail=mail, user_id=user, applicant=applicants[0], token=secrets.token_urlsafe(32))
        for user, applicants in audience.reached.items()
    )


def is_called_off(session: Session) -> bool:
    """Return whether the session is put away, or a director has written that it is cancelled on its present date."""
    written = EveningMail.objects.filter(session=session, kind=Kind.CANCELLED, date=session.date)
    return is_cancelled(session) or written.exists()


def find_own_applicants(session: Session, user_id: int) -> list[Applicant]:
    """Return the applicants of an account who have not withdrawn. One query."""
    own = Q(user=user_id) | Q(user=None, player__account=user_id)
    return list(Applicant.objects.filter(own, session=session, withdrawn_at=None).order_by("id"))


FIRST_HOUR, LAST_HOUR = 10, 20  # by the clock of the club: nobody is reminded at night
logger = logging.getLogger(__name__)


def make_reminders(now: dt.datetime) -> list[int]:
    """Make the reminders of all sessions of tomorrow that want one and have none. Return the ids of the letters.

    A session that is called off is not looked at. If one session fails, the others have their reminders.
    """
    if not settings.MAIL:
        return []
    of_date = EveningMail.objects.filter(session=OuterRef("pk"), date=OuterRef("date"))
    done = of_date.filter(kind__in=(Kind.REMINDER, Kind.CANCELLED))
    near = (now.date(), now.date() + 2 * A_DAY)  # the date of the club may be another one than here
    wanted = {"registration__reminds": True, "status": Session.Status.DRAFT, "date__range": near}
    sessions = Session.objects.filter(real_clubs("tournament__club"), ~Exists(done), **wanted)
    in_use = {"put_away_at": None, "tournament__put_away_at": None}
    due_sessions = sessions.filter(**in_use).select_related("tournament__club").order_by("pk")
    return [mail.pk for each in due_sessions if is_time(each, now) and (mail := try_reminder(each.pk, now)) is not None]


def is_time(session: Session, now: dt.datetime) -> bool:
    """Return whether it is the day before the session, at an hour for reminders, by the clock of the club."""
    local = timezone.localtime(now, session.tournament.club.zone)
    return session.date == local.date() + A_DAY and FIRST_HOUR <= local.hour < LAST_HOUR


def try_reminder(session_id: int, now: dt.datetime) -> EveningMail | None:
    """Make the reminder of a session. If the database refuses it, log the error and return None."""
    try:
        return make_reminder(session_id, now)
    except DatabaseError:
        logger.exception("the reminder of session %s cannot be made", session_id)
        return None


@transaction.atomic
def make_reminder(session_id: int, now: dt.datetime) -> EveningMail | None:
    """Store the reminder of a session with its recipients. Return it, or None if there is no reminder to send.

    The session is locked, so that two sweeps make one. It is stored without recipients too: the sweep does not look at
    the session again.
    """
    session = lock_session(session_id, "tournament__club")
    stored = EveningMail.objects.filter(session=session, kind=Kind.REMINDER, date=session.date)
    if session.status != Session.Status.DRAFT or is_called_off(session) or not is_time(session, now) or stored.exists():
        return None
    audience = find_audience(session, Kind.REMINDER)
    key = f"{session.pk}:reminder:{session.date}"
    mail = EveningMail.objects.create(session=session, kind=Kind.REMINDER, date=session.date, key=key, asked_at=now)
    address_mail(mail, audience)
    if audience.reached:
        log_action(session, "mail_reminder", now=now, count=len(audience.reached))
    return mail
