"""A ranking in a frame of another site, in Chromium: shown if the club allows that origin, and nowhere else."""

import datetime as dt
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.utils import timezone
from playwright.sync_api import Page, expect

from clubs.house import change_settings
from clubs.origins import read_origins
from pages.doors import session_url
from tests import shared_evenings
from tests.browser.conftest import LAPTOP, launch
from tests.services.waiting import PATIENCE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
CLUB, OTHER = "club.example", "other.example"


@pytest.fixture
def secured(tmp_path):
    """Return a TLS context for servers under both names, with a certificate that nobody has signed."""
    key, now = ec.generate_private_key(ec.SECP256R1()), dt.datetime.now(dt.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, CLUB)])
    names = x509.SubjectAlternativeName([x509.DNSName(CLUB), x509.DNSName(OTHER)])
    begins, ends = now - dt.timedelta(days=1), now + dt.timedelta(days=1)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(1).not_valid_before(begins).not_valid_after(ends).add_extension(names, critical=False)
    pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    file = tmp_path / "site.pem"
    file.write_bytes(key.private_bytes(*pem) + made.sign(key, hashes.SHA256()).public_bytes(pem[0]))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@pytest.fixture
def other_site(secured, live_server) -> Iterator[int]:
    """Start another site by https, and yield its port. Each of its pages frames our page with the same path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f'<h1>Another site</h1><iframe src="{live_server.url}{self.path}"></iframe>'.encode())

        def log_message(self, *_said: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.socket = secured.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.fixture
def visit(browser):
    """Provide a function that opens a page, with both names leading to this machine.

    Use: `with visit(address) as page`.
    """
    rules = f"--host-resolver-rules=MAP {CLUB} 127.0.0.1, MAP {OTHER} 127.0.0.1"
    launched = launch(browser.browser_type, rules)

    @contextmanager
    def open_one(address: str) -> Iterator[Page]:
        size = {"width": LAPTOP[0], "height": LAPTOP[1]}
        with launched.new_context(viewport=size, ignore_https_errors=True) as context:
            context.set_default_timeout(PATIENCE * 1000)
            page = context.new_page()
            page.goto(address)
            expect(page.get_by_role("heading", name="Another site")).to_be_visible()
            yield page

    yield open_one
    launched.close()


session = shared_evenings.published_with_no_page_cached


def name_site(session, address):
    club = session.tournament.club
    director = club.memberships.get(role="director").user
    change_settings(club, {"embedders": read_origins(address)}, now=timezone.now(), by=director)


def test_ranking_is_shown_in_a_frame_of_the_site_that_the_club_names_and_of_no_other(session, other_site, visit):
    name_site(session, f"https://{CLUB}:{other_site}")
    path = session_url("ranking_embedded", session)
    with visit(f"https://{CLUB}:{other_site}{path}") as page:
        expect(page.frame_locator("iframe").locator("tbody tr").first).to_contain_text("Nom")
    with visit(f"https://{OTHER}:{other_site}{path}") as page:
        assert is_refused(page)
    name_site(session, f"https://{OTHER}:{other_site}")
    with visit(f"https://{CLUB}:{other_site}{path}") as page:
        assert is_refused(page)
    with visit(f"https://{OTHER}:{other_site}{path}") as page:
        expect(page.frame_locator("iframe").locator("tbody tr").first).to_contain_text("Nom")


def test_no_other_page_is_shown_in_a_frame_even_of_that_site(session, other_site, visit):
    name_site(session, f"https://{CLUB}:{other_site}")
    with visit(f"https://{CLUB}:{other_site}{session_url('ranking', session)}") as page:
        assert is_refused(page)


def is_refused(page: Page) -> bool:
    """Return True if the frame shows Chromium's own error page, because it may not show the answer."""
    frame = page.frames[-1]
    frame.wait_for_load_state()
    return frame.url.startswith("chrome-error://") and "Nom" not in frame.locator("body").inner_text()
