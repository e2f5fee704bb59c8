"""The visitor of a request: the account that is logged in, or the guest whose cookie the device has."""

from typing import Any

from clubs.guard.addresses import Asked
from clubs.models import User
from rooms.models import Visitor
from rooms.visitors.guests import digest_token

VISITOR_COOKIE = "visitor"
COOKIE_LIFE = 400 * 86_400  # seconds


def find_visitor(request: Asked) -> Visitor | None:
    """Return the visitor of a request, or None for somebody who has never joined a room.

    An account that is logged in comes before the cookie of a guest.
    """
    user: Any = request.user
    if isinstance(user, User):
        return Visitor.objects.filter(account=user).first()
    return find_device_guest(request)


def find_device_guest(request: Asked) -> Visitor | None:
    """Return the guest whose cookie the device of a request has, or None. An account may be logged in, too."""
    token = request.COOKIES.get(VISITOR_COOKIE, "")
    if not token:
        return None
    return Visitor.objects.filter(cookie_digest=digest_token(token), account=None, forgotten_at=None).first()
