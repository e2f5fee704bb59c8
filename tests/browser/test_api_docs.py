"""The API's browsable page under the strict content security policy: it is drawn, and it can be tried out."""

import pytest
from playwright.sync_api import expect

from tests.api.conftest import schema
from tests.factories import make_club

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
# Returns the ids of all operations. The page draws those that are near, so this scrolls down to the end.
SCROLLED = """async () => {
    let box = document.querySelector(".opblock");
    const scrolls = (one) => one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY);
    while (box !== document.documentElement && !scrolls(box)) box = box.parentElement;
    const seen = new Set();
    for (let top = 0; top < box.scrollHeight; top += 200) {
        box.scrollTop = top;
        for (const _frame of [1, 2, 3]) await new Promise((done) => requestAnimationFrame(done));
        for (const one of document.querySelectorAll(".opblock")) seen.add(one.id);
    }
    return [...seen];
}"""


def test_page_shows_every_operation_without_breaking_the_policy(laptop):
    answer = laptop.goto("/api/v1/docs/")
    assert "unsafe-inline" not in answer.headers["content-security-policy"]
    expect(laptop.locator(".opblock").first).to_be_visible()
    shown = laptop.evaluate(SCROLLED)
    paths = schema().raw_schema["paths"].values()
    operations = {operation["operationId"] for methods in paths for operation in methods.values()}
    assert {shown_id.rpartition("-")[2] for shown_id in shown} == operations


def test_operation_is_tried_out_on_the_page(laptop):
    make_club(name="Club des Étuis")
    laptop.goto("/api/v1/docs/")
    clubs = laptop.locator("#operations-clubs-clubs_list")
    clubs.locator(".opblock-summary").first.click()
    clubs.get_by_role("button", name="Try it out").click()
    clubs.get_by_role("button", name="Execute").click()
    expect(clubs.locator(".live-responses-table tbody .response-col_status").first).to_contain_text("200")
    expect(clubs.locator(".live-responses-table")).to_contain_text("Club des Étuis")
