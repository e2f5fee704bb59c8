"""Invitations into a club's team: a link, once, for a time, until it is taken back."""

import datetime as dt
import secrets
from dataclasses import dataclass
from hashlib import sha256

from django.db import transaction

from clubs.accounts.errors import AccountRefused
from clubs.accounts.founding import make_account
from clubs.accounts.log import log
from clubs.models import Club, Invitation, Membership, User

LIFE = dt.timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who makes an account by an invitation."""

    name: str
    password: str
    email: str = ""


@transaction.atomic
def invite(
    club: Club, role: str, *, now: dt.datetime, by: User | None, whom: str = "", ends_on: dt.date | None = None
) -> str:
    """The token of a new invitation, which nobody can read again."""
    token = secrets.token_urlsafe(24)
    Invitation.objects.create(
        club=club,
        role=role,
        whom=whom,
        ends_on=ends_on,
        digest=digest(token),
        made_by=by,
        made_at=now,
        expires_at=now + LIFE,
    )
    log(club, "invited", now=now, by=by, whom=whom, role=role)
    return token


def digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def find_invitation(token: str, *, now: dt.datetime, lock: bool = False) -> Invitation:
    """Raises `AccountRefused` for one that lets nobody in any more, or never did."""
    found = Invitation.objects.select_related("club", "made_by").filter(digest=digest(token))
    invitation = (found.select_for_update(of=("self",)) if lock else found).first()
    if invitation is None:
        raise AccountRefused("invitation_unknown")
    if invitation.used_at:
        raise AccountRefused("invitation_used", club=invitation.club.name)
    if invitation.revoked_at:
        raise AccountRefused("invitation_revoked", club=invitation.club.name)
    if invitation.expires_at <= now or (invitation.ends_on and invitation.ends_on < now.date()):
        raise AccountRefused("invitation_expired", club=invitation.club.name)
    return invitation


@transaction.atomic
def accept(token: str, who: User | Newcomer, *, now: dt.datetime) -> User:
    """Gives the role to an account, or to one that is made for it. A role that is there already is never lowered."""
    invitation = find_invitation(token, now=now, lock=True)
    Club.every.select_for_update().get(pk=invitation.club_id)
    user = who if isinstance(who, User) else make_account(who.name, email=who.email, password=who.password)
    role, ends_on = invitation.role, invitation.ends_on
    present = Membership.objects.filter(user=user, club=invitation.club).first()
    directs = present is not None and not present.is_over and present.role == Membership.Role.DIRECTOR
    if present is not None and directs and (role != present.role or present.ends_on is None):
        role, ends_on = present.role, present.ends_on
    Membership.objects.update_or_create(user=user, club=invitation.club, defaults={"role": role, "ends_on": ends_on})
    invitation.used_at = now
    invitation.save(update_fields=["used_at"])
    log(invitation.club, "joined", now=now, by=user, role=role)
    return user


@transaction.atomic
def revoke(club: Club, invitation_id: int, *, now: dt.datetime, by: User) -> None:
    """Twice is once; one that was used stays used."""
    open_ones = Invitation.objects.filter(pk=invitation_id, club=club, used_at=None, revoked_at=None)
    for invitation in open_ones.select_for_update():
        invitation.revoked_at = now
        invitation.save(update_fields=["revoked_at"])
        log(club, "invitation_revoked", now=now, by=by, whom=invitation.whom)
