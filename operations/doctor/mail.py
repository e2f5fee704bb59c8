"""The doctor's examination of mail (the subject `mail`)."""

import datetime as dt
from collections.abc import Iterator
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import DatabaseError
from django.utils import timezone

from operations.doctor.findings import SiteFinding, say_seconds, tell_error, tell_good, tell_warning
from outgoing.mailing.queued import find_waiting_mails
from tournaments.models import QueuedMail

LATE = dt.timedelta(minutes=10)
WHY = "Forgotten passwords, invitations and feuilles de route are not sent."


def examine_mail(to: str) -> Iterator[SiteFinding]:
    """Yield whether the mail server accepts the log-in, and a mail to `to` if that is not ""."""
    if not settings.MAIL:
        if to:
            yield tell_error("No mail can be sent: EMAIL_HOST is not set.", WHY, "Set EMAIL_HOST and SITE_URL.")
        else:
            yield tell_good("None is set up: directors hand links over.")
        return
    try:
        with get_connection() as connection:
            if to:
                body = f"The site {settings.SITE_URL} can send mail."
                EmailMessage("Topage: a mail of the doctor", body, to=[to], connection=connection).send()
    except (SMTPException, OSError) as failed:
        what = f"The mail server {settings.EMAIL_HOST}:{settings.EMAIL_PORT} refuses ({failed})."
        yield tell_error(what, WHY, "Correct EMAIL_HOST, EMAIL_PORT, EMAIL_SECURITY, EMAIL_HOST_USER and the password.")
        yield from examine_queued_mails()
        return
    yield from examine_queued_mails()
    yield tell_good(f"A mail is sent to {to}: look whether it arrives." if to else "The mail server answers.")
    if settings.SERVER and "@localhost" in settings.DEFAULT_FROM_EMAIL:
        why = "Other mail servers refuse it, or call it spam."
        yield tell_warning(f"The sender is {settings.DEFAULT_FROM_EMAIL}.", why, "Set EMAIL_FROM.")


def examine_queued_mails() -> Iterator[SiteFinding]:
    """Yield whether mails that pages have asked for wait for minutes, or were given up in the last week."""
    late = find_waiting_mails().filter(asked_at__lt=timezone.now() - LATE)
    gone = QueuedMail.objects.exclude(given_up_at=None)
    remedy = "Look in the log of the worker of the queue mails, and at the mail server."
    try:
        waiting, given_up = late.count(), gone.count()
    except DatabaseError:  # another subject tells of it
        return
    if waiting:
        yield tell_warning(f"{waiting} mails wait for more than {say_seconds(LATE.total_seconds())}.", WHY, remedy)
    if given_up:
        yield tell_warning(f"{given_up} mails of the last week were not sent within a day.", WHY, remedy)
