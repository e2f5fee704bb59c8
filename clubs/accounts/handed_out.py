"""The end of the links that a member of a club made. A link ends when its maker may no longer make such links."""

import datetime as dt

from django.db.models import QuerySet

from clubs.accounts.invitations import links_of, may_still_invite
from clubs.accounts.one_use import Link, filter_open_links, may_still_make
from clubs.accounts.passwords import may_still_help
from clubs.log import log_club_action
from clubs.models import Invitation, Membership, PasswordLink, PlayerLink, User


def lock_links(member: Membership) -> None:
    for links in links_of(member):
        list(links.order_by("pk").select_for_update(of=("self",)))


def end_links(member: Membership, *, now: dt.datetime, by: User, all_of_them: bool = False) -> None:
    """Revoke the member's open links that the member may no longer make. With `all_of_them`, revoke all of them.

    The caller has locked the club. A link that somebody is using at this moment is skipped: using it is then refused.
    """
    club = member.club
    invitations, players, passwords = links_of(member)
    for invitation in free_ones(invitations):
        if all_of_them or not may_still_invite(invitation):
            Invitation.objects.filter(pk=invitation.pk).update(revoked_at=now)
            log_club_action(club, "invitation_revoked", now=now, by=by, whom=invitation.whom)
    for player in free_ones(players):
        if all_of_them or not may_still_make(player, club):
            PlayerLink.objects.filter(pk=player.pk).update(revoked_at=now)
            log_club_action(club, "player_link_revoked", now=now, by=by, whom=player.player.name)
    for password in free_ones(passwords):
        if all_of_them or not may_still_help(password):
            PasswordLink.objects.filter(pk=password.pk).update(revoked_at=now)
            log_club_action(club, "password_link_revoked", now=now, by=by, whom=password.user.shown_name)


def free_ones(links: QuerySet[Link]) -> QuerySet[Link]:
    """Lock and return the links that nobody is using at this moment.

    Somebody who uses a link has locked its row, and then waits for the lock of the club.
    """
    return links.order_by("pk").select_for_update(of=("self",), skip_locked=True)


def end_all_links(user: User, *, now: dt.datetime) -> None:
    """Revoke every open link that the account has made, in every club and for the site.

    The caller ends the account.
    """
    for links in (Invitation, PlayerLink, PasswordLink):
        filter_open_links(links._default_manager.filter(made_by=user)).update(revoked_at=now)
