"""Invitations into a club's team: a link, once, for a time, until it is taken back."""

import datetime as dt
from dataclasses import dataclass

from django.db import transaction

from clubs.accounts.errors import AccountRefused
from clubs.accounts.founding import make_account
from clubs.accounts.log import log
from clubs.accounts.one_use import find_link, make_link, use_up, why_over
from clubs.models import Club, Invitation, Membership, User


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
    token = make_link(Invitation, now=now, by=by, club=club, role=role, whom=whom, ends_on=ends_on)
    log(club, "invited", now=now, by=by, whom=whom, role=role)
    return token


def find_invitation(token: str, *, now: dt.datetime, lock: bool = False) -> Invitation:
    """Raises `AccountRefused` for one that lets nobody in any more, or never did."""
    invitation = find_link(Invitation.objects.select_related("club", "made_by"), token, lock=lock)
    if invitation is None:
        raise AccountRefused("invitation_unknown")
    role_is_over = invitation.ends_on is not None and invitation.ends_on < now.date()
    if over := why_over(invitation, now) or ("expired" if role_is_over else ""):
        raise AccountRefused(f"invitation_{over}", club=invitation.club.name)
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
    use_up(invitation, now)
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
