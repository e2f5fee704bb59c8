"""Links that serve once: made with a token that nobody can read again, found by it, and used up. A link serves while
its maker may make it."""

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
    """Return the token of a new link of that kind, for what is `told`. What nobody makes, the site does."""
    token = make_token()
    made = {"by_site": by is None, "made_by": by, "made_at": now, "expires_at": now + life}
    links._default_manager.create(digest=digest(token), **made | told)
    return token


def waiting(links: QuerySet[Link]) -> QuerySet[Link]:
    """Return those that are neither used nor taken back."""
    return links.filter(used_at=None, revoked_at=None)


def may_still_make(link: OneUseLink, club: Club | None) -> bool:
    """Return whether the maker of a link still directs the club or, where it was made for the site, looks after it. A
    maker whose account is gone may make nothing.
    """
    maker = link.made_by
    if link.by_site:
        return maker is None or (maker.is_active and maker.is_superuser)
    return maker is not None and club is not None and find_directorship(maker, club) is not None


def make_token() -> str:
    return secrets.token_urlsafe(24)


def digest(token: str) -> str:
    """What is kept of a token, and held against it."""
    return sha256(token.encode()).hexdigest()


def find_link(links: QuerySet[Link], token: str, *, lock: bool) -> Link | None:
    found = links.filter(digest=digest(token))
    return (found.select_for_update(of=("self",)) if lock else found).first()


def why_over(link: OneUseLink, now: dt.datetime) -> str:
    """`used`, `revoked` or `expired`; nothing for a link that serves."""
    if link.used_at:
        return "used"
    if link.revoked_at:
        return "revoked"
    return "expired" if link.expires_at <= now else ""


def use_up(link: OneUseLink, now: dt.datetime) -> None:
    link.used_at = now
    link.save(update_fields=["used_at"])
