"""A real HTTPS server on this machine that answers a call well or badly, with a certificate of its own."""

import datetime as dt
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from outgoing.webhooks.posting import Network

HOST = "hooks.club.example"
HERE = "127.0.0.1"


@dataclass(frozen=True)
class Certificate:
    """A self-signed certificate for one name, with its key, as one PEM text."""

    pem: bytes

    @contextmanager
    def as_file(self) -> Iterator[str]:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "certificate.pem"
            path.write_bytes(self.pem)
            yield str(path)


@cache
def make_certificate(name: str) -> Certificate:
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = dt.datetime.now(dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    form = serialization.PrivateFormat.PKCS8
    return Certificate(
        key.private_bytes(serialization.Encoding.PEM, form, plain) + made.public_bytes(serialization.Encoding.PEM)
    )


def trust(*names: str) -> ssl.SSLContext:
    """Return a context that trusts the certificates of these names alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for name in names:
        certificates = make_certificate(name).pem.decode()
        context.load_verify_locations(cadata=certificates[certificates.index("-----BEGIN CERTIFICATE") :])
    return context


def reach_here(*, seconds: float = 3.0, trusted: str = HOST, **other: object) -> Network:
    """Return a network in which every name leads to this machine, and calls to this machine are allowed."""
    told = {"resolve": lambda _host, _port: [HERE], "allows": lambda address: address == HERE}
    return Network(**{**told, "context": trust(trusted), "seconds": seconds, **other})


@dataclass
class Receiver:
    """A running server: the requests that it got, as bytes, and its port. `sent` counts the bytes of its answers."""

    port: int
    requests: list[bytes] = field(default_factory=list)
    sent: int = 0
    ended: Event = field(default_factory=Event)

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}/topage?club=1"


Answering = Callable[[Receiver, ssl.SSLSocket], None]


def say(text: bytes) -> Answering:
    """Return an answering that sends these bytes."""

    def answer(receiver: Receiver, call: ssl.SSLSocket) -> None:
        call.sendall(text)

    return answer


def say_status(status: str, *headers: str) -> Answering:
    return say("\r\n".join([f"HTTP/1.1 {status}", *headers, "Content-Length: 0", "", ""]).encode())


def keep_silent(receiver: Receiver, call: ssl.SSLSocket) -> None:
    receiver.ended.wait(20)


def drip(receiver: Receiver, call: ssl.SSLSocket) -> None:
    """Send an endless head, a few bytes at a time."""
    call.sendall(b"HTTP/1.1 200 OK\r\n")
    while not receiver.ended.wait(0.05):
        call.sendall(b"X: y\r\n")


def flood(begin: bytes) -> Answering:
    """Return an answering that sends `begin` and then up to 40 MB without an end."""

    def answer(receiver: Receiver, call: ssl.SSLSocket) -> None:
        call.sendall(begin)
        while receiver.sent < 40_000_000 and not receiver.ended.is_set():
            call.sendall(b"x" * 65_536)
            receiver.sent += 65_536

    return answer


@contextmanager
def receive(answering: Answering, *, name: str = HOST, handshakes: bool = True, port: int = 0) -> Iterator[Receiver]:
    """Run a server that answers every call so. Without `handshakes` it takes connections and then says nothing.

    Without a `port` it gets any free one.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with make_certificate(name).as_file() as path:
        context.load_cert_chain(path)
    with closing(socket.create_server((HERE, port))) as door:
        door.settimeout(20)
        receiver = Receiver(door.getsockname()[1])

        def serve() -> None:
            while not receiver.ended.is_set():
                try:
                    plain, _address = door.accept()
                except OSError:
                    return
                with suppress(OSError), plain:
                    plain.settimeout(20)
                    if not handshakes:
                        receiver.ended.wait(20)
                        continue
                    with context.wrap_socket(plain, server_side=True) as call:
                        receiver.requests.append(read_request(call))
                        answering(receiver, call)

        thread = Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield receiver
        finally:
            receiver.ended.set()
            with suppress(OSError):
                door.shutdown(socket.SHUT_RDWR)
            door.close()
            thread.join(20)


def read_request(call: ssl.SSLSocket) -> bytes:
    """Return the next request. Raise `ConnectionError` if the caller hangs up before its end."""

    def read_on() -> bytes:
        if not (read := call.recv(65_536)):
            raise ConnectionError("the caller hung up")
        return read

    read = b""
    while b"\r\n\r\n" not in read:
        read += read_on()
    head, _end, body = read.partition(b"\r\n\r\n")
    (length,) = (int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"Content-Length:"))
    while len(body) < length:
        body += read_on()
    return head + b"\r\n\r\n" + body


def measure(act: Callable[[], object]) -> float:
    """Return how many seconds it takes."""
    began = time.monotonic()
    act()
    return time.monotonic() - began
