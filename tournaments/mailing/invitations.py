"""The mails to players whom a captain has named for a team: each has the personal link by which the player agrees.

A mail goes only to the confirmed address of an account that belongs to a player of the club with this name. So nobody
can send mails to strangers, and the captain does not learn who has an account.
"""

import datetime as dt
import logging
import smtplib

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from clubs.house import find_club_language
from clubs.models import Player
from tournaments.mailing.wishes import confirmed_address
from tournaments.models import Applicant, Session
from tournaments.people.applicants import NewApplicant, said_by

logger = logging.getLogger(__name__)
FRESH = dt.timedelta(days=1)  # for this time after the naming a mail is sent
FAULTS = (OSError, smtplib.SMTPException)


def send_invitations(session_id: int, *, now: dt.datetime) -> int:
    """Mail the players who were named for the session and have not answered. Return how many mails were sent.

    Each player gets one mail at most for a session, however often captains name them. If the mail server fails, the
    captain still has the links.
    """
    session = Session.objects.select_related("tournament__club__house").filter(pk=session_id).first()
    if not settings.MAIL or session is None or session.status != Session.Status.DRAFT:
        return 0
    sent = 0
    for applicant in find_uninvited(session, now):
        email = find_address(session, said_by(applicant))
        if email and claim(applicant, now):
            try:
                write_invitation(session, applicant, email).send()
                sent += 1
            except FAULTS:
                logger.warning("an invitation to a team of session %s is not sent", session_id, exc_info=True)
    return sent


def find_uninvited(session: Session, now: dt.datetime) -> list[Applicant]:
    """Return the named players who have not answered and to whose name no mail was sent for this session."""
    down = list(Applicant.objects.filter(session=session).order_by("id"))
    told = {said_by(each).words for each in down if each.invited_at is not None}
    found = []
    for each in down:
        words = said_by(each).words
        waits = each.captain_id is not None and each.agreed_at is None and each.withdrawn_at is None
        if waits and words not in told and each.registered_at > now - FRESH:
            told.add(words)
            found.append(each)
    return found


def find_address(session: Session, asked: NewApplicant) -> str:
    """Return the confirmed address of the one account whose player in this club has the name.

    Return "" if there is no such account, or more than one.
    """
    players = Player.objects.real().filter(club=session.tournament.club_id, account__isnull=False, erased_at=None)
    named = [
        player
        for player in players.select_related("account")
        if asked.is_same(NewApplicant(player.last_name, player.first_name, player.licence))
    ]
    return confirmed_address(named[0].account) if len(named) == 1 and named[0].account is not None else ""


def claim(applicant: Applicant, now: dt.datetime) -> bool:
    """Store that the applicant gets a mail now. Return False if another job has stored this before."""
    with transaction.atomic():
        return bool(Applicant.objects.filter(pk=applicant.pk, invited_at=None).update(invited_at=now))


def write_invitation(session: Session, applicant: Applicant, email: str) -> EmailMessage:
    """Return the mail, in the language of the club."""
    tournament, captain = session.tournament, applicant.captain
    assert captain is not None
    with translation.override(find_club_language(tournament.club)), timezone.override(tournament.club.zone):
        told = {"name": tournament.name, "number": session.number, "date": date_format(session.date)}
        subject = _("Do you play in this team? %(name)s, session %(number)s, %(date)s") % told
        link = settings.SITE_URL + reverse("registered", args=[applicant.token])
        asked = _("%(captain)s names you as a player of a team for %(name)s, session %(number)s, %(date)s.")
        lines = [
            f"{applicant.name},\n",
            asked % {**told, "captain": captain.name} + "\n",
            _("Say yes or no here. Nobody sees your name before you have said yes."),
            f"{link}\n",
            tournament.club.name,
        ]
    return EmailMessage(
        " ".join(subject.split()), "\n".join(lines), to=[email], headers={"Auto-Submitted": "auto-generated"}
    )
