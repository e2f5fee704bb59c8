"""Letters by mail, where the site has a mail server."""

import logging
from typing import Any

from allauth.account.adapter import get_adapter
from django.utils import translation

from clubs.house import settings_of
from clubs.models import Club

logger = logging.getLogger(__name__)


def write_letter(letter: str, email: str, context: dict[str, Any], *, club: Club | None = None) -> bool:
    """In the language of the club, where it has one; else in that of who writes. Whether the mail server took it."""
    language = club and settings_of(club).language
    with translation.override(language or translation.get_language()):
        try:
            get_adapter().send_mail(f"account/email/{letter}", email, context)
        except OSError:
            logger.exception("the letter %s is not sent", letter)
            return False
    return True
