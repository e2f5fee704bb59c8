"""The role that an account has in a club now: `role_of` says it in Python, `ROLE` in SQL. No other module compares
roles or their last days.

A role holds until the end of its last day, by the clock of the site. It holds in what its club tries out too
(`Club.practice_of`). A closed account has none, and the administration of the site is none.
"""

import datetime as dt
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Count, Q, QuerySet

from clubs.accounts.errors import AccountRefused
from clubs.models import Club, Membership, User, day_of_roles, in_force

DIRECTOR, HELPER = Membership.Role.DIRECTOR.value, Membership.Role.HELPER.value

# Where the query has the club's row as `club`. It takes `role_params`.
ROLE = """(
        SELECT member.role FROM clubs_membership member
        JOIN clubs_user account ON account.id = member.user_id AND account.is_active
        WHERE member.club_id = COALESCE(club.practice_of_id, club.id) AND member.user_id = %s
            AND (member.ends_on IS NULL OR member.ends_on >= %s)
    )"""


def role_params(user: User | AnonymousUser | None, now: dt.datetime) -> tuple[Any, Any]:
    """Return what `ROLE` is asked with: the account's key, and the day of `now`."""
    return user.pk if user else None, connection.ops.adapt_datefield_value(day_of_roles(now))


def role_of(user: User | AnonymousUser, club: Club) -> str | None:
    """Return the role that the account has in the club, or in the club that this one is for practice of."""
    return roles_of(user).get(club.practice_of_id or club.pk)


def roles_of(user: User | AnonymousUser) -> dict[int, str]:
    """Return the roles of the account by the keys of their clubs, without those that are for practice."""
    return user.roles if user.is_authenticated else {}


def directs(user: User | AnonymousUser, club: Club) -> bool:
    return role_of(user, club) == DIRECTOR


def directed_by(user: User | AnonymousUser) -> list[int]:
    """Return the keys of the clubs that the account directs."""
    return [club for club, role in roles_of(user).items() if role == DIRECTOR]


def clubs_of(user: User | AnonymousUser) -> "QuerySet[Club]":
    """Return the clubs in which the account has a role."""
    return Club.objects.filter(pk__in=roles_of(user))


def memberships_now() -> QuerySet[Membership]:
    """Return the roles that somebody has now, of every club."""
    return Membership.objects.filter(in_force(), user__is_active=True)


def directorships_now() -> QuerySet[Membership]:
    return memberships_now().filter(role=DIRECTOR)


def find_directorship(user: User, club: Club) -> Membership | None:
    """Return the account's role of director as the database has it now, whatever was read before."""
    return directorships_now().filter(user=user, club=club.practice_of_id or club.pk).first()


def require_directing(user: User, club: Club) -> Membership:
    """Return the role of director that the account has now. `AccountRefused` where it has lost it meanwhile; asked with
    the club locked, it cannot lose it before the end of the transaction."""
    found = find_directorship(user, club)
    if found is None:
        raise AccountRefused("directs_no_longer", club=club.name)
    return found


def ends_later(day: dt.date | None, than: dt.date | None) -> bool:
    """Return whether a role with this last day outlasts the other; None is a role without end."""
    return than is not None and (day is None or day > than)


def clubs_with_teams() -> QuerySet[Club]:
    """Return the clubs, each with the number of people in its team now (`members`) and of `directors` in it."""
    members = Count("memberships", filter=Q(memberships__in=memberships_now()))
    directors = Count("memberships", filter=Q(memberships__in=directorships_now()))
    found: QuerySet[Club] = Club.objects.annotate(members=members, directors=directors)
    return found


def clubs_without_director() -> QuerySet[Club]:
    """Return the clubs whose directors have all gone: ended, over, or with a closed account."""
    return Club.objects.exclude(pk__in=directorships_now().values("club"))
