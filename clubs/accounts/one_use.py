"""Links that serve once: made with a token that nobody can read again, found by it, and used up."""

import datetime as dt
import secrets
from hashlib import sha256
from typing import Any, TypeVar

from django.db.models import QuerySet

from clubs.models import User
from clubs.models.one_use import OneUseLink

LIFE = dt.timedelta(days=14)

Link = TypeVar("Link", bound=OneUseLink)


def make_link(links: type[OneUseLink], *, now: dt.datetime, by: User | None, **told: Any) -> str:
    """The token of a new link of that kind, for what is `told`."""
    token = make_token()
    links._default_manager.create(digest=digest(token), made_by=by, made_at=now, expires_at=now + LIFE, **told)
    return token


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
