"""The network address of a request, and the devices that the site recognises by a signed cookie.

The cookie does not say who the reader is. It gives a device its own counters, which nobody else can fill. It has at
most MOST_ACCOUNTS accounts. An account that logs out everywhere is no longer recognised.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, IPv6Network, ip_address
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from clubs.models import User

Asked = HttpRequest | Request
LINE = 64  # the first bits of an IPv6 address name an internet connection; its owner chooses the rest


def client_address(request: Asked) -> str | None:
    """Return the address from which the request came, or None if it is not known.

    Only the nearest NUM_PROXIES proxies are trusted to tell it.
    """
    own = request.META.get("REMOTE_ADDR") or None
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if not settings.NUM_PROXIES or not forwarded:
        return own
    hops = forwarded.split(",")
    try:
        return str(ip_address(hops[-min(settings.NUM_PROXIES, len(hops))].strip()))
    except ValueError:
        return own


def counted_address(request: Asked) -> str | None:
    """Return the address under which wrong answers are counted, or None if it is not known.

    For IPv6 it is the network of a whole internet connection, because each connection has very many addresses.
    """
    client = client_address(request)
    try:
        address = ip_address(client or "")
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), LINE), strict=False).network_address)


COOKIE, SALT = "device", "clubs.guard.device"
LIFE = 365 * 86_400  # seconds
MOST_ACCOUNTS = 20
AT = "_topage_device"  # the attribute of a request that holds its Device


@dataclass
class Device:
    """A device: its number, and the accounts that logged in there, the latest one last.

    `accounts` has the access version that each account had there, a number that changes when it logs out everywhere.
    `has_opened_code`: a right code was typed there. `came_known`: the request had a valid cookie. `is_changed`: the
    cookie has to be sent again.
    """

    number: str
    accounts: dict[int, int] = field(default_factory=dict)
    has_opened_code: bool = False
    came_known: bool = False
    is_changed: bool = False

    def knows(self, user: User) -> bool:
        """Return whether this account logged in here, and has not logged out everywhere since then."""
        return self.accounts.get(user.pk) == user.access_version

    def to_cookie(self) -> str:
        return signing.dumps([self.number, list(self.accounts.items()), self.has_opened_code], salt=SALT)


def read_device(request: Asked) -> Device:
    """Return the device of the request. Without a valid cookie it is a new device with a new number."""
    kept: Device | None = getattr(request, AT, None)
    if kept is None:
        kept = device_of(request.COOKIES.get(COOKIE, ""))
        setattr(request, AT, kept)
    return kept


def device_of(cookie: str) -> Device:
    try:
        number, accounts, has_opened_code = signing.loads(cookie, salt=SALT, max_age=LIFE)
        return Device(number, dict(accounts), has_opened_code, came_known=True)
    except (signing.BadSignature, ValueError, TypeError):
        return Device(secrets.token_urlsafe(12))


def know_device(request: Asked) -> None:
    """Mark the device so that it gets a cookie, by which it is recognised later."""
    device = read_device(request)
    device.is_changed = device.is_changed or not device.came_known


def know_account(request: Asked, user: User) -> None:
    """Remember that this account has logged in on the device of the request."""
    device = read_device(request)
    device.accounts.pop(user.pk, None)
    device.accounts = dict([*device.accounts.items(), (user.pk, user.access_version)][-MOST_ACCOUNTS:])
    device.is_changed = True


def know_code(request: Asked) -> None:
    """Remember that somebody on this device typed a right number of a table or a right personal code."""
    device = read_device(request)
    device.is_changed = device.is_changed or not device.has_opened_code
    device.has_opened_code = True


class DeviceMiddleware:
    """A middleware that sends the cookie of a device if its data has changed."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        device: Any = getattr(request, AT, None)
        if device is not None and device.is_changed:
            response.set_cookie(COOKIE, device.to_cookie(), LIFE, secure=settings.HTTPS, httponly=True, samesite="Lax")
        return response
