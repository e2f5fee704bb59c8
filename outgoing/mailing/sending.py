"""The sending of mails: in rounds of some seconds, with a pause after a mail server was silent.

Also the letters that are kept as sent, so that no job sends one twice, and the answers of mail servers.
"""

import datetime as dt
import logging
import smtplib
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, NamedTuple, Protocol, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage, get_connection
from django.db.models import Model, QuerySet
from redis.exceptions import RedisError

from tournaments.job_health import SILENT, hold_claim
from tournaments.queue import queue_again

FAULTS = (OSError, smtplib.SMTPException)
FOR_EVER = 500  # from this code on, a server refuses for ever; below it, a later attempt may succeed
CLOSING = 421  # with this code, the server ends the connection
ROUND = 20.0  # seconds for which a job sends mails; then other jobs have their turn
PATIENCE = 3.0  # a failure that took more seconds comes from a silent server
LEFT_ALONE = 60  # seconds for which nobody sends a mail to a server that was silent

logger = logging.getLogger(__name__)


def is_refused(error: OSError) -> bool:
    """Return whether the server refuses the mail for ever: its address, or its text for this address."""
    final = isinstance(error, smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError)
    return final and all(code >= FOR_EVER for code in list_codes(error))


def spares_others(error: OSError) -> bool:
    """Return whether only one mail has failed, so that the connection can send the next one."""
    single = (smtplib.SMTPRecipientsRefused, smtplib.SMTPSenderRefused, smtplib.SMTPDataError)
    return isinstance(error, single) and CLOSING not in list_codes(error)


def list_codes(error: OSError) -> list[int]:
    """Return the codes of a server's answer."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return [code for code, _text in error.recipients.values()]
    return [error.smtp_code] if isinstance(error, smtplib.SMTPResponseException) else []


class MailServerLeftAlone(OSError):
    """An error: the mail server was silent a moment ago, so nothing is sent to it for now."""


def note_silence(began: float) -> None:
    """Note that the mail server is to be left alone, if it was waited for in vain for more than PATIENCE."""
    if monotonic() - began > PATIENCE:
        with suppress(RedisError):
            cache.set(SILENT, True, LEFT_ALONE)


class MailRound:
    """The mails that one job sends over one connection, until its seconds are over.

    `ends_at` is the end on the clock `monotonic`, where the round is part of another one.
    """

    def __init__(self, ends_at: float | None = None) -> None:
        self.ends_at = monotonic() + ROUND if ends_at is None else ends_at
        self.connection = get_connection()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        began = monotonic()
        with suppress(*FAULTS):
            self.connection.close()
        note_silence(began)

    def go_on_later(self, pk: int, task: str) -> bool:
        """Return whether the round is over. If so, queue the task again for its row: other jobs come between."""
        if monotonic() < self.ends_at:
            return False
        queue_again(pk, task)
        return True

    def send(self, message: EmailMessage) -> None:
        """Send a mail. Raise one of FAULTS if that fails.

        If the server was silent, all jobs leave it alone for LEFT_ALONE seconds: each would wait for it again.
        """
        with suppress(RedisError):
            if cache.get(SILENT):
                raise MailServerLeftAlone("the mail server was silent a moment ago")
        began = monotonic()
        message.connection = self.connection
        try:
            self.connection.open()
            message.send()
        except FAULTS as error:
            if not spares_others(error):
                note_silence(began)
            raise

    def send_or_refuse(self, message: EmailMessage) -> bool:
        """Send a mail. Return False if the server refuses it for ever. Raise the error if a later try may succeed."""
        try:
            self.send(message)
        except FAULTS as error:
            if not is_refused(error):
                raise
            logger.warning("the mail server refuses an address: its letter is not sent")
            return False
        return True


class OnceLetter(Protocol):
    """A letter that is sent once. `key` names it, `is_sent` says whether it was sent, `note_sent` stores that it is."""

    @property
    def key(self) -> str: ...

    @property
    def is_sent(self) -> bool: ...

    def note_sent(self, now: dt.datetime) -> None: ...


class KeptLetter(NamedTuple):
    """A letter that is sent once. `rows` are the letters that were sent, and `which` has the columns of its own row."""

    rows: QuerySet[Any]
    which: Mapping[str, Model]

    @property
    def key(self) -> str:
        """The name of the letter: the name of its model, and the ids in its row."""
        return "-".join([self.rows.model._meta.model_name or "", *(str(one.pk) for one in self.which.values())])

    @property
    def is_sent(self) -> bool:
        return self.rows.filter(**self.which).exists()

    def note_sent(self, now: dt.datetime) -> None:
        self.rows.bulk_create([self.rows.model(**self.which, sent_at=now)], ignore_conflicts=True)


def send_kept(letter: OnceLetter, write: Callable[[], EmailMessage], mails: MailRound, *, now: dt.datetime) -> bool:
    """Send a letter, then store that it is sent. Return whether it was sent.

    No transaction is open while the mail server answers: on a laptop, all writes would wait for it. A claim keeps
    other jobs away meanwhile. A job that dies leaves no row, so that the sweep tries again once its claim ends. If
    it dies between the server's answer and the row, the letter leaves again with the same Message-ID, and mail programs
    show it once. If the server refuses the letter for ever, it counts as sent.
    """
    with hold_claim(f"letter-{letter.key}") as is_mine:
        if not is_mine or letter.is_sent:
            return False
        message = write()
        message.extra_headers["Message-ID"] = f"<{letter.key}@{urlsplit(settings.SITE_URL).hostname}>"
        sent = mails.send_or_refuse(message)
        letter.note_sent(now)
    return sent
