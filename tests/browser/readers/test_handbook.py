"""The pages that explain the game, in a browser that runs no script: read, answered, and read in the other language."""

import pytest
from django.urls import reverse

from tests.browser.conftest import LAPTOP, PHONE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]


def test_exercise_of_a_page_is_answered_without_a_script(open_page):
    with open_page(PHONE, scripts=False) as page:
        page.goto(reverse("rules_page", args=["play"]))
        form = page.locator(f"form[action^='{reverse('exercise', args=['legal-overtrump'])}']")
        form.locator("input[value='13']").check()
        form.locator("button").click()
        page.wait_for_url("**/exercises/legal-overtrump/**")
        answer = page.locator("#answer")
        assert "Pas tout à fait" in answer.inner_text()
        assert "FFT 2012" in answer.inner_text()
        assert page.locator("input[value='13']").is_checked()
        page.locator("input[value='13']").uncheck()
        for card in ("18", "*"):
            page.locator(f"input[value='{card}']").check()
        page.locator("form.form button").click()
        page.locator("#answer", has_text="Exact.").wait_for()
        assert page.context.cookies() == []


def test_pages_lead_on_without_a_script(open_page):
    with open_page(LAPTOP, scripts=False) as page:
        page.goto(reverse("rules"))
        page.locator(f"a[href='{reverse('rules_page', args=['cards'])}']").click()
        page.locator("h1", has_text="Les cartes").wait_for()
        page.locator("a[rel=next]").click()
        page.locator("h1", has_text="La donne").wait_for()
