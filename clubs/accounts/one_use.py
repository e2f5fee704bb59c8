"""The links that work once.

A link is made with a token, which is not stored and cannot be read again. It is found by its token and used up. It is
valid only as long as the person who made it could still make it.
"""

import datetime as dt
import re
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any, TypeVar

from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.models import Club, User
from clubs.models.accounts import OneUseLink
from clubs.roles import find_directorship

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
