"""The mails to players whom a captain has named for a team: each has the personal link by which the player agrees.

A mail goes only to the confirmed address of an account that belongs to a player of the club with this name. So nobody
can send mails to strangers, and the captain does not learn who has an account. It contains no text that a visitor has
typed: names are those of the club's list. There is a limit for a session and for a name.

If the mail server fails, the sweep tries again for a day. Once a job has written to all players whom it can, no sweep
queues it again for an hour. Most of the named players have no account.
"""

import datetime as dt
import logging
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db.models import Max
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from clubs.house import find_club_language
from clubs.models import Player, real_clubs
from outgoing.mailing.sending import FAULTS, MailRound, send_kept, spares_others
from registration.people.applicants import NewApplicant, said_by
from registration.people.registration import is_cancelled
from tournaments.models import Applicant, Session
from tournaments.queue import INVITE

# by the words of a name: the players with this name, each with an address or ""
People = Mapping[str, list[tuple[Player, str]]]

logger = logging.getLogger(__name__)
FRESH = dt.timedelta(days=1)  # the longest time from the naming to the mail; the two limits are for this time too
MOST_OF_SESSION = 100  # the most mails for a session in a day
MOST_OF_NAME = 3  # the most mails to one name in a day, for all sessions of the club
LOOKED_AGAIN = 3600  # seconds after which a session is looked at again although all its invitations are sent


class TeamInvitation(NamedTuple):
    """The mail to a named player. It is sent once: `invited_at` says when."""

    applicant: Applicant

    @property
    def key(self) -> str:
        return f"invitation-{self.applicant.pk}"

    @property
    def is_sent(self) -> bool:
        return Applicant.objects.filter(pk=self.applicant.pk).exclude(invited_at=None).exists()

    def note_sent(self, now: dt.datetime) -> None:
        Applicant.objects.filter(pk=self.applicant.pk).update(invited_at=now)


def send_invitations(session_id: int, *, now: dt.datetime) -> int:
    """Mail the players who were named for the session and have not answered. Return how many mails were sent.

    Each player gets one mail at most for a session, however often captains name them. If the mail server fails, stop:
    the sweep tries again for a day. The number of queries does not depend on how many players get no mail.
    """
    session = Session.objects.select_related("tournament__club__house").filter(pk=session_id).first()
    if not settings.MAIL or session is None or session.status != Session.Status.DRAFT or is_cancelled(session):
        return 0
    uninvited = find_uninvited(session, now)
    people = find_people(session) if uninvited else {}
    sent, left = 0, False
    with MailRound() as mails:
        for applicant in uninvited:
            player, email = find_address(people, said_by(applicant))
            if player is None or not email:
                continue
            captain = find_listed(people, said_by(applicant.captain)) if applicant.captain else None
            write = partial(write_invitation, session, applicant, email, player=player, captain=captain)
            try:
                sent += send_kept(TeamInvitation(applicant), write, mails, now=now)
            except FAULTS as error:
                logger.warning("an invitation to a team of session %s is not sent yet", session_id, exc_info=True)
                left = True
                if not spares_others(error):
                    break
            if mails.go_on_later(session_id, INVITE):
                left = True
                break
    if uninvited and not left:
        with suppress(RedisError):
            cache.set(key_of_invited(session_id), max(each.pk for each in uninvited), LOOKED_AGAIN)
    return sent


def find_sessions_to_invite(now: dt.datetime) -> list[int]:
    """Return the ids of the sessions that may still have invitations to send."""
    if not settings.MAIL:
        return []
    named = Applicant.objects.filter(real_clubs("session__tournament__club"), captain__isnull=False, agreed_at=None)
    waiting = named.filter(
        withdrawn_at=None, invited_at=None, registered_at__gt=now - FRESH, session__status=Session.Status.DRAFT
    )
    newest = dict(waiting.order_by().values_list("session").annotate(newest=Max("pk")))
    done: dict[str, int] = {}
    with suppress(RedisError):
        done = cache.get_many(map(key_of_invited, newest)) if newest else {}
    return sorted(session for session, pk in newest.items() if done.get(key_of_invited(session), 0) < pk)


def key_of_invited(session_id: int) -> str:
    """Return the cache key for the id of the last named player who was looked at."""
    return f"invitations-sent-{session_id}"


def find_uninvited(session: Session, now: dt.datetime) -> list[Applicant]:
    """Return the named players who still need an invitation: they have not answered, and their name had no mail.

    They are at most as many as the limits allow. This takes two queries.
    """
    down = list(Applicant.objects.filter(session=session).select_related("captain").order_by("id"))
    invited_names = {said_by(each).words for each in down if each.invited_at is not None}
    lately = Applicant.objects.filter(session__tournament__club=session.tournament.club_id, invited_at__gt=now - FRESH)
    of_name = Counter(said_by(each).words for each in lately)
    left = MOST_OF_SESSION - sum(each.invited_at is not None and each.invited_at > now - FRESH for each in down)
    uninvited = []
    for each in down:
        words = said_by(each).words
        waits = each.captain_id is not None and each.agreed_at is None and each.withdrawn_at is None
        if waits and words not in invited_names and of_name[words] < MOST_OF_NAME and each.registered_at > now - FRESH:
            invited_names.add(words)
            uninvited.append(each)
    return uninvited[: max(0, left)]


def find_people(session: Session) -> dict[str, list[tuple[Player, str]]]:
    """Return the club's players by the words of their names, each with the confirmed address of the account, or "".

    This takes two queries.
    """
    players = list(Player.objects.real().filter(club=session.tournament.club_id).select_related("account"))
    accounts = [player.account_id for player in players if player.account is not None and player.account.is_active]
    confirmed = EmailAddress.objects.filter(user__in=accounts, verified=True).order_by("primary", "-pk")
    addresses: dict[int, str] = dict(confirmed.values_list("user", "email"))  # the last one of an account counts
    people = defaultdict[str, list[tuple[Player, str]]](list)
    for player in players:
        words = NewApplicant(player.last_name, player.first_name).words
        people[words].append((player, addresses.get(player.account_id or 0, "")))
    return people


def find_address(people: People, asked: NewApplicant) -> tuple[Player | None, str]:
    """Return the one player with an account who has the name, and the confirmed address of the account.

    Return None and "" if there is no such player, or more than one.
    """
    named = [(player, email) for player, email in find_named(people, asked) if player.account_id is not None]
    return named[0] if len(named) == 1 else (None, "")


def find_listed(people: People, asked: NewApplicant) -> Player | None:
    """Return the one player of the club's list who has this name, or None."""
    named = find_named(people, asked)
    return named[0][0] if len(named) == 1 else None


def find_named(people: People, asked: NewApplicant) -> list[tuple[Player, str]]:
    return [
        (player, email)
        for player, email in people.get(asked.words, ())
        if asked.is_same(NewApplicant(player.last_name, player.first_name, player.licence))
    ]


def write_invitation(
    session: Session, applicant: Applicant, email: str, *, player: Player, captain: Player | None
) -> EmailMessage:
    """Return the mail, in the language of the club.

    `player` gets it. `captain` is the captain on the club's list; the mail names no captain who is not there.
    """
    tournament = session.tournament
    with translation.override(find_club_language(tournament.club)), timezone.override(tournament.club.zone):
        values = {"name": tournament.name, "number": session.number, "date": date_format(session.date)}
        subject = _("Do you play in this team? %(name)s, session %(number)s, %(date)s") % values
        link = settings.SITE_URL + reverse("registered", args=[applicant.token])
        if captain is None:
            question = (
                _("A captain would like you to play in their team: %(name)s, session %(number)s, %(date)s.") % values
            )
        else:
            text = _("%(captain)s would like you to play in their team: %(name)s, session %(number)s, %(date)s.")
            question = text % {**values, "captain": captain.name}
        lines = [
            f"{player.name},\n",
            question + "\n",
            _("Answer yes or no here. Nobody outside the team sees your name before you have said yes."),
            f"{link}\n",
            tournament.club.name,
        ]
    return EmailMessage(
        " ".join(subject.split()), "\n".join(lines), to=[email], headers={"Auto-Submitted": "auto-generated"}
    )
