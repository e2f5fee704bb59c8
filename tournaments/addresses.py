"""The address of the site, for links that people open outside its pages: in mails, on paper, in calendars and feeds.

The setting SITE_URL has the address. SITE_URL may be missing if the site sends no mail: a link then begins with the
host named in the request. The sender of a request can name any host, but only the sender reads that link.
"""

import socket
from collections.abc import Callable
from contextlib import closing
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

ORIGIN = "topage.origin"  # the key in `UnsentRequest.META` for the address of the site
ONLY_HERE = {"localhost", "127.0.0.1", "::1"}  # names that every device uses for itself
# Addresses in other networks. Nothing is sent to them. If a socket connects to one of them, the system gives the socket
# the address of this machine in that network.
ELSEWHERE = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1")


def origin_of(request: HttpRequest | Request) -> str:
    """Return the scheme and host of the site, such as `https://topage.example`.

    Raise `DisallowedHost` if the request names a host that the site does not serve.
    """
    if origin := request.META.get(ORIGIN):
        return str(origin)
    origin = f"{request.scheme}://{request.get_host()}"
    return settings.SITE_URL or origin


def link_to(request: HttpRequest | Request, path: str) -> str:
    """Return the full address (scheme, host and path) of a path of the site."""
    return f"{origin_of(request)}{path}"


def is_only_here(request: HttpRequest) -> bool:
    """Return whether the site's address in this request is one like `localhost`, which no other device can open."""
    return urlsplit(origin_of(request)).hostname in ONLY_HERE


def find_hall_origins(request: HttpRequest) -> list[str]:
    """Return the addresses at which other devices in the hall can open a site on a laptop. Return [] on a server.

    An example is `http://192.168.1.20:8000`.
    """
    if settings.SERVER:
        return []
    port = urlsplit(origin_of(request)).port
    return [f"{request.scheme}://{address}{f':{port}' if port else ''}" for address in find_own_addresses()]


def find_own_addresses() -> list[str]:
    """Return this machine's IPv4 addresses that other devices can reach, such as "192.168.1.20"."""
    addresses: dict[str, None] = {}
    for elsewhere in ELSEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as client:
            try:
                client.connect((elsewhere, 9))
                addresses[client.getsockname()[0]] = None
            except OSError:  # this machine has no way to that address
                continue
    return [address for address in addresses if not address.startswith("127.") and address != "0.0.0.0"]


class UnsentRequest(HttpRequest):
    """A request made by the site itself, to build a page that the cache then gives to all readers."""

    def __init__(self, origin: str) -> None:
        super().__init__()
        self.method = "GET"
        self.META[ORIGIN] = origin

    def get_host(self) -> str:
        return urlsplit(origin_of(self)).netloc

    def _get_scheme(self) -> str:
        return urlsplit(origin_of(self)).scheme

    @property
    def scheme(self) -> str:
        return self._get_scheme()


def at_site(request: HttpRequest) -> UnsentRequest:
    """Return a request for the same page, by nobody, at the site's address.

    It is for libraries that build links from the host of a request.
    """
    unsent = UnsentRequest(origin_of(request))
    unsent.path = unsent.path_info = request.path
    unsent.GET, unsent.user, unsent.resolver_match = (
        request.GET,
        AnonymousUser(),
        request.resolver_match,
    )
    return unsent


class AddressMiddleware:
    """The middleware that makes `request.build_absolute_uri` use SITE_URL instead of the request's Host header."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SITE_URL:
            vars(request)["_current_scheme_host"] = settings.SITE_URL
        return self.get_response(request)
