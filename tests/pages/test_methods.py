"""The methods that pages answer: a page that only shows something answers GET and HEAD alone."""

import pytest
from django.test import Client

from tests.test_access import PAGES, address, world  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]


@pytest.mark.nightly("story")
def test_no_page_takes_a_method_that_it_does_not_know(world):  # noqa: F811
    """Ask with DELETE, which no page knows. As a director, since whoever has to log in first is redirected."""
    answers = {name: world["clients"]["director"].delete(address(world, name)).status_code for name in PAGES}
    assert {name: status for name, status in answers.items() if status not in (403, 404, 405)} == {}


@pytest.mark.nightly("story")
def test_page_in_a_frame_of_another_site_answers_only_who_reads(world):  # noqa: F811
    framed = sorted(name for name in PAGES if "embedded" in name)
    assert len(framed) > 3
    for name in framed:
        there = address(world, name)
        assert [Client().generic(method, there).status_code for method in ("POST", "PUT", "PATCH")] == [405] * 3, name
