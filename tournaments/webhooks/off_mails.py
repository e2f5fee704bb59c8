"""The mail to the directors of a club whose webhook was switched off, if the site sends mail."""

import logging
import smtplib

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from clubs.accounts.roles import directorships_now
from clubs.house import find_club_language
from clubs.models import Webhook
from tournaments.mailing.wishes import confirmed_address

logger = logging.getLogger(__name__)
FAULTS = (OSError, smtplib.SMTPException)


def mail_about_dead_webhook(webhook: Webhook) -> int:
    """Write to each director of the club who has a confirmed address. Return how many mails were sent."""
    if not settings.MAIL:
        return 0
    club, sent = webhook.club, 0
    with translation.override(find_club_language(club)):
        subject = " ".join((_("A webhook of %(club)s is switched off") % {"club": club.name}).split())
        lines = [
            _("This address could not be called for a day, so the site no longer calls it:"),
            webhook.origin,
            "",
            _("Correct the program that it belongs to, send a trial, and switch the webhook on again here:"),
            settings.SITE_URL + reverse("webhook", args=[club.slug, webhook.pk]),
        ]
    for member in directorships_now().filter(club=club).select_related("user").order_by("pk"):
        if not (address := confirmed_address(member.user)):
            continue
        told = {"Auto-Submitted": "auto-generated"}
        try:
            sent += EmailMessage(subject, "\n".join(lines), to=[address], headers=told).send()
        except FAULTS:
            logger.warning("a mail about the webhook %s is not sent", webhook.pk, exc_info=True)
    return sent
