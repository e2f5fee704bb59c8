"""The sending of letters that are kept as sent, so that no job sends one twice, and the answers of mail servers."""

import datetime as dt
import logging
import smtplib
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db.models import Model, QuerySet

CLAIM = 600  # seconds for which a job that died keeps others from its letter, longer than a job may take
FAULTS = (OSError, smtplib.SMTPException)
FOR_EVER = 500  # from this code on, a server refuses for ever; below it, a later attempt may succeed
CLOSING = 421  # with this code, the server ends the connection

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


def send_kept(letter: KeptLetter, write: Callable[[], EmailMessage], *, now: dt.datetime) -> bool:
    """Send a letter, then add its row. Return whether it was sent.

    No transaction is open while the mail server answers: on a laptop, all writes would wait for it. A claim in the
    cache keeps other jobs away meanwhile. A job that dies leaves no row, so that the sweep tries again after CLAIM. If
    it dies between the server's answer and the row, the letter leaves again with the same Message-ID, and mail programs
    show it once. If the server refuses the letter for ever, it counts as sent.
    """
    claim = f"letter-{letter.key}"
    if not cache.add(claim, True, CLAIM):
        return False
    try:
        if letter.is_sent:
            return False
        message = write()
        message.extra_headers["Message-ID"] = f"<{letter.key}@{urlsplit(settings.SITE_URL).hostname}>"
        sent = send_or_refuse(message)
        letter.rows.bulk_create([letter.rows.model(**letter.which, sent_at=now)], ignore_conflicts=True)
    finally:
        cache.delete(claim)
    return sent


def send_or_refuse(message: EmailMessage) -> bool:
    """Send a mail. Return False if the server refuses it for ever. Raise the error if a later attempt may succeed."""
    try:
        message.send()
    except FAULTS as error:
        if not is_refused(error):
            raise
        logger.warning("the mail server refuses an address: its letter is not sent")
        return False
    return True
