"""The changes and the end of roles in a club. A club always keeps a director.

If a role ends or is lowered, the links that its holder may no longer make end too. The tokens of programs end with the
role, and a lowered role lowers them.
"""

import datetime as dt

from django.db import transaction

from clubs.accounts.handed_out import end_links, lock_links
from clubs.accounts.invitations import require_shorter
from clubs.accounts.passwords import find_member
from clubs.accounts.program_tokens import end_tokens_of_role
from clubs.errors import AccountRefused
from clubs.log import log_club_action
from clubs.models import Club, ClubSettings, Membership, User
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
    was_over, given = member.is_over, outranks(role, member.role)
    lowered = outranks(member.role, role) or ends_later(member.ends_on, ends_on)
    if was_over or given or ends_later(ends_on, member.ends_on):
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
