"""The secret addresses of personal calendars: an owner creates one, sees it again, revokes it or replaces it.

The owner is an account, or a personal link on a player's guide card. Functions take one of the two.
"""

import datetime as dt
import re
import secrets
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from clubs.models import Player, User, real_clubs
from evenings.teams.entries import find_entries
from tournaments.models import Applicant, CalendarLink, PersonalLink, Session

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def find_calendar_link(*, user: User | None = None, personal: PersonalLink | None = None) -> CalendarLink | None:
    """Return the owner's valid calendar link, or None."""
    return CalendarLink.objects.filter(**whose(user, personal), revoked_at=None).first()


@transaction.atomic
def make_calendar_link(
    *, user: User | None = None, personal: PersonalLink | None = None, now: dt.datetime, anew: bool = False
) -> CalendarLink:
    """Return the owner's valid calendar link. If there is none, create one. With `anew`, replace the old one."""
    owner = whose(user, personal)
    if anew:
        revoke_calendar_link(user=user, personal=personal, now=now)
    made = {"token": secrets.token_urlsafe(32), "made_at": now}
    return CalendarLink.objects.get_or_create(**owner, revoked_at=None, defaults=made)[0]


def revoke_calendar_link(*, user: User | None = None, personal: PersonalLink | None = None, now: dt.datetime) -> None:
    """Revoke the owner's calendar link. If there is none, do nothing."""
    CalendarLink.objects.filter(**whose(user, personal), revoked_at=None).update(revoked_at=now)


def ask_calendar_link(
    what: str, *, user: User | None = None, personal: PersonalLink | None = None, now: dt.datetime
) -> None:
    """Do what the owner's form asks: "make" the link, replace it ("anew"), or "end" it. Ignore any other text."""
    if what == "end":
        revoke_calendar_link(user=user, personal=personal, now=now)
    elif what in ("make", "anew"):
        make_calendar_link(user=user, personal=personal, now=now, anew=what == "anew")


def whose(user: User | None, personal: PersonalLink | None) -> dict[str, Any]:
    """Return the owner as a condition on calendar links."""
    assert (user is None) != (personal is None)
    return {"user": user} if personal is None else {"personal": personal}


def open_calendar_link(token: str) -> CalendarLink | None:
    """Return the valid calendar link with this token, or None."""
    if not TOKEN.fullmatch(token):
        return None
    personal = ("personal__entrant__player__merged_into", "personal__member__player__merged_into")
    links = CalendarLink.objects.select_related("user", *personal)
    still = Q(personal=None, user__is_active=True) | Q(personal__isnull=False, personal__revoked_at=None)
    return links.filter(still, token=token, revoked_at=None).first()


def find_sessions_of_link(link: CalendarLink) -> QuerySet[Session]:
    """Return the sessions in which the owner plays, alone or in a team, stands in, or is signed up.

    Sessions that are put away are included, because the calendar shows them as cancelled.
    """
    players = Player.objects.order_by()
    if link.user is not None:
        mine = players.filter(account=link.user)
        own = Q(user=link.user)
    else:
        assert link.personal is not None
        who = link.personal.person.is_now
        mine = players.filter(Q(pk=who.pk) | Q(merged_into=who.pk))
        own = Q(pk=None)
    seated = find_entries(mine.values("pk"))
    down = Applicant.objects.filter(Q(player__in=mine) | own, withdrawn_at=None).order_by()
    found = Q(pk__in=seated.values("session")) | Q(pk__in=down.values("session"))
    return Session.objects.filter(found, real_clubs("tournament__club"))
