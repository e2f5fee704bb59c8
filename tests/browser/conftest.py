"""A real Chromium before the site: pages the size of a phone and of a laptop, which fail their test if anything breaks.

The browser is the system's own; without one these tests fail, they are not skipped. Of the same release without windows
a page costs a quarter: a windowed one makes a window, with its own pages, for each.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.devices import Table
from tests.services.waiting import PATIENCE
from tests.tournaments.tables.screen_schema import fitting

QUIET = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"]
PHONE = (390, 844)
LAPTOP = (1280, 800)
# A request that the page itself gave up, by leaving or by closing, is no failure.
GIVEN_UP = "net::ERR_ABORTED"
# What htmx says of a request that failed is said by the request itself, who knows whether it was given up.
SAID_OF_REQUESTS = ("htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")
LOW_PHONE = (390, 700)

OpenPage = Callable[..., AbstractContextManager[Page]]
OpenTable = Callable[[str], AbstractContextManager[Table]]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Every test of this folder carries the mark `browser`."""
    item.add_marker("browser")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One Chromium for the folder; Playwright's event loop makes Django think that its queries block one."""
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        pytest.fail("the browser tests need Chromium: run `apt-get install chromium` as root, or `make test` does it")
    with pytest.MonkeyPatch.context() as environment, sync_playwright() as playwright:
        environment.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        expect.set_options(timeout=PATIENCE * 1000)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", *QUIET])
        yield browser
        browser.close()


@pytest.fixture
def problems() -> list[str]:
    """What went wrong in the pages so far; a test that expects a refusal asserts what is in it, and clears it."""
    return []


@pytest.fixture
def open_page(browser: Browser, live_server: LiveServer, problems: list[str]) -> OpenPage:
    """Open one more page, with cookies of its own: `with open_page((390, 844)) as page`; its paths are relative. It
    runs no script where `scripts` is false.
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
            context.cookies()  # what has happened by now is told first; what closing cuts off is no failure
            assert problems == []

    return open_one


@pytest.fixture
def phone(open_page: OpenPage) -> Iterator[Page]:
    """A page as wide as a phone, in French."""
    with open_page(PHONE) as page:
        yield page


@pytest.fixture
def laptop(open_page: OpenPage) -> Iterator[Page]:
    """A page as wide as the director's laptop, in French."""
    with open_page(LAPTOP) as page:
        yield page


@pytest.fixture
def table(open_page: OpenPage) -> Iterator[OpenTable]:
    """Open a device at a table's address: `with table(address) as phone`. What it sends is what its schema says."""
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
