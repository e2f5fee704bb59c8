"""The doctor's examination of jobs and mail (the subjects `queues`, `workers`, `beat` and `mail`).

On a laptop, the process of the site does all jobs itself.
"""

import datetime as dt
from collections.abc import Iterator
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import DatabaseError
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from operations.doctor.findings import SiteFinding, say_seconds, tell_error, tell_good, tell_warning
from operations.queues import find_workers, late_after, make_redis_client, read_queues, say_how_to_start
from outgoing.mailing.queued import find_waiting_mails
from tournaments.models import QueuedMail
from tournaments.queue import age_of_tick

IN_PROCESS = "The process of the site does it."
UNKNOWN = tell_error("Redis does not tell.", "Nobody knows whether jobs run.", "See the finding about Redis.")
MOST_WAITING = 1000


def examine_queues() -> Iterator[SiteFinding]:
    """Yield, for each queue, how many jobs wait. Jobs that wait for too long are a warning."""
    if not settings.REDIS_URL:
        yield tell_good(IN_PROCESS)
        return
    try:
        with make_redis_client() as client:
            queues = read_queues(client)
    except RedisError:
        yield UNKNOWN
        return
    for each in queues:
        what = f"{each.name}: {each.waiting} jobs wait, the oldest for {say_seconds(each.oldest)}."
        remedy = f"Start a worker for the queue {each.name}, or a second one."
        if each.oldest > late_after() or each.waiting > MOST_WAITING:
            yield tell_warning(what, settings.JOB_QUEUES[each.name].waits, remedy)
        else:
            yield tell_good(what if each.waiting else f"{each.name}: no job waits.")


def examine_workers() -> Iterator[SiteFinding]:
    """Yield, for each queue, whether a worker takes its jobs."""
    if not settings.REDIS_URL:
        yield tell_good(IN_PROCESS)
        return
    try:
        taken = find_workers()
    except (RedisError, OperationalError, OSError):
        yield UNKNOWN
        return
    for name, workers in taken.items():
        if workers:
            yield tell_good(f"{name}: {len(workers)} workers.")
        else:
            queue = settings.JOB_QUEUES[name]
            make = tell_error if queue.is_needed else tell_warning
            yield make(f"No worker takes the queue {name}.", queue.waits, say_how_to_start(name))


def examine_beat() -> Iterator[SiteFinding]:
    """Yield whether Celery's beat is alive. Beat sends a job every few seconds, and that job stores the time."""
    if not settings.REDIS_URL:
        yield tell_good(IN_PROCESS)
        return
    try:
        age = age_of_tick()
    except RedisError:
        yield UNKNOWN
        return
    what = "No tick is known." if age is None else f"Its last tick was {say_seconds(age)} ago."
    if age is not None and age <= late_after():
        yield tell_good(what)
        return
    why = "Lost jobs are not found again, rankings do not become official, old data is not deleted."
    remedy = f"Start one beat, `{settings.COMMAND} beat`, and a worker for the queue rest. Then wait a minute."
    yield tell_error(what, why, remedy)


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
