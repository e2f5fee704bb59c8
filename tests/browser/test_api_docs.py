"""The API's browsable page under the strict content security policy: it is drawn, and it can be tried out."""

import pytest
from playwright.sync_api import expect

from tests.factories import make_club
from tests.tournaments.api.conftest import schema

pytestmark = pytest.mark.django_db(transaction=True)


def test_page_shows_every_operation_without_breaking_the_policy(laptop):
    answer = laptop.goto("/api/v1/docs/")
    assert "unsafe-inline" not in answer.headers["content-security-policy"]
    expect(laptop.locator(".opblock-summary-path", has_text="/score/")).to_have_count(2)
    paths = schema().raw_schema["paths"].values()
    expect(laptop.locator(".opblock")).to_have_count(sum(len(methods) for methods in paths))


def test_operation_is_tried_out_on_the_page(laptop):
    make_club(name="Club des Étuis")
    laptop.goto("/api/v1/docs/")
    clubs = laptop.locator("#operations-clubs-clubs_list")
    clubs.locator(".opblock-summary").first.click()
    clubs.get_by_role("button", name="Try it out").click()
    clubs.get_by_role("button", name="Execute").click()
    expect(clubs.locator(".live-responses-table tbody .response-col_status").first).to_contain_text("200")
    expect(clubs.locator(".live-responses-table")).to_contain_text("Club des Étuis")
