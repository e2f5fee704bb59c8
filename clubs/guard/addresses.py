"""The address that a request comes from: the one that asks, and the one that counts."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

Asked = HttpRequest | Request
LINE = 64  # bits of an IPv6 address that one line of a home has; the rest it chooses itself


def client_address(request: Asked) -> str | None:
    """Return the address that asks, as far as the NUM_PROXIES nearest ones are believed; None where there is none."""
    own = request.META.get("REMOTE_ADDR") or None
    told = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if not settings.NUM_PROXIES or not told:
        return own
    hops = told.split(",")
    try:
        return str(ip_address(hops[-min(settings.NUM_PROXIES, len(hops))].strip()))
    except ValueError:
        return own


def counted_address(request: Asked) -> str | None:
    """Return the address by which tries are counted: of IPv6 the network of a whole line, for who has one address there
    has millions."""
    told = client_address(request)
    try:
        address = ip_address(told or "")
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((int(address), LINE), strict=False).network_address)
