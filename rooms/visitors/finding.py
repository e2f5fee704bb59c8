"""The visitor of a request: an account that is logged in, or a guest by a cookie; and the links of own rooms."""

from typing import Any

from django.core import signing
from django.db.models import Value

from clubs.guard.devices import Asked
from clubs.models import User
from rooms.models import Visitor
from rooms.visitors.guests import copy_met_etuis, digest_token
from tournaments.prepared import PreparedRows

VISITOR_COOKIE = "visitor"
ACCOUNT_COOKIE = "room_account"  # the account, or the forgotten guest, that played on this device, signed
ACCOUNT_SALT = "room_account"
COOKIE_LIFE = 400 * 86_400  # seconds
GUEST_OF_COOKIE = PreparedRows(
    lambda digest: Visitor.objects.filter(cookie_digest=Value(digest), account=None, forgotten_at=None).order_by()
)


def find_visitor(request: Asked) -> Visitor | None:
    """Return the visitor of a request, or None for somebody who has never joined a room.

    An account that is logged in comes before the cookie of a guest. Whatever others have met on this device, the
    visitor has met too, from now on. The others are the guest, a guest who was forgotten, and an account that has
    logged out.
    """
    user: Any = request.user
    is_known = isinstance(user, User)
    visitor = Visitor.objects.filter(account=user).first() if is_known else find_device_guest(request)
    if visitor is not None:
        meet_what_device_met(request, visitor)
    return visitor


def meet_what_device_met(request: Asked, visitor: Visitor) -> None:
    """Store that a visitor has met what the guest of the device, and the visitor before them on it, have met."""
    guest = find_device_guest(request) if visitor.account_id is not None else None
    for other in (guest, find_visitor_before(request, visitor)):
        if other is not None:
            copy_met_etuis(guest=other, visitor=visitor)


def sign_visitor(visitor: Visitor) -> str:
    """Return the signed text that a device keeps of an account or of a forgotten guest.

    Whoever plays on that device later meets none of their étuis again.
    """
    return signing.dumps(visitor.pk, salt=ACCOUNT_SALT)


def find_visitor_before(request: Asked, visitor: Visitor) -> Visitor | None:
    """Return who played on the device before this visitor: an account, or a guest who was forgotten. None if nobody."""
    try:
        pk = signing.loads(request.COOKIES.get(ACCOUNT_COOKIE, ""), salt=ACCOUNT_SALT)
    except signing.BadSignature:
        return None
    return Visitor.objects.filter(pk=pk).first() if pk != visitor.pk else None


def find_device_guest(request: Asked) -> Visitor | None:
    """Return the guest whose cookie the device of a request has, or None. An account may be logged in, too."""
    token = request.COOKIES.get(VISITOR_COOKIE, "")
    if not token:
        return None
    return next(iter(GUEST_OF_COOKIE(digest_token(token))), None)


LINKS_COOKIE = "room_links"
LINKS_KEPT, LINKS_LIFE = 8, 30 * 86_400  # links, seconds


def list_links(request: Asked, *given: str) -> list[str]:
    """Return the given links and those in the device's cookie, without empty ones."""
    return [link for link in (*given, *request.COOKIES.get(LINKS_COOKIE, "").split(".")) if link]


def join_links(links: list[str]) -> str:
    """Return the content of the cookie for these links, the newest first. It keeps a few of them."""
    return ".".join(list(dict.fromkeys(links))[:LINKS_KEPT])
