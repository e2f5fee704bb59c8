"""The steps that the browser tests of all forms of teams share."""

import os

from playwright.sync_api import Page

from tests.browser.devices import axe, width_of
from tests.browser.test_languages import small_words

OTHER = {"fr": "en", "en": "fr"}


def look(page: Page, name: str, language: str = "") -> None:
    """Check that the page fits the phone, speaks one language, and has no fault that axe finds.

    The page says which language it speaks, unless one is given. If the environment has a folder SHOTS, write a picture
    of the page there.
    """
    page.wait_for_load_state()
    language = language or str(page.get_attribute("html", "lang"))
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}-{language}.png", full_page=True)
    assert width_of(page) <= page.viewport_size["width"], name
    assert small_words(page, OTHER[language]) == set(), name
    assert axe(page) == [], name
