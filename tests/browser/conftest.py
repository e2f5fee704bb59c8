"""A real Chromium for the tests: pages as large as a phone's and a laptop's, which fail the test if anything breaks.

It is the Chromium of the system. Without it these tests fail; they are not skipped. If there is a release without
windows (`chromium-headless-shell`), it is used, because it opens a page in a quarter of the time. The usual release
makes a window for each page.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Condition
from urllib.request import urlopen

import pytest
from django.core.signals import request_finished, request_started
from playwright.sync_api import Browser, BrowserType, ConsoleMessage, Page, Request, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.devices import Table
from tests.evenings.tables.screen_schema import fitting
from tests.services.waiting import PATIENCE

QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
PHONE = (390, 844)
LAPTOP = (1280, 800)
# A request that the page itself cancelled, because it left or was closed, is no failure.
GIVEN_UP = "net::ERR_ABORTED"
# htmx reports failed requests on the console as well. The request itself is enough, because it tells whether the page
# cancelled it.
SAID_OF_REQUESTS = ("htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")
LOW_PHONE = (390, 700)

OpenPage = Callable[..., AbstractContextManager[Page]]
OpenTable = Callable[[str], AbstractContextManager[Table]]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark every test of this folder with `browser`."""
    item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start one Chromium for the folder. Playwright's event loop makes Django think that queries would block a loop."""
    with pytest.MonkeyPatch.context() as environment, sync_playwright() as playwright:
        environment.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=PATIENCE * 1000)
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


def launch(kind: BrowserType, *args: str) -> Browser:
    """Start the system's Chromium."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        pytest.fail("the browser tests need Chromium: run `apt-get install chromium` as root, or `make test` does it")
    return kind.launch(executable_path=chromium, args=["--no-sandbox", *QUIET, *args])


@pytest.fixture
def problems() -> list[str]:
    """Return the list of errors in the pages so far. A test that expects a refusal checks the list and clears it."""
    return []


class RunningRequests:
    """The number of requests that the live server answers now. They go on when their page is closed."""

    def __init__(self) -> None:
        self.count, self.changed = 0, Condition()

    def begin(self, **_told: object) -> None:
        self.add(1)

    def end(self, **_told: object) -> None:
        self.add(-1)

    def add(self, difference: int) -> None:
        with self.changed:
            self.count += difference
            self.changed.notify_all()

    def wait_for_none(self) -> bool:
        """Wait until no request runs any more, and return whether none does."""
        with self.changed:
            return self.changed.wait_for(lambda: self.count <= 0, timeout=PATIENCE)


@pytest.fixture
def settled(live_server: LiveServer) -> Iterator[None]:
    """Wait after the test for requests that still run. Else they would meet the truncation of the tables."""
    running = RunningRequests()
    request_started.connect(running.begin)
    request_finished.connect(running.end)
    try:
        yield
        with urlopen(f"{live_server.url}/static/css/wizard.css"):  # requests that were sent before have begun now
            pass
        assert running.wait_for_none()
    finally:
        request_started.disconnect(running.begin)
        request_finished.disconnect(running.end)


@pytest.fixture
def open_page(browser: Browser, live_server: LiveServer, settled: None, problems: list[str]) -> OpenPage:
    """Provide a function that opens one more page, with its own cookies.

    Use: `with open_page((390, 844)) as page`. Its addresses are relative to the site. It runs no scripts if `scripts`
    is false.
    """

    @contextmanager
    def open_one(size: tuple[int, int], *, scripts: bool = True) -> Iterator[Page]:
        width, height = size
        with browser.new_context(
            viewport={"width": width, "height": height},
            base_url=live_server.url,
            locale="fr-FR",
            java_script_enabled=scripts,
        ) as context:
            context.set_default_timeout(PATIENCE * 1000)
            page = context.new_page()
            watch(page, problems)
            yield page
            # Wait for the errors that have happened by now. Requests that closing cuts off are no failures.
            context.cookies()
            assert problems == []

    return open_one


@pytest.fixture
def phone(open_page: OpenPage) -> Iterator[Page]:
    """Open a page as wide as a phone, in French."""
    with open_page(PHONE) as page:
        yield page


@pytest.fixture
def laptop(open_page: OpenPage) -> Iterator[Page]:
    """Open a page as wide as the director's laptop, in French."""
    with open_page(LAPTOP) as page:
        yield page


@pytest.fixture
def table(open_page: OpenPage) -> Iterator[OpenTable]:
    """Provide a function that opens a device at a table.

    Use: `with table(address) as phone`. When the test ends, everything that the device has sent must match the schema.
    """
    sent: list[str | None] = []

    @contextmanager
    def open_table(address: str) -> Iterator[Table]:
        with open_page(LOW_PHONE) as page:
            page.on("request", lambda request: sent.append(request.post_data) if request.method == "POST" else None)
            yield Table(page, address)

    yield open_table
    for body in sent:
        fitting("Sending", json.loads(body or ""))


def watch(page: Page, problems: list[str]) -> None:
    """Write down each error of the console, each exception of a script and each request that fails."""

    def said(message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(SAID_OF_REQUESTS):
            problems.append(f"console: {message.text}")

    def failed(request: Request) -> None:
        if request.failure != GIVEN_UP:
            problems.append(f"request: {request.url} {request.failure}")

    page.on("console", said)
    page.on("pageerror", lambda error: problems.append(f"script: {error}"))
    page.on("requestfailed", failed)
