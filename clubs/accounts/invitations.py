"""The invitations to become a director or helper of a club. An invitation is a link that works once, until it ends."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from clubs.accounts.founding import make_account
from clubs.accounts.one_use import filter_open_links, find_one_use_link, make_link, may_still_make, use_up, why_over
from clubs.accounts.program_tokens import end_tokens_of_role
from clubs.errors import AccountRefused
from clubs.log import log_club_action
from clubs.models import Club, Invitation, Membership, PasswordLink, PlayerLink, User
from clubs.roles import (
    DIRECTOR,
    ends_later,
    find_directorship,
    has_ended,
    is_director,
    outranks,
    require_directing,
)


def links_of(member: Membership) -> tuple[QuerySet[Invitation], QuerySet[PlayerLink], QuerySet[PasswordLink]]:
    """Return the open links that the member has made in the club: invitations, links of players, links for passwords.

    Links made for the site are left out.
    """
    made = {"made_by": member.user_id, "by_site": False}
    return (
        filter_open_links(Invitation.objects.filter(**made, club=member.club_id)).select_related("club", "made_by"),
        filter_open_links(PlayerLink.objects.filter(**made, player__club=member.club_id)).select_related(
            "player", "made_by"
        ),
        filter_open_links(PasswordLink.objects.filter(**made, club=member.club_id)).select_related(
            "user", "club", "made_by"
        ),
    )


@dataclass(frozen=True, slots=True)
class NewAccount:
    """The data of a person who opens an account through an invitation."""

    name: str
    password: str
    email: str = ""


@transaction.atomic
def invite(
    club: Club, role: str, *, now: dt.datetime, by: User | None, whom: str = "", ends_on: dt.date | None = None
) -> str:
    """Create an invitation and return its token. Nobody can read the token again. Without `by`, the site invites.

    Raise AccountRefused if the role would end later than the role of `by`.
    """
    Club.every.select_for_update().get(pk=club.pk)
    if by is not None:
        require_shorter(ends_on, require_directing(by, club))
    return write_down(club, now=now, by=by, whom=whom, role=role, ends_on=ends_on)


def invite_director(club: Club, *, now: dt.datetime, by: User | None, whom: str) -> str:
    """Create an invitation to direct the club and return its token.

    Only somebody who looks after the site may call this.
    """
    return write_down(club, now=now, by=by, whom=whom, role=DIRECTOR, by_site=True)


def write_down(club: Club, *, now: dt.datetime, by: User | None, whom: str, role: str, **more: Any) -> str:
    token = make_link(Invitation, now=now, by=by, club=club, role=role, whom=whom, **more)
    log_club_action(club, "invited", now=now, by=by, whom=whom, role=role)
    return token


def require_shorter(ends_on: dt.date | None, own: Membership) -> None:
    if ends_later(ends_on, own.ends_on):
        raise AccountRefused("longer_than_yours", "ends_on", day=own.ends_on)


def find_invitation(token: str, *, now: dt.datetime, lock: bool = False) -> Invitation:
    """Return the invitation with this token. Raise AccountRefused if it is unknown or no longer valid."""
    invitation = find_one_use_link(Invitation.objects.select_related("club", "made_by"), token, lock=lock)
    if invitation is None:
        raise AccountRefused("invitation_unknown")
    role_is_over = has_ended(invitation.ends_on, now)
    if over := why_over(invitation, now) or ("expired" if role_is_over else ""):
        raise AccountRefused(f"invitation_{over}", club=invitation.club.name)
    require_maker(invitation)
    return invitation


def require_maker(invitation: Invitation) -> None:
    if not may_still_invite(invitation):
        raise AccountRefused("invitation_maker_gone", club=invitation.club.name)


def may_still_invite(invitation: Invitation) -> bool:
    """Return whether the person who made the invitation could give this role now."""
    if not may_still_make(invitation, invitation.club):
        return False
    if invitation.by_site or invitation.made_by is None:
        return True
    own = find_directorship(invitation.made_by, invitation.club)
    return own is not None and not ends_later(invitation.ends_on, own.ends_on)


def open_invitations(club: Club, *, now: dt.datetime) -> list[Invitation]:
    """Return the invitations of the club that are still valid."""
    invitations = filter_open_links(club.invitations.filter(expires_at__gt=now)).select_related("club", "made_by")
    return [invitation for invitation in invitations if may_still_invite(invitation)]


@transaction.atomic
def accept_invitation(token: str, who: User | NewAccount, *, now: dt.datetime) -> User:
    """Give the role of an invitation to an existing account or to a new one. Return the account.

    If the account already has a role in the club, that role is never lowered.
    """
    invitation = find_invitation(token, now=now, lock=True)
    Club.every.select_for_update().get(pk=invitation.club_id)
    require_maker(invitation)  # the inviter's role may have ended while this call waited for the lock
    user = who if isinstance(who, User) else make_account(who.name, email=who.email, password=who.password)
    present = Membership.objects.filter(user=user, club=invitation.club).first()
    if present is not None and present.is_over:
        for links in links_of(present):  # otherwise the revoked links would be valid again
            links.update(revoked_at=now)
        end_tokens_of_role(present, now=now, by=user)
    if present is None or raises(invitation, present):
        role_fields = {"role": invitation.role, "ends_on": invitation.ends_on, "invited_by": invitation.made_by}
        Membership.objects.update_or_create(user=user, club=invitation.club, defaults=role_fields)
    use_up(invitation, now)
    log_club_action(invitation.club, "joined", now=now, by=user, role=invitation.role)
    return user


def raises(invitation: Invitation, present: Membership) -> bool:
    """Return whether the invitation gives more rights, or rights for longer, than the account's present role."""
    if present.is_over:
        return True
    if outranks(invitation.role, present.role) or outranks(present.role, invitation.role):
        return is_director(invitation.role)
    return ends_later(invitation.ends_on, present.ends_on)


@transaction.atomic
def revoke(club: Club, invitation_id: int, *, now: dt.datetime, by: User) -> None:
    """Revoke an invitation if it is still open. Otherwise do nothing."""
    for invitation in filter_open_links(club.invitations.filter(pk=invitation_id)).select_for_update():
        invitation.revoked_at = now
        invitation.save(update_fields=["revoked_at"])
        log_club_action(club, "invitation_revoked", now=now, by=by, whom=invitation.whom)
