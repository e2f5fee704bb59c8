"""The visitor of a request: the account that is logged in, or the guest whose cookie the device has."""

from typing import Any

from django.core import signing
from django.db.models import Value

from clubs.guard.addresses import Asked
from clubs.models import User
from rooms.models import Visitor
from rooms.visitors.guests import copy_met_etuis, digest_token
from tournaments.prepared import PreparedRows

VISITOR_COOKIE = "visitor"
ACCOUNT_COOKIE = "room_account"  # the account that played on this device, signed
ACCOUNT_SALT = "room_account"
COOKIE_LIFE = 400 * 86_400  # seconds
GUEST_OF_COOKIE = PreparedRows(
    lambda digest: Visitor.objects.filter(cookie_digest=Value(digest), account=None, forgotten_at=None).order_by()
)


def find_visitor(request: Asked) -> Visitor | None:
    """Return the visitor of a request, or None for somebody who has never joined a room.

    An account that is logged in comes before the cookie of a guest. What the guest of this device has met, the account
    has met too, from now on. After a log-out the guest has met what the account has met.
    """
    user: Any = request.user
    if not isinstance(user, User):
        guest = find_device_guest(request)
        if guest is not None and (account := find_device_account(request)) is not None:
            copy_met_etuis(guest=account, visitor=guest)
        return guest
    visitor = Visitor.objects.filter(account=user).first()
    if visitor is not None and (guest := find_device_guest(request)) is not None:
        copy_met_etuis(guest=guest, visitor=visitor)
    return visitor


def sign_account(visitor: Visitor) -> str:
    """Return what the device of an account keeps, so that a guest of this device meets no étui of the account."""
    return signing.dumps(visitor.pk, salt=ACCOUNT_SALT)


def find_device_account(request: Asked) -> Visitor | None:
    """Return the visitor of the account that last joined a room on the device of a request, or None."""
    try:
        pk = signing.loads(request.COOKIES.get(ACCOUNT_COOKIE, ""), salt=ACCOUNT_SALT)
    except signing.BadSignature:
        return None
    return Visitor.objects.filter(pk=pk, account__isnull=False).first()


def find_device_guest(request: Asked) -> Visitor | None:
    """Return the guest whose cookie the device of a request has, or None. An account may be logged in, too."""
    token = request.COOKIES.get(VISITOR_COOKIE, "")
    if not token:
        return None
    return next(iter(GUEST_OF_COOKIE(digest_token(token))), None)
