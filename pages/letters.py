"""The e-mails that pages ask for, if the site has a mail server. A job sends them."""

from django.utils import timezone, translation

from clubs.house import settings_of
from clubs.models import Club
from outgoing.mailing.queued import queue_mail
from tournaments.models import QueuedMail


def queue_letter(mail: QueuedMail, *, club: Club | None = None) -> None:
    """Queue an e-mail in the language of the club if it has one, else in the language of the page."""
    language = club and settings_of(club).language
    mail.language, mail.asked_at = language or translation.get_language(), timezone.now()
    queue_mail(mail)
