"""The links that work once, and those among them by which somebody chooses a new password.

A link is made with a token, which is not stored and cannot be read again. It is found by its token and used up. It is
valid only as long as the person who made it could still make it.

Nobody gets new rights through such a link. Links that are sent by mail are made by the library for accounts, and go
only to the address of the account.
"""

import datetime as dt
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.errors import AccountRefused
from clubs.log import log_club_action
from clubs.models import Club, Membership, PasswordLink, Player, User
from clubs.models.accounts import OneUseLink
from clubs.roles import directorships_now, ends_later, find_directorship, memberships_now, require_directing

LIFE = dt.timedelta(days=14)
MAILED = re.compile(r"m([0-9]{1,18})-[A-Za-z0-9_-]{43}")

Link = TypeVar("Link", bound=OneUseLink)


def make_link(
    links: type[OneUseLink], *, now: dt.datetime, by: User | None, life: dt.timedelta = LIFE, **told: Any
) -> str:
    """Create a link and return its token. `links` is the model of the link, `told` has the model's own fields.

    Without `by`, the site makes the link.
    """
    token = make_link_token()
    made = {"by_site": by is None, "made_by": by, "made_at": now, "expires_at": now + life}
    links._default_manager.create(digest=digest(token), **made | told)
    return token


def filter_open_links(links: QuerySet[Link]) -> QuerySet[Link]:
    """Return only those of the links that are neither used nor revoked."""
    return links.filter(used_at=None, revoked_at=None)


def may_still_make(link: OneUseLink, club: Club | None) -> bool:
    """Return whether the person who made the link could still make it.

    For a club's link, that person must still direct the club. For a link of the site (`club` is None), that person must
    still administer the site. If that person's account was deleted, a club's link is not valid. A link of the site
    without a person was made by a command on the server, and stays valid.
    """
    maker = link.made_by
    if link.by_site:
        return maker is None or (maker.is_active and maker.is_superuser)
    return maker is not None and club is not None and find_directorship(maker, club) is not None


def make_link_token() -> str:
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    """Return the digest of a token. The database has only the digest, never the token."""
    return sha256(token.encode()).hexdigest()


def make_mailed_token(link: OneUseLink) -> str:
    """Return a second token of a link, for the mail with it: it is derived from the row and from the site's own secret.

    So a job can make it when it sends the mail, and neither the database nor a backup has it.
    """
    purpose = f"{link._meta.model_name}-{link.pk}-{link.digest}"
    signed = salted_hmac("topage.mailed_link", purpose, algorithm="sha256").digest()
    return f"m{link.pk}-{urlsafe_b64encode(signed).decode().rstrip('=')}"


def find_one_use_link(links: QuerySet[Link], token: str, *, lock: bool) -> Link | None:
    """Return the link with this token, whether a page has shown it or a mail has it. Return None if there is none."""
    mailed = MAILED.fullmatch(token)
    named = links.filter(pk=int(mailed[1])).first() if mailed else None
    if named is not None and constant_time_compare(token, make_mailed_token(named)):
        rows = links.filter(pk=named.pk)
    else:
        rows = links.filter(digest=digest(token))
    return (rows.select_for_update(of=("self",)) if lock else rows).first()


def why_over(link: OneUseLink, now: dt.datetime) -> str:
    """Return `used`, `revoked` or `expired`, or "" if the link is valid."""
    if link.used_at:
        return "used"
    if link.revoked_at:
        return "revoked"
    return "expired" if link.expires_at <= now else ""


def use_up(link: OneUseLink, now: dt.datetime) -> None:
    link.used_at = now
    link.save(update_fields=["used_at"])


PASSWORD_LINK_LIFE = dt.timedelta(days=3)


def make_password_link(user: User, *, now: dt.datetime, by: User | None = None, club: Club | None = None) -> str:
    """Create a link for this account and return its token. Nobody can read the token again.

    Earlier links from the same club, or from the site, are revoked.
    """
    filter_open_links(user.password_links.filter(club=club)).update(revoked_at=now)
    fields = {"user": user, "club": club, "access": user.get_session_auth_hash()}
    return make_link(PasswordLink, now=now, by=by, life=PASSWORD_LINK_LIFE, **fields)


@transaction.atomic
def help_with_password(club: Club, membership_id: int, *, now: dt.datetime, by: User) -> str:
    """Create a link for a director or helper of the club and return its token.

    Raise AccountRefused if the director `by` may not help this person.
    """
    member = find_member(club, membership_id)
    # Links are locked before the club, in the same order as when somebody uses a link.
    list(open_links(member, now=now).select_for_update())
    Club.every.select_for_update().get(pk=club.pk)
    require_directing(by, club)
    if member.user_id == by.pk:
        raise AccountRefused("own_password")
    if why := why_not_to_help(by, [member.user]).get(member.user_id):
        raise AccountRefused(why, name=member.user.shown_name)
    token = make_password_link(member.user, now=now, by=by, club=club)
    log_club_action(club, "password_link_made", now=now, by=by, whom=member.user.shown_name)
    return token


def find_member(club: Club, membership_id: int) -> Membership:
    member = Membership.objects.select_related("user").filter(pk=membership_id, club=club).first()
    if member is None:
        raise AccountRefused("role_gone")
    return member


def why_not_to_help(by: User, users: Iterable[User]) -> dict[int, str]:
    """Return, by account key, the reasons why a director may not make a link for some of these accounts.

    Other accounts are left out. A link gives access to everything that its account may do. So three kinds of people get
    no link from a director. The first have a role, or play, in a club that this director does not direct. The second
    have a role that lasts longer than the director's. The third administer the site.
    """
    people = list(users)
    directed = dict(directorships_now().filter(user=by).values_list("club", "ends_on"))
    roles = list(memberships_now().filter(user__in=people).values_list("user", "club", "ends_on"))
    belonging = [*((user, club) for user, club, _day in roles), *clubs_played_in(people)]
    longer = [user for user, club, day in roles if club in directed and ends_later(day, directed[club])]
    why = dict.fromkeys(longer, "longer_than_yours_to_help")
    why |= {user: "not_yours_to_help" for user, club in belonging if club not in directed}
    closed = (user.pk for user in people if user.is_staff or user.is_superuser or not user.is_active)
    return why | dict.fromkeys(closed, "not_to_be_helped")


def clubs_played_in(users: list[User]) -> QuerySet[Player, tuple[int, int]]:
    """Return the accounts that belong to players, as pairs of account key and club key."""
    return Player.objects.real().filter(account__in=users).values_list("account", "club")


def open_links(member: Membership, *, now: dt.datetime) -> QuerySet[PasswordLink]:
    """Return the valid links that were made in this club for this director or helper."""
    return filter_open_links(PasswordLink.objects.filter(user=member.user_id, club=member.club_id, expires_at__gt=now))


def waiting_in(club: Club, *, now: dt.datetime) -> dict[int, PasswordLink]:
    """Return the valid links that directors of the club have made, by the key of the account that they are for."""
    links = filter_open_links(club.password_links.filter(expires_at__gt=now)).select_related("user", "club", "made_by")
    return {link.user_id: link for link in links if not why_link_is_over(link, now=now)}


def find_password_link(token: str, *, now: dt.datetime, lock: bool = False) -> PasswordLink:
    """Return the link with this token. Raise AccountRefused if it is unknown or no longer valid."""
    link = find_one_use_link(PasswordLink.objects.select_related("user", "club", "made_by"), token, lock=lock)
    if link is None:
        raise AccountRefused("password_link_unknown")
    if over := why_link_is_over(link, now=now):
        raise AccountRefused(f"password_link_{over}")
    return link


def why_link_is_over(link: PasswordLink, *, now: dt.datetime) -> str:
    """Return the reason why the link is not valid, as a part of an error code, or "" if it is valid."""
    user = link.user
    if over := why_over(link, now):
        return over
    if not user.is_active:
        return "revoked"
    if link.access != user.get_session_auth_hash() or (user.last_login and user.last_login > link.made_at):
        return "used"
    return "" if may_still_help(link) else "maker_gone"


def may_still_help(link: PasswordLink) -> bool:
    """Return whether the person who made the link could make it now."""
    if not may_still_make(link, link.club):
        return False
    if link.by_site or link.made_by is None:
        return True
    in_team = memberships_now().filter(Q(club=link.club), user=link.user).exists()
    return in_team and not why_not_to_help(link.made_by, [link.user])


@transaction.atomic
def choose_password(token: str, password: str, *, now: dt.datetime) -> User:
    """Set a new password for the account of the link. Return the account.

    All its sessions are logged out, and its API tokens end.
    """
    link = find_password_link(token, now=now, lock=True)
    user = User.objects.select_for_update(no_key=True).get(pk=link.user_id)
    if link.access != user.get_session_auth_hash():
        raise AccountRefused("password_link_used")
    user.set_password(password)
    user.save(update_fields=["password"])
    use_up(link, now)
    if link.club is not None:
        log_club_action(link.club, "password_link_used", now=now, by=user)
    return user


@transaction.atomic
def revoke_password_link(club: Club, membership_id: int, *, now: dt.datetime, by: User) -> None:
    """Revoke the open links for a director or helper. Do nothing if there are none."""
    member = find_member(club, membership_id)
    if open_links(member, now=now).update(revoked_at=now):
        log_club_action(club, "password_link_revoked", now=now, by=by, whom=member.user.shown_name)
