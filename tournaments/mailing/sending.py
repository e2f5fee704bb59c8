"""The sending of letters that are kept as sent, so that no job sends one twice."""

import logging
import smtplib
from collections.abc import Callable

from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction

FAULTS = (OSError, smtplib.SMTPException)

logger = logging.getLogger(__name__)


def send_kept(keep: Callable[[], object], write: Callable[[], EmailMessage]) -> bool:
    """Call `keep`, which adds the unique row of a letter, and send the letter. Return whether it was sent.

    If the row exists, another job has sent the letter. If sending fails, nothing is stored, so that the sweep tries
    again. If the server refuses the address, the letter counts as sent.
    """
    try:
        with transaction.atomic():
            keep()
            try:
                write().send()
            except smtplib.SMTPRecipientsRefused:
                logger.warning("the mail server refuses an address: its letter is not sent")
                return False
    except IntegrityError:
        return False
    return True
