"""Where the site lies, as links say that are followed elsewhere: in mails, on paper, in calendars and feeds.

SITE_URL says it. Without it, which is allowed where no mail is sent, a link begins with the host that the request was
sent to: whoever writes the request writes that host, and alone reads the link.
"""

import socket
from collections.abc import Callable
from contextlib import closing
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

ORIGIN = "topage.origin"  # where a request that nobody sent says at which site its page lies
ONLY_HERE = {"localhost", "127.0.0.1", "::1"}  # what other devices take for themselves
# Nothing is sent to them: they tell which of its addresses this machine would ask from.
ELSEWHERE = ("192.0.2.1", "192.168.0.1", "192.168.1.1", "10.0.0.1", "172.16.0.1")


def origin_of(request: HttpRequest | Request) -> str:
    """Return scheme and host of the site, `https://topage.example`. Raise where it is asked by a foreign name."""
    if told := request.META.get(ORIGIN):
        return str(told)
    asked = f"{request.scheme}://{request.get_host()}"
    return settings.SITE_URL or asked


def link_to(request: HttpRequest | Request, path: str) -> str:
    """Return the address at which a path of the site is found from anywhere."""
    return f"{origin_of(request)}{path}"


def is_only_here(request: HttpRequest) -> bool:
    """Return whether links that this request makes lead to nothing but the computer on which they are followed."""
    return urlsplit(origin_of(request)).hostname in ONLY_HERE


def find_hall_origins(request: HttpRequest) -> list[str]:
    """Return where others in the hall find a laptop's site; nothing on a server, which tells nobody its addresses."""
    if settings.SERVER:
        return []
    port = urlsplit(origin_of(request)).port
    return [f"{request.scheme}://{address}{f':{port}' if port else ''}" for address in find_own_addresses()]


def find_own_addresses() -> list[str]:
    """Return this machine's IPv4 addresses in its networks, without those that lead to itself alone."""
    found: dict[str, None] = {}
    for elsewhere in ELSEWHERE:
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
            try:
                asked.connect((elsewhere, 9))
                found[asked.getsockname()[0]] = None
            except OSError:  # of no network
                continue
    return [address for address in found if not address.startswith("127.") and address != "0.0.0.0"]


class UnsentRequest(HttpRequest):
    """A request that nobody sends, for what is built at a site for whoever asks next."""

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
    """Return a request for the same page at the site, for libraries that ask it for its host."""
    asked = UnsentRequest(origin_of(request))
    asked.path = asked.path_info = request.path
    asked.GET, asked.user, asked.resolver_match = request.GET, AnonymousUser(), request.resolver_match
    return asked


class AddressMiddleware:
    """Has absolute addresses that libraries make of a request begin with SITE_URL too, whatever Host it names."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.SITE_URL:
            vars(request)["_current_scheme_host"] = settings.SITE_URL
        return self.get_response(request)
