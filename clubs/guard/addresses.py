"""The network address of a request, and the address under which its wrong answers are counted."""

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request

Asked = HttpRequest | Request
LINE = 64  # the first bits of an IPv6 address name an internet connection; its owner chooses the rest


def client_address(request: Asked) -> str | None:
    """Return the address from which the request came, or None if it is not known.

    Only the nearest NUM_PROXIES proxies are trusted to tell it.
    """
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
    """Return the address under which wrong answers are counted, or None if it is not known.

    For IPv6 it is the network of a whole internet connection, because each connection has very many addresses.
    """
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
