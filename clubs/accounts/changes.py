"""The changes and the end of accounts and of roles in a club. A club always keeps a director.

If a role ends or is lowered, the links that its holder may no longer make end too. The tokens of programs end with the
role, and a lowered role lowers them.

If no other row refers to the account, it is deleted. Otherwise its empty row stays, so that the results and decisions
that it entered stay.
"""

import datetime as dt

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, ProtectedError, QuerySet

from clubs.accounts.invitations import links_of, may_still_invite, require_shorter
from clubs.accounts.one_use import Link, filter_open_links, find_member, may_still_help, may_still_make
from clubs.accounts.program_tokens import end_tokens_of_role
from clubs.errors import AccountRefused
from clubs.log import log_club_action
from clubs.models import Club, ClubSettings, Invitation, Membership, PasswordLink, PlayerLink, User
from clubs.roles import (
    clubs_of,
    directorships_now,
    directs_for_good,
    ends_later,
    lasting_directorships,
    memberships_now,
    outranks,
    require_directing,
)


def rename(user: User, name: str) -> None:
    user.first_name, _space, user.last_name = name.partition(" ")
    user.save(update_fields=["first_name", "last_name"])


@transaction.atomic
def use_address(user: User, email: str) -> None:
    """Set the account's e-mail address, not confirmed yet, or remove the address if `email` is "".

    Several accounts may have the same unconfirmed address.
    """
    user.email = email.lower()
    user.save(update_fields=["email"])
    EmailAddress.objects.filter(user=user).delete()
    if email:
        EmailAddress.objects.create(user=user, email=user.email, primary=True)


def end_access(user: User) -> None:
    """End every session and every API token of the account. Its user has to log in again."""
    User.objects.filter(pk=user.pk).update(access_version=F("access_version") + 1)
    user.refresh_from_db(fields=["access_version"])


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


def find_account_language(user: User) -> str:
    """Return the language that all clubs of the account have chosen, or "" if there is no such language."""
    chosen = ClubSettings.objects.filter(club__in=clubs_of(user))
    languages = set(chosen.values_list("language", flat=True))
    return languages.pop() if len(languages) == 1 else ""


@transaction.atomic
def change_role(
    club: Club, membership_id: int, role: str, *, now: dt.datetime, by: User, ends_on: dt.date | None = None
) -> list[Membership]:
    """Change a role. If it is lowered, return the memberships of the people whom its holder has invited, else [].

    Raise AccountRefused if the role no longer exists, or if it would end later than the role of `by`. Raise it also if
    no director without a last day would be left.
    """
    member, own = lock_member(club, membership_id, by=by)
    if not directs_for_good(role, ends_on):
        require_another_director(member)
    was_over, is_rise = member.is_over, outranks(role, member.role)
    lowered = outranks(member.role, role) or ends_later(member.ends_on, ends_on)
    if was_over or is_rise or ends_later(ends_on, member.ends_on):
        require_shorter(ends_on, own)
    member.role, member.ends_on = role, ends_on
    member.save(update_fields=["role", "ends_on"])
    log_club_action(club, "role_changed", now=now, by=by, whom=member.user.shown_name, role=role)
    if was_over:
        end_tokens_of_role(member, now=now, by=by)
    end_links(member, now=now, by=by, all_of_them=was_over)
    return came_by(member, by=by) if lowered else []


@transaction.atomic
def end_role(club: Club, membership_id: int, *, now: dt.datetime, by: User) -> list[Membership]:
    """End a role. Return the memberships of the people whom its holder has invited."""
    member, _own = lock_member(club, membership_id, by=by)
    require_another_director(member)
    end_tokens_of_role(member, now=now, by=by)  # the log names the tokens, whose rows are deleted with the role
    Membership.objects.filter(pk=member.pk).delete()
    if member.user_id == by.pk:
        log_club_action(club, "left", now=now, by=by)
    else:
        log_club_action(club, "role_ended", now=now, by=by, whom=member.user.shown_name)
    end_links(member, now=now, by=by)
    return came_by(member, by=by)


def directing_now(club: Club) -> set[int]:
    """Return the keys of the accounts that direct the club."""
    return set(directorships_now().filter(club=club).values_list("user", flat=True))


def came_by(member: Membership, *, by: User) -> list[Membership]:
    """Return the memberships of the people whom this member has invited into the club, without that of `by`."""
    came = memberships_now().filter(club=member.club_id, invited_by=member.user_id)
    return list(came.exclude(user__in=[by.pk, member.user_id]).select_related("user").order_by("role", "pk"))


def lock_member(club: Club, membership_id: int, *, by: User) -> tuple[Membership, Membership]:
    """Lock the club. Then return the membership, and the membership of `by`, as they are now.

    If two directors end each other's roles at the same time, the second one is refused. Links are locked before the
    club, in the same order as when somebody uses a link.
    """
    lock_links(find_member(club, membership_id))
    Club.every.select_for_update().get(pk=club.pk)
    return find_member(club, membership_id), require_directing(by, club)


def require_another_director(member: Membership) -> None:
    lasting = lasting_directorships().filter(club=member.club_id)
    if member in lasting and not lasting.exclude(pk=member.pk).exists():
        raise AccountRefused("last_director")


def require_leave(user: User) -> None:
    """Raise AccountRefused for the last director of a club and for the only superuser of the site."""
    for member in Membership.objects.filter(user=user).select_related("club"):
        require_another_director(member)
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    if user.is_superuser and not others.exists():
        raise AccountRefused("last_superuser")


def end_log_ins(user: User) -> None:
    keys = UserSession.objects.filter(user=user).values_list("session_key", flat=True)
    Session.objects.filter(session_key__in=list(keys)).delete()


def end_account(user: User, *, now: dt.datetime) -> None:
    """End an account. The caller (`archives.privacy`) has already cleared its data."""
    end_access(user)
    end_all_links(user, now=now)
    try:
        with transaction.atomic():
            User.objects.get(pk=user.pk).delete()
    except ProtectedError:
        return
