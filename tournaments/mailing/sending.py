"""The sending of letters that are kept as sent, so that no job sends one twice, and the answers of mail servers."""

import logging
import smtplib
from collections.abc import Callable

from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction

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


def send_kept(keep: Callable[[], object], write: Callable[[], EmailMessage]) -> bool:
    """Call `keep`, which adds the unique row of a letter, and send the letter. Return whether it was sent.

    If the row exists, another job has sent the letter. If sending fails, nothing is stored, so that the sweep tries
    again. If the server refuses the letter for ever, it counts as sent.
    """
    try:
        with transaction.atomic():
            keep()
            try:
                write().send()
            except FAULTS as error:
                if not is_refused(error):
                    raise
                logger.warning("the mail server refuses an address: its letter is not sent")
                return False
    except IntegrityError:
        return False
    return True
