"""The reminders of the day before: the sweep makes one for each session that wants it, from ten to eight o'clock."""

import datetime as dt
import logging

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from clubs.models import real_clubs
from outgoing.mailing.evenings import A_DAY, Kind, address_mail, find_audience, is_called_off
from tournaments.locks import lock_session
from tournaments.log import log_action
from tournaments.models import EveningMail, Session

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
    there = {"put_away_at": None, "tournament__put_away_at": None}
    found = sessions.filter(**there).select_related("tournament__club").order_by("pk")
    return [mail.pk for each in found if is_time(each, now) and (mail := try_reminder(each.pk, now)) is not None]


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
    there = EveningMail.objects.filter(session=session, kind=Kind.REMINDER, date=session.date)
    if session.status != Session.Status.DRAFT or is_called_off(session) or not is_time(session, now) or there.exists():
        return None
    audience = find_audience(session, Kind.REMINDER)
    key = f"{session.pk}:reminder:{session.date}"
    mail = EveningMail.objects.create(session=session, kind=Kind.REMINDER, date=session.date, key=key, asked_at=now)
    address_mail(mail, audience)
    if audience.reached:
        log_action(session, "mail_reminder", now=now, count=len(audience.reached))
    return mail
