"""The button that shares a ranking, in a browser that cannot share: it copies the line, or shows it to be copied."""

import pytest
from playwright.sync_api import expect

from pages.doors import session_url
from tests.browser.conftest import PHONE
from tests.factories import published_session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
NO_SHARE = "Object.defineProperty(navigator, 'share', {value: undefined, configurable: true});"


@pytest.mark.parametrize("copies", [True, False])
def test_line_is_copied_or_shown_to_be_copied(open_page, copies):
    session = published_session()
    with open_page(PHONE) as page:
        writes = "text => { window.copied = text; return Promise.resolve(); }" if copies else "() => Promise.reject()"
        page.add_init_script(
            NO_SHARE + f"Object.defineProperty(navigator, 'clipboard', {{value: {{writeText: {writes}}}}});"
        )
        page.goto(session_url("ranking", session))
        page.get_by_role("button", name="Partager").click()
        if copies:
            expect(page.get_by_text("Copié")).to_be_visible()
            line = page.evaluate("window.copied")
        else:
            line = page.get_by_label("Texte à copier").input_value()
        assert line.startswith("Duplicate d’été, séance 1, 20 novembre 2026 – 1. ")
        assert line.endswith(session_url("ranking", session))


def test_device_that_shares_is_given_text_and_address(open_page):
    session = published_session()
    with open_page(PHONE) as page:
        page.add_init_script("navigator.share = data => { window.given = data; return Promise.resolve(); };")
        page.goto(session_url("ranking", session))
        page.get_by_role("button", name="Partager").click()
        given = page.evaluate("window.given")
        assert sorted(given) == ["text", "url"]
        assert given["url"].endswith(session_url("ranking", session))


def test_without_scripts_there_is_no_button(open_page):
    session = published_session()
    with open_page(PHONE, scripts=False) as page:
        page.goto(session_url("ranking", session))
        expect(page.get_by_role("button", name="Partager")).to_have_count(0)
