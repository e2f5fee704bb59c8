"""The mail to the directors of a club whose webhook was switched off, if the site sends mail."""

import datetime as dt

from clubs.house import find_club_language
from clubs.models import Webhook
from clubs.roles import directorships_now
from outgoing.mailing.queued import queue_mail
from outgoing.mailing.wishes import confirmed_address
from tournaments.models import QueuedMail


def mail_about_dead_webhook(webhook: Webhook, now: dt.datetime) -> None:
    """Queue a mail to each director of the club who has a confirmed address."""
    kind, language = QueuedMail.PageMailKind.WEBHOOK, find_club_language(webhook.club)
    for member in directorships_now().filter(club=webhook.club).select_related("user").order_by("pk"):
        if address := confirmed_address(member.user):
            mail = QueuedMail(kind=kind, user=member.user, row=webhook.pk, email=address, language=language)
            mail.asked_at = now
            queue_mail(mail)
