"""The doctor's examination of the site as its readers reach it, through a proxy (the subject `https`)."""

import json
import socket
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import Message
from typing import Any, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.conf import settings

from operations.doctor.findings import SiteFinding, tell_error, tell_good, tell_warning
from operations.health import HOPS, LIVE

SECONDS = 10
SHORT_DAYS = 14  # a certificate should last longer: programs renew it a month before its end
HEADERS = ("Strict-Transport-Security", "Content-Security-Policy", "X-Content-Type-Options")


class FetchedAnswer(NamedTuple):
    """An answer of a web server."""

    status: int
    headers: Message
    text: str


class NoRedirect(HTTPRedirectHandler):
    """A handler that does not follow redirects, so that a redirect can be examined itself."""

    def redirect_request(self, *asked: Any, **more: Any) -> None:
        return None


def fetch(url: str) -> FetchedAnswer:
    """Return the answer of an address, even if it is an error or a redirect. Raise OSError if there is no answer."""
    try:
        with build_opener(NoRedirect).open(
            Request(url, headers={"User-Agent": "topage-doctor"}), timeout=SECONDS
        ) as got:
            return FetchedAnswer(got.status, got.headers, got.read().decode(errors="replace"))
    except HTTPError as refused:
        with refused:
            return FetchedAnswer(refused.code, refused.headers, refused.read().decode(errors="replace"))


def examine_https() -> Iterator[SiteFinding]:
    """Yield the faults of pages fetched from SITE_URL: in the proxy, the headers, the certificate."""
    site = settings.SITE_URL
    if not site:
        if settings.SERVER:
            why = "Nobody knows whether the proxy passes requests as it should."
            yield tell_warning("SITE_URL is not set, so nothing is fetched.", why, "Set SITE_URL.")
        else:
            yield tell_good("No SITE_URL is set, so nothing is fetched.")
        if settings.NUM_PROXIES and not settings.SERVER:
            yield tell_forging(0, "Set NUM_PROXIES to 0, or set SITE_URL to the address of your proxy.")
        return
    try:
        alive = fetch(f"{site}{LIVE}")
        page = fetch(f"{site}/login/")
    except (OSError, URLError) as failed:
        why = "Readers and phones do not reach the site either, unless only this machine cannot."
        yield tell_error(
            f"{site} does not answer ({failed}).", why, "Look at the proxy, its certificate, and the name."
        )
        return
    if not is_this_site(alive):
        why = "Readers reach something else, or an error of the proxy."
        yield tell_error(f"{site} is not this site ({alive.status}).", why, "Look at the proxy's configuration.")
        return
    yield from examine_hops(alive)
    yield from examine_way(page)
    if site.startswith("https://"):
        yield from examine_headers(page)
        yield from examine_certificate(site)
        yield from examine_plain(site)


def is_this_site(answer: FetchedAnswer) -> bool:
    try:
        return answer.status == 200 and json.loads(answer.text) == {"status": "ok"}
    except ValueError:
        return False


def examine_hops(alive: FetchedAnswer) -> Iterator[SiteFinding]:
    """Yield an error if fewer proxies than NUM_PROXIES told the address of this request."""
    seen = alive.headers.get(HOPS)
    if seen is not None and int(seen) < settings.NUM_PROXIES:
        yield tell_forging(int(seen), f"Set NUM_PROXIES to {int(seen)}, or let each proxy send X-Forwarded-For.")


def tell_forging(seen: int, remedy: str) -> SiteFinding:
    what = f"NUM_PROXIES is {settings.NUM_PROXIES}, but {seen or 'no'} proxies are seen."
    why = "Anybody can then name a false address, so no limit on wrong passwords and codes holds."
    return tell_error(what, why, remedy)


def examine_way(page: FetchedAnswer) -> Iterator[SiteFinding]:
    if page.status == 400:
        why = "Every page is refused."
        yield tell_error("The proxy does not pass the host.", why, "Let the proxy send the header Host of the request.")
    elif page.status in (301, 302, 307, 308) and page.headers.get("Location", "").startswith(
        f"{settings.SITE_URL}/login"
    ):
        why = "Every page leads to itself again and again."
        yield tell_error("The proxy does not tell of HTTPS.", why, "Let the proxy send X-Forwarded-Proto: https.")
    elif page.status >= 500:
        yield tell_error(
            f"A page fails ({page.status}).", "Readers see an error.", "See the findings above, and the log."
        )
    else:
        yield tell_good(f"{settings.SITE_URL} answers.")


def examine_headers(page: FetchedAnswer) -> Iterator[SiteFinding]:
    missing = [name for name in HEADERS if page.status < 400 and name not in page.headers]
    if missing:
        why = "Browsers then protect readers less: the site sends these headers, and the proxy drops them."
        yield tell_warning(f"Missing: {', '.join(missing)}.", why, "Let the proxy pass all headers; set HTTPS=true.")


def examine_certificate(site: str) -> Iterator[SiteFinding]:
    """Yield how many days the certificate still lasts."""
    address = urlsplit(site)
    with (
        socket.create_connection((address.hostname or "", address.port or 443), timeout=SECONDS) as plain,
        ssl.create_default_context().wrap_socket(plain, server_hostname=address.hostname) as safe,
    ):
        end: Any = (safe.getpeercert() or {}).get("notAfter")
    days = (datetime.fromtimestamp(ssl.cert_time_to_seconds(end), UTC) - datetime.now(UTC)).days
    if days < SHORT_DAYS:
        why = "Browsers then refuse the site, and phones open no table."
        yield tell_warning(f"The certificate ends in {days} days.", why, "Renew it; look why the proxy does not.")
    else:
        yield tell_good(f"The certificate lasts {days} more days.")


def examine_plain(site: str) -> Iterator[SiteFinding]:
    """Yield a warning if http:// does not lead to https://. A SITE_URL with a port has no such address."""
    address = urlsplit(site)
    if address.port:
        return
    try:
        answer = fetch(f"http://{address.hostname}/login/")
    except (OSError, URLError):
        return  # nothing listens there, so nobody can read the site without HTTPS
    if not answer.headers.get("Location", "").startswith("https://"):
        why = "Passwords typed there can be read on the way."
        yield tell_warning("http:// does not lead to https://.", why, "Let the proxy redirect it.")
