"""The fixtures of this folder: they fail a test whose page breaks."""

import pytest

from tests.browser.devices import axe

pytestmark = pytest.mark.nightly("browser")


def test_phone_and_laptop_have_their_widths_and_speak_french(phone, laptop):
    assert phone.evaluate("[innerWidth, innerHeight, navigator.language]") == [390, 844, "fr-FR"]
    assert laptop.evaluate("[innerWidth, innerHeight, navigator.language]") == [1280, 800, "fr-FR"]


def test_fault_of_accessibility_is_found_once_for_each_outline_and_width(phone, laptop):
    for page, found in ((phone, True), (phone, False), (laptop, True)):
        page.set_content("<html lang=fr><title>T</title><main><h1>T</h1><img src=data:,></main>")
        assert any(name == "image-alt" for name, _where in axe(page)) == found


def test_contrast_is_examined_at_one_width(phone, laptop):
    for page, found in ((phone, ["color-contrast"]), (laptop, [])):
        page.set_content("<html lang=fr><title>T</title><main><h1 style='color: #ccc'>Pale words</h1></main>")
        assert [name for name, _where in axe(page)] == found


def test_error_written_to_the_console_is_a_problem(phone, problems):
    phone.evaluate("console.error('no such étui')")
    assert problems == ["console: no such étui"]
    problems.clear()


def test_exception_of_a_script_is_a_problem(phone, problems):
    phone.set_content("<script>throw new Error('no such étui')</script>")
    assert problems == ["script: no such étui"]
    problems.clear()


def test_page_that_does_not_exist_is_a_problem(phone, problems):
    assert phone.goto("/no-such-page").status == 404
    assert problems == ["console: Failed to load resource: the server responded with a status of 404 (Not Found)"]
    problems.clear()


def test_problem_left_in_a_page_fails_when_the_page_is_closed(open_page, problems):
    with pytest.raises(AssertionError), open_page((390, 844)) as page:
        page.evaluate("console.error('unseen')")
    problems.clear()
