"""The links that work once.

A link is made with a token that nobody can read again, is found by the token, and is used up.

A link is valid only while its maker may still make it.
"""

import datetime as dt
import secrets
from hashlib import sha256
from typing import Any, TypeVar

from django.db.models import QuerySet

from clubs.accounts.roles import find_directorship
from clubs.models import Club, User
from clubs.models.one_use import OneUseLink

LIFE = dt.timedelta(days=14)

Link = TypeVar("Link", bound=OneUseLink)


def make_link(
    links: type[OneUseLink], *, now: dt.datetime, by: User | None, life: dt.timedelta = LIFE, **told: Any
) -> str:
    """Return the token of a new link. `links` is its model and `told` its fields.

    Without `by`, the site makes the link.
    """
    token = make_link_token()
    made = {"by_site": by is None, "made_by": by, "made_at": now, "expires_at": now + life}
    links._default_manager.create(digest=digest(token), **made | told)
    return token


def filter_open_links(links: QuerySet[Link]) -> QuerySet[Link]:
    """Filter: links that are neither used nor revoked."""
    return links.filter(used_at=None, revoked_at=None)


def may_still_make(link: OneUseLink, club: Club | None) -> bool:
    """Return whether the link's maker could still make it.

    The maker of a club's link must still direct the club. The maker of the site's link (`club` is None) must still
    administer the site. A club's link is void once its maker's account is gone. The site's link without a maker was
    made by a command on the server, and stays valid.
    """
    maker = link.made_by
    if link.by_site:
        return maker is None or (maker.is_active and maker.is_superuser)
    return maker is not None and club is not None and find_directorship(maker, club) is not None


def make_link_token() -> str:
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    """Return the digest of a token: the database stores only the digest."""
    return sha256(token.encode()).hexdigest()


def find_one_use_link(links: QuerySet[Link], token: str, *, lock: bool) -> Link | None:
    found = links.filter(digest=digest(token))
    return (found.select_for_update(of=("self",)) if lock else found).first()


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
