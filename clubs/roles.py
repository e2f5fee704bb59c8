"""The role that an account has in a club now: the function `role_of` returns it, and the SQL text `ROLE` computes it.

No other module compares roles or their last days. A role is valid until the end of its last day, in the site's time
zone. It is valid in the practice club of the club too. A closed account has no role. An administrator of the site has
no role by that alone.
"""

import datetime as dt
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Count, Q, QuerySet

from clubs.errors import AccountRefused
from clubs.models import Club, Membership, RoleLimit, User, day_of_roles, in_force, is_in_force

DIRECTOR, HELPER = Membership.Role.DIRECTOR.value, Membership.Role.HELPER.value

# SQL for the role, in queries in which the row of the club is named `club`. Its parameters are `role_params`.
ROLE = """(
        SELECT member.role FROM clubs_membership member
        JOIN clubs_user account ON account.id = member.user_id AND account.is_active
        WHERE member.club_id = COALESCE(club.practice_of_id, club.id) AND member.user_id = %s
            AND (member.ends_on IS NULL OR member.ends_on >= %s)
    )"""


# SQL for an account and its memberships, one in each row. Each request of somebody who is logged in asks it. It takes a
# third of the time that Django takes for its two queries.
ACCOUNT_WITH_ROLES = """
    SELECT account.*, member.club_id AS held_in, member.role AS held_as, member.ends_on AS held_until
    FROM clubs_user account LEFT JOIN clubs_membership member ON member.user_id = account.id
    WHERE account.id = %s
"""

# SQL that is true if the row named `club` is a practice club.
IS_PRACTICE = "club.practice_of_id IS NOT NULL"


def role_params(user: User | AnonymousUser | None, now: dt.datetime) -> tuple[Any, Any]:
    """Return the parameters of ROLE: the key of the account, and the date of `now` in the site's time zone."""
    return user.pk if user else None, connection.ops.adapt_datefield_value(day_of_roles(now))


def role_of(user: User | AnonymousUser, club: Club) -> str | None:
    """Return the role of the account in the club, or None. For a practice club it is the role in the real club."""
    return roles_of(user).get(club.real_id)


def roles_of(user: User | AnonymousUser) -> dict[int, str]:
    """Return the roles of the account by club key. Practice clubs are left out."""
    return user.roles if user.is_authenticated else {}


def find_account_with_roles(pk: int) -> User | None:
    """Return the account with its roles already read, by one query, or None if there is no such account."""
    rows = list(User.objects.raw(ACCOUNT_WITH_ROLES, [pk]))
    if not rows:
        return None
    account: User = rows[0]
    held = [(row.__dict__["held_in"], row.__dict__["held_as"], row.__dict__["held_until"]) for row in rows]
    if account.is_active:
        account.__dict__["roles"] = {club: role for club, role, last in held if club and is_in_force(last)}
    return account


def limit_account(user: User, club_id: int, role: str | None) -> None:
    """Limit an account to one role in one club. The caller has checked that the account has it or a higher one now."""
    user.limit = RoleLimit(club_id, role)
    user.__dict__.pop("roles", None)


def is_limited(user: User | AnonymousUser) -> bool:
    """Return whether the request comes from a program.

    It has the rights of a role, not all rights of the account's owner.
    """
    return user.is_authenticated and user.limit is not None


def directs(user: User | AnonymousUser, club: Club) -> bool:
    return role_of(user, club) == DIRECTOR


def directed_by(user: User | AnonymousUser) -> list[int]:
    """Return the keys of the clubs that the account directs."""
    return [club for club, role in roles_of(user).items() if role == DIRECTOR]


def clubs_of(user: User | AnonymousUser) -> "QuerySet[Club]":
    """Return the clubs in which the account has a role."""
    return Club.objects.filter(pk__in=roles_of(user))


def memberships_now() -> QuerySet[Membership]:
    """Return the memberships of every club whose role is valid now."""
    return Membership.objects.filter(in_force(), user__is_active=True)


def directorships_now() -> QuerySet[Membership]:
    return memberships_now().filter(role=DIRECTOR)


def find_directorship(user: User, club: Club) -> Membership | None:
    """Return the membership by which the account directs the club, or None.

    It is always read from the database, even if it was read before.
    """
    return directorships_now().filter(user=user, club=club.real_id).first()


def require_directing(user: User, club: Club) -> Membership:
    """Return the membership by which the account directs the club now. Raise AccountRefused if there is none.

    If the caller has locked the club, the account keeps the role until the end of the transaction.
    """
    directorship = find_directorship(user, club)
    if directorship is None:
        raise AccountRefused("directs_no_longer", club=club.name)
    return directorship


def lasting_directorships() -> QuerySet[Membership]:
    """Return the memberships, in every club, of directors whose role has no last day."""
    return directorships_now().filter(ends_on=None)


def is_director(role: str) -> bool:
    return role == DIRECTOR


def directs_for_good(role: str, ends_on: dt.date | None) -> bool:
    """Return whether this is the role of a director without a last day. Each club always has one."""
    return is_director(role) and ends_on is None


def outranks(role: str, other: str) -> bool:
    """Return whether `role` gives more rights than `other`."""
    return is_director(role) and not is_director(other)


def has_ended(day: dt.date | None, now: dt.datetime | None = None) -> bool:
    """Return whether a role with this last day is over at `now`. Without `now`, the present time counts."""
    return day is not None and day < day_of_roles(now)


def ends_later(day: dt.date | None, than: dt.date | None) -> bool:
    """Return whether a role with the last day `day` lasts longer than one with `than`. None means no last day."""
    return than is not None and (day is None or day > than)


def latest_day(member: Membership, life: dt.timedelta, now: dt.datetime) -> dt.date:
    """Return the last day of a link or token that is made now.

    It lasts for `life`, or until the role ends if that is sooner.
    """
    last = day_of_roles(now) + life
    return last if member.ends_on is None else min(member.ends_on, last)


def clubs_with_teams() -> QuerySet[Club]:
    """Return the clubs. Each has `members` and `directors`, the numbers of people with a role and of directors."""
    members = Count("memberships", filter=Q(memberships__in=memberships_now()))
    directors = Count("memberships", filter=Q(memberships__in=directorships_now()))
    clubs: QuerySet[Club] = Club.objects.annotate(members=members, directors=directors)
    return clubs


def clubs_without_director() -> QuerySet[Club]:
    """Return the clubs without any director, because the roles ended or the accounts were closed."""
    return Club.objects.exclude(pk__in=directorships_now().values("club"))
