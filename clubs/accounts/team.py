"""Changes of the roles in a club, and their end; a club never loses its last director. Where a role ends or is lowered,
the links end that its holder may make no more.
"""

import datetime as dt

from django.db import transaction
from django.db.models import Q

from clubs.accounts.errors import AccountRefused
from clubs.accounts.handed_out import end_links, lock_links
from clubs.accounts.invitations import require_shorter
from clubs.accounts.log import log
from clubs.accounts.passwords import find_member
from clubs.accounts.roles import DIRECTOR, clubs_of, directorships_now, ends_later, memberships_now, require_directing
from clubs.models import Club, ClubSettings, Membership, User


def language_of(user: User) -> str:
    """Return the language that all clubs of the account have chosen; "" where they differ, or leave it open."""
    chosen = ClubSettings.objects.filter(club__in=clubs_of(user))
    languages = set(chosen.values_list("language", flat=True))
    return languages.pop() if len(languages) == 1 else ""


@transaction.atomic
def change_role(
    club: Club, membership_id: int, role: str, *, now: dt.datetime, by: User, ends_on: dt.date | None = None
) -> list[Membership]:
    """Return the people who came by an invitation of somebody whose role is lowered by this; else nobody.

    `AccountRefused` where no lasting director would be left, where the role is gone, and where it would end later than
    that of who gives it.
    """
    member, own = lock_member(club, membership_id, by=by)
    if role != DIRECTOR or ends_on is not None:
        require_another_director(member)
    was_over, given = member.is_over, (role == DIRECTOR) > (member.role == DIRECTOR)
    lowered = (role == DIRECTOR) < (member.role == DIRECTOR) or ends_later(member.ends_on, ends_on)
    if was_over or given or ends_later(ends_on, member.ends_on):
        require_shorter(ends_on, own)
    member.role, member.ends_on = role, ends_on
    member.save(update_fields=["role", "ends_on"])
    log(club, "role_changed", now=now, by=by, whom=member.user.shown_name, role=role)
    end_links(member, now=now, by=by, all_of_them=was_over)
    return came_by(member, by=by) if lowered else []


@transaction.atomic
def end_role(club: Club, membership_id: int, *, now: dt.datetime, by: User) -> list[Membership]:
    """Return the people of the team who came by an invitation of whoever had the role."""
    member, _own = lock_member(club, membership_id, by=by)
    require_another_director(member)
    Membership.objects.filter(pk=member.pk).delete()
    if member.user_id == by.pk:
        log(club, "left", now=now, by=by)
    else:
        log(club, "role_ended", now=now, by=by, whom=member.user.shown_name)
    end_links(member, now=now, by=by)
    return came_by(member, by=by)


def directing_now(club: Club) -> set[int]:
    """Return the keys of the accounts that direct the club."""
    return set(directorships_now().filter(club=club).values_list("user", flat=True))


def came_by(member: Membership, *, by: User) -> list[Membership]:
    """Return who has a role in the club by an invitation of the member; without the account that asks."""
    came = memberships_now().filter(club=member.club_id, invited_by=member.user_id)
    return list(came.exclude(user__in=[by.pk, member.user_id]).select_related("user").order_by("role", "pk"))


def lock_member(club: Club, membership_id: int, *, by: User) -> tuple[Membership, Membership]:
    """Return the role with that of who asks, as they are once the club is locked: of two who end one another at once,
    the second directs no longer. The links are locked before the club, as whoever uses one of them does."""
    lock_links(find_member(club, membership_id))
    Club.every.select_for_update().get(pk=club.pk)
    return find_member(club, membership_id), require_directing(by, club)


def require_another_director(member: Membership) -> None:
    lasting = Membership.objects.filter(Q(role=DIRECTOR, ends_on=None, user__is_active=True), club=member.club_id)
    if member in lasting and not lasting.exclude(pk=member.pk).exists():
        raise AccountRefused("last_director")
