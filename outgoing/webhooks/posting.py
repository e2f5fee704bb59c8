"""One signed POST to an address that a director has typed, without danger for the site's own network.

The name is resolved once, and the connection goes to the resolved address, so that a name cannot change in between. An
address that is not public is refused. The certificate has to be valid for the name. Redirects are not followed. The
whole call takes at most five seconds, and reads at most 64 KB.
"""

import base64
import datetime as dt
import hashlib
import hmac
import ipaddress
import re
import secrets
import socket
import ssl
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

from django.utils.crypto import salted_hmac

from clubs.models import Webhook, WebhookCall

PREFIX = "whsec_"
SALT = "topage.webhook"
CALLS = uuid.UUID("5b0a7f3e-2f0c-4c0f-9d59-0f2b8a2f6a51")  # the namespace of the ids of calls


def make_webhook_key() -> str:
    """Return a new random key, from which the secret of a webhook is derived."""
    return secrets.token_urlsafe(32)


def derive_webhook_secret(webhook: Webhook) -> str:
    """Return the secret of a webhook.

    It is derived from the key of the row and from the site's own secret. So a backup alone does not contain it.
    """
    digest = salted_hmac(SALT, webhook.key, algorithm="sha256").digest()
    return PREFIX + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def sign_call(secret: str, body: bytes, now: dt.datetime) -> str:
    """Return the value of the header with the signature: the time in seconds, and the HMAC-SHA256 of time and body."""
    seconds = int(now.timestamp())
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={signed}"


def find_call_id(webhook: Webhook, call: WebhookCall) -> str:
    """Return the id of a call. It is the same for each try, and even for a row that is derived again."""
    return str(uuid.uuid5(CALLS, f"{webhook.key}:{call.kind}:{call.owner}:{call.version}"))


SECONDS = 5.0
MOST_BYTES = 65_536
STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})[ \r\n]")
END_OF_HEAD = b"\r\n\r\n"
# Networks whose addresses contain the address of another network, and one that was private once (fec0::/10). They would
# lead around the check.
INSIDE = ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96", "fec0::/10")
WRAPPED = tuple(map(ipaddress.ip_network, INSIDE))
Fault = WebhookCall.CallFault
Headers = Sequence[tuple[str, str]]


class Answer(NamedTuple):
    """The answer to a POST: the status, or None, and why the POST failed, or "" if it succeeded."""

    code: int | None
    fault: str


class PostFailed(Exception):
    """An error: the POST failed. `fault` is a code of `WebhookCall.CallFault`."""

    def __init__(self, fault: str) -> None:
        super().__init__(fault)
        self.fault = fault


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public Internet, and does not contain an address of another network.

    Private, loopback, link-local, reserved and multicast addresses are not public.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:  # a scope, as in "fe80::1%eth0"
        return False
    if parsed.version == 6 and (parsed.ipv4_mapped or any(parsed in network for network in WRAPPED)):
        return False
    return parsed.is_global and not (parsed.is_multicast or parsed.is_reserved or parsed.is_unspecified)


def resolve_name(host: str, port: int) -> list[str]:
    """Return the IP addresses of a host. Raise `OSError` if there are none."""
    address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[4][0]) for address in address_infos))


@dataclass(frozen=True, slots=True)
class Network:
    """The way of a POST to a server. Only tests use other values than these.

    `resolve` returns the IP addresses of a host, `allows` says whether an address may be called, and `context` says
    which certificates are trusted.
    """

    resolve: Callable[[str, int], list[str]] = resolve_name
    allows: Callable[[str], bool] = is_public
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    seconds: float = SECONDS


class Deadline:
    """The end of the time for a whole call."""

    def __init__(self, seconds: float) -> None:
        self.at = monotonic() + seconds

    def find_rest(self) -> float:
        """Return the seconds that are left. Raise `PostFailed` if the time is over."""
        if (seconds := self.at - monotonic()) <= 0:
            raise PostFailed(Fault.TIME)
        return seconds


def post_body(url: str, body: bytes, headers: Headers, network: Network | None = None) -> Answer:
    """Send a POST to an address that `check_webhook_url` has accepted. Return the answer; this never raises."""
    network = network or Network()
    try:
        code = post_within(url, body, headers, network)
    except PostFailed as failure:
        return Answer(None, failure.fault)
    except ssl.SSLCertVerificationError:
        return Answer(None, Fault.CERTIFICATE)
    except TimeoutError:
        return Answer(None, Fault.TIME)
    except OSError:
        return Answer(None, Fault.REFUSED)
    if 200 <= code < 300:
        return Answer(code, "")
    return Answer(code, Fault.REDIRECT if 300 <= code < 400 else Fault.ANSWER)


def post_within(url: str, body: bytes, headers: Headers, network: Network) -> int:
    """Send the POST and return the status of the answer. Raise `PostFailed` or `OSError`."""
    deadline = Deadline(network.seconds)
    place = urlsplit(url)
    host, port = place.hostname or "", place.port or 443
    address = find_address(host, port, network, deadline)
    request = compose_request(place.path or "/", place.query, [("Host", place.netloc), *headers], body)
    with socket.create_connection((address, port), timeout=deadline.find_rest()) as plain:
        plain.settimeout(deadline.find_rest())
        with network.context.wrap_socket(plain, server_hostname=host) as server:
            server.settimeout(deadline.find_rest())
            server.sendall(request)
            return read_status(server, deadline)


def find_address(host: str, port: int, network: Network, deadline: Deadline) -> str:
    """Return the IP address of a host. If one of its addresses is not public, raise `PostFailed`.

    The name is resolved in a thread of its own, because the system's resolver has no time limit.
    """
    resolved: SimpleQueue[list[str] | Exception] = SimpleQueue()

    def ask() -> None:
        try:
            resolved.put(network.resolve(host, port))
        except Exception as error:  # the caller decides
            resolved.put(error)

    Thread(target=ask, name="resolver", daemon=True).start()
    try:
        addresses = resolved.get(timeout=deadline.find_rest())
    except Empty:
        raise PostFailed(Fault.TIME) from None
    if isinstance(addresses, Exception) or not addresses:
        raise PostFailed(Fault.UNKNOWN)
    if not all(map(network.allows, addresses)):
        raise PostFailed(Fault.PRIVATE)
    # A server that only has IPv4 cannot call the other addresses.
    return next((address for address in addresses if ":" not in address), addresses[0])


def compose_request(path: str, query: str, headers: Headers, body: bytes) -> bytes:
    """Return the bytes of a POST. The address has no blank and no control character."""
    target = f"{path}?{query}" if query else path
    own = [("Content-Length", str(len(body))), ("Connection", "close")]
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {value}" for name, value in (*headers, *own))]
    return "\r\n".join(lines).encode("ascii") + END_OF_HEAD + body


def read_status(server: ssl.SSLSocket, deadline: Deadline) -> int:
    """Read the head of the answer, and return its status. The rest of the answer is not read.

    Interim answers (1xx) are skipped.
    """
    read = b""
    while True:
        while END_OF_HEAD not in read:
            if len(read) >= MOST_BYTES:
                raise PostFailed(Fault.LONG)
            server.settimeout(deadline.find_rest())
            try:
                more = server.recv(min(16_384, MOST_BYTES - len(read)))
            except ssl.SSLEOFError:
                more = b""
            if not more:
                raise PostFailed(Fault.GARBLED)
            read += more
        status = STATUS.match(read)
        if status is None:
            raise PostFailed(Fault.GARBLED)
        if (code := int(status[1])) >= 200:
            return code
        read = read.partition(END_OF_HEAD)[2]
