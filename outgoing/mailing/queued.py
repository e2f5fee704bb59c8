"""The mails that pages ask for: a request stores a row, and a job sends the mail.

So no request waits for the mail server, and a page answers the same whether an address is known or not. A row says
which letter it is, to whom and about which row. It has no link, because the job makes the links when it sends the mail.
So no link stands in the database, in Redis or in a backup. What is not sent within a day is given up.
The doctor says so for a week.
"""

import datetime as dt
import logging
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from allauth.account import app_settings
from allauth.account.models import EmailAddress, get_emailconfirmation_model
from allauth.account.utils import filter_users_by_email, user_pk_to_url_str
from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from clubs.accounts.one_use import filter_open_links, make_mailed_token
from clubs.models import Invitation, PlayerLink, Webhook
from outgoing.mailing.sending import FAULTS, MailRound, send_kept, spares_others
from tournaments.models import QueuedMail
from tournaments.queue import ANY_ROW, QUEUED_MAILS, queue_again

Kind = QueuedMail.PageMailKind
PLAYER_SALT, ROOMS_SALT = "player_sign_up", "rooms_sign_up"  # of the links that confirm an address
TRIED_FOR = dt.timedelta(days=1)
TOLD_FOR = dt.timedelta(days=7)  # for this time the doctor says how many mails were given up
logger = logging.getLogger(__name__)


class ReadyLetter(NamedTuple):
    """A letter with its links: the template of its subject and text, the address, and what the template shows."""

    template: str
    email: str
    context: Mapping[str, Any]


class QueuedLetter(NamedTuple):
    """A mail that a page has asked for. Its row is deleted once it is sent."""

    mail: QueuedMail

    @property
    def key(self) -> str:
        return f"queuedmail-{self.mail.pk}"

    @property
    def is_sent(self) -> bool:
        return not QueuedMail.objects.filter(pk=self.mail.pk).exists()

    def note_sent(self, now: dt.datetime) -> None:
        QueuedMail.objects.filter(pk=self.mail.pk).delete()


def queue_mail(mail: QueuedMail) -> None:
    """Store a mail, and queue the job that sends it once this transaction is committed.

    Without a mail server, or if the same mail waits already, store nothing. If the broker is down, the sweep finds it.
    """
    same = {"kind": mail.kind, "email": mail.email, "user": mail.user_id, "row": mail.row, "club": mail.club_id}
    if settings.MAIL and not find_waiting_mails().filter(**same).exists():
        mail.save()
        transaction.on_commit(queue_sending, robust=True)


def queue_sending() -> None:
    """Queue the job that sends the mails of pages. If the broker is down, do nothing."""
    queue_again(ANY_ROW, QUEUED_MAILS)


def find_waiting_mails() -> Any:
    """Return the mails that are still to be sent, the oldest first."""
    return QueuedMail.objects.filter(given_up_at=None).order_by("pk")


def send_queued_mails(now: dt.datetime, *, ends_at: float | None = None) -> int:
    """Send the mails that pages have asked for. Return how many were sent. `ends_at` is the end of the job's round.

    If the mail server fails, stop: the sweep tries again for a day. If it refuses one mail, go on with the others.
    """
    waiting = list(find_waiting_mails().filter(asked_at__gt=now - TRIED_FOR).select_related("user", "club"))
    if not waiting or not settings.MAIL:
        return 0
    sent = 0
    with MailRound(ends_at) as mails:
        for mail in waiting:
            letter = WRITERS[Kind(mail.kind)](mail)
            if letter is None:  # a link was revoked meanwhile, or an address is confirmed
                mail.delete()
                continue
            try:
                sent += send_kept(QueuedLetter(mail), partial(render_letter, letter, mail.language), mails, now=now)
            except FAULTS as error:
                logger.warning("mail %s (%s) is not sent yet", mail.pk, mail.kind, exc_info=True)
                if not spares_others(error):
                    break
            if mails.go_on_later(ANY_ROW, QUEUED_MAILS):
                break
    return sent


def give_old_mails_up(now: dt.datetime) -> None:
    """Give up the mails that were not sent within a day: only their number and kind stay, for a week."""
    old = find_waiting_mails().filter(asked_at__lte=now - TRIED_FOR)
    gone = old.update(given_up_at=now, email="", name="", user=None, club=None, row=None)
    if gone:
        logger.error("%s mails were not sent within a day: they are given up", gone)
    QueuedMail.objects.filter(given_up_at__lte=now - TOLD_FOR).delete()


def render_letter(letter: ReadyLetter, language: str) -> EmailMessage:
    """Return the mail in a language."""
    site = SimpleNamespace(domain=urlsplit(settings.SITE_URL).netloc)
    context = {"current_site": site, **letter.context}
    with translation.override(language):
        subject = " ".join(render_to_string(f"{letter.template}_subject.txt", context).split())
        body = render_to_string(f"{letter.template}_message.txt", context).strip()
    return EmailMessage(subject, body, to=[letter.email], headers={"Auto-Submitted": "auto-generated"})


def link_to(name: str, **parts: str) -> str:
    return settings.SITE_URL + reverse(name, kwargs=parts)


def write_password_letter(mail: QueuedMail) -> ReadyLetter | None:
    """Return the letter with a link for a new password."""
    user = mail.user
    if user is None or not user.is_active:
        return None
    key = f"{user_pk_to_url_str(user)}-{app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)}"
    link = link_to("account_reset_password_from_key", uidb36="UID", key="KEY").replace("UID-KEY", quote(key))
    context = {"user": user, "username": user.get_username(), "password_reset_url": link}
    return ReadyLetter("account/email/password_reset_key", mail.email, context)


def write_confirmation(mail: QueuedMail) -> ReadyLetter | None:
    """Return the letter with the link that confirms the address of an account."""
    address = EmailAddress.objects.select_related("user").filter(pk=mail.row, verified=False).first()
    if address is None:
        return None
    link = link_to("account_confirm_email", key=get_emailconfirmation_model().create(address).key)
    context = {"user": address.user, "activate_url": link}
    return ReadyLetter("account/email/email_confirmation", address.email, context)


def write_sign_up(mail: QueuedMail) -> ReadyLetter:
    """Return the letter that confirms an address. If an account has the address already, it says so instead."""
    if filter_users_by_email(mail.email):
        context = {"password_reset_url": link_to("account_reset_password")}
        return ReadyLetter("account/email/account_already_exists", mail.email, context)
    signed = {"name": mail.name, "email": mail.email}
    if mail.club is None:
        token = signing.dumps(signed, salt=ROOMS_SALT, compress=True)
        link = link_to("rooms_account_confirm", token=token)
        return ReadyLetter("account/email/rooms_sign_up", mail.email, {"link": link})
    token = signing.dumps(signed | {"club": mail.club.slug}, salt=PLAYER_SALT, compress=True)
    context = {"club": mail.club.name, "link": link_to("player_confirm", token=token)}
    return ReadyLetter("account/email/player_sign_up", mail.email, context)


def write_staff_invitation(mail: QueuedMail) -> ReadyLetter | None:
    """Return the letter that invites somebody to the staff of a club."""
    invitation = filter_open_links(
        Invitation.objects.select_related("club", "made_by").filter(pk=mail.row or 0)
    ).first()
    if invitation is None:
        return None
    by = invitation.made_by.shown_name if invitation.made_by is not None else invitation.club.name
    link = link_to("invitation", token=make_mailed_token(invitation))
    context = {"name": invitation.whom, "club": invitation.club.name, "by": by, "link": link}
    return ReadyLetter("account/email/invitation", mail.email, context)


def write_player_link(mail: QueuedMail) -> ReadyLetter | None:
    """Return the letter with the link by which a player opens an account."""
    player_link = filter_open_links(PlayerLink.objects.select_related("player__club").filter(pk=mail.row or 0)).first()
    if player_link is None:
        return None
    link = link_to("player_link", token=make_mailed_token(player_link))
    context = {"name": player_link.player.name, "club": player_link.player.club.name, "link": link}
    return ReadyLetter("account/email/player_link", mail.email, context)


def write_about_webhook(mail: QueuedMail) -> ReadyLetter | None:
    """Return the letter that says to a director that a webhook is switched off."""
    webhook = Webhook.objects.select_related("club").filter(pk=mail.row or 0).exclude(off_at=None).first()
    if webhook is None:
        return None
    link = settings.SITE_URL + reverse("webhook", args=[webhook.club.slug, webhook.pk])
    context = {"club": webhook.club.name, "address": webhook.origin, "link": link}
    return ReadyLetter("mailing/webhook_off", mail.email, context)


WRITERS: dict[Kind, Callable[[QueuedMail], ReadyLetter | None]] = {
    Kind.PASSWORD: write_password_letter,
    Kind.CONFIRM: write_confirmation,
    Kind.SIGN_UP: write_sign_up,
    Kind.STAFF: write_staff_invitation,
    Kind.PLAYER: write_player_link,
    Kind.WEBHOOK: write_about_webhook,
}
