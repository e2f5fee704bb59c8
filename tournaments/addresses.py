"""The address of the site, for links that are followed elsewhere: in mails, on paper, in calendars and feeds.

The setting SITE_URL has it. SITE_URL may be missing if the site sends no mail. A link then begins with the host in the
request. The sender of a request can choose that host freely, but only the sender reads the link.
"""

import socket
from collections.abc import Callable
from contextlib import closing
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

ORIGIN = "topage.origin"  # the key under which an `UnsentRequest` has the address of the site
ONLY_HERE = {"localhost", "127.0.0.1", "::1"}  # names that every device uses for itself
# Nothing is sent to these addresses: they show from which of its own addresses this machine would send.
ELSEWHERE = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1")


def origin_of(request: HttpRequest | Request) -> str:
    """Return scheme and host of the site, `https://topage.example`. Raise `DisallowedHost` for a foreign name."""
    if told := request.META.get(ORIGIN):
        return str(told)
    asked = f"{request.scheme}://{request.get_host()}"
    return settings.SITE_URL or asked


def link_to(request: HttpRequest | Request, path: str) -> str:
    """Return the full address of a path of the site, which works from anywhere."""
    return f"{origin_of(request)}{path}"


def is_only_here(request: HttpRequest) -> bool:
    """Return whether links of this request lead only to the computer on which they are followed."""
    return urlsplit(origin_of(request)).hostname in ONLY_HERE


def find_hall_origins(request: HttpRequest) -> list[str]:
    """Return the addresses at which others in the hall can open a laptop's site, or [] on a server."""
    if settings.SERVER:
        return []
    port = urlsplit(origin_of(request)).port
    return [f"{request.scheme}://{address}{f':{port}' if port else ''}" for address in find_own_addresses()]


def find_own_addresses() -> list[str]:
    """Return this machine's IPv4 addresses in its networks, without those that lead only to itself."""
    found: dict[str, None] = {}
    for elsewhere in ELSEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
            try:
                asked.connect((elsewhere, 9))
                found[asked.getsockname()[0]] = None
            except OSError:  # without such a network
                continue
    return [address for address in found if not address.startswith("127.") and address != "0.0.0.0"]


class UnsentRequest(HttpRequest):
    """A request that no reader has sent. With it, a page is built that the cache then gives to all readers."""

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
    """Return a request for the same page at the site's address, for libraries that ask a request for its host."""
    asked = UnsentRequest(origin_of(request))
    asked.path = asked.path_info = request.path
    asked.GET, asked.user, asked.resolver_match = request.GET, AnonymousUser(), request.resolver_match
    return asked


class AddressMiddleware:
    """The middleware for SITE_URL: absolute addresses that libraries build begin with it, whatever the Host is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SITE_URL:
            vars(request)["_current_scheme_host"] = settings.SITE_URL
        return self.get_response(request)
