"""The page of an address that does not exist."""

import pytest
from django.urls import reverse

from tests.pages.browsing import browser_of
from tests.pages.reading import read, words


@pytest.mark.django_db
def test_address_that_opens_nothing_says_what_to_do():
    page = browser_of().get("/clubs/nulle-part/")
    assert page.status_code == 404
    text = words(page)
    assert "There is nothing at this address" in text
    assert "ask the director for a new code" in text
    assert reverse("home") in read(page).links
