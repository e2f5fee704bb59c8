"""The e-mails that pages send, if the site has a mail server."""

import logging
from typing import Any

from allauth.account.adapter import get_adapter
from django.utils import translation

from clubs.house import settings_of
from clubs.models import Club

logger = logging.getLogger(__name__)


def write_letter(letter: str, email: str, context: dict[str, Any], *, club: Club | None = None) -> bool:
    """Send an e-mail in the language of the club if it has one, else in the language of the page.

    Return whether the mail server accepted it.
    """
    language = club and settings_of(club).language
    with translation.override(language or translation.get_language()):
        try:
            get_adapter().send_mail(f"account/email/{letter}", email, context)
        except OSError:
            logger.exception("the letter %s is not sent", letter)
            return False
    return True
