"""A simultaneous between sites in a real browser: the pages of both sides, in both languages, with and without scripts.

Each test plays both sites on this one: the organiser's set gets another commitment while the other club takes its file.
"""

import re

import pytest
from django.urls import reverse

from tests.archives.elsewhere.test_sites import far_away, forget_this_site, receive, send
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import log_in
from tests.browser.test_languages import switch
from tests.factories import make_club, make_director
from tests.rankings.simultaneous.world import make_simultaneous

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
LONG = "Cercle des tarologues de Montmorency-Vaudreuil-lès-Châtillon-d’Entrecasteaux"
ORGANISER, FAR = "director federation", "lointaine"
KEY = re.compile(r"AGE-SECRET-KEY-1[0-9A-Z]+")


@pytest.fixture
def simultaneous():
    return make_simultaneous()


@pytest.fixture
def far_club():
    """Return a club with a long name, whose site is another one."""
    club = make_club("cercle", LONG)
    make_director(club, FAR)
    return club


def pages_of(simultaneous):
    """Return the addresses of the organiser's pages for other sites."""
    place = [simultaneous.club.slug, simultaneous.slug]
    return [reverse(name, args=place) for name in ("simultaneous_sites", "simultaneous_key")]


def look_at(page, addresses, *, scripts):
    """Open each page in both languages on a phone and a laptop. Return what is too wide, and the faults of axe."""
    wide, faults = [], []
    for language in ("fr", "en"):
        if language == "en":
            switch(page, language)
        for address in addresses:
            page.goto(address)
            assert page.get_attribute("html", "lang") == language
            for width, height in (PHONE, LAPTOP):
                page.set_viewport_size({"width": width, "height": height})
                if width_of(page) > width:
                    wide.append((language, address, width))
            faults += [(address, fault) for fault in axe(page)] if scripts else []
    return wide, faults


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_pages_of_the_organiser_fit_any_screen(open_page, simultaneous, scripts):
    send(simultaneous)
    with open_page(PHONE, scripts=scripts) as page:
        log_in(page, ORGANISER)
        page.goto("/")
        assert look_at(page, pages_of(simultaneous), scripts=scripts) == ([], [])


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_pages_of_a_club_elsewhere_fit_any_screen(open_page, simultaneous, far_club, scripts):
    received = receive(far_club, send(simultaneous), far_club.memberships.get().user)
    addresses = [reverse("simultaneous_receive", args=[far_club.slug])]
    addresses += [reverse("simultaneous_open", args=[far_club.slug, received.slug])]
    with open_page(PHONE, scripts=scripts) as page:
        log_in(page, FAR)
        page.goto("/")
        assert look_at(page, addresses, scripts=scripts) == ([], [])


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_file_and_key_go_from_one_site_to_the_other(open_page, simultaneous, far_club, language, scripts, tmp_path):
    sites, key_page = pages_of(simultaneous)
    with open_page(PHONE, scripts=scripts) as page:
        log_in(page, ORGANISER)
        page.goto("/")
        if language == "en":
            switch(page, language)
        page.goto(sites)
        with page.expect_download() as given:
            page.locator("form[action$='/file/'] button").click()
        file = tmp_path / "etuis.zip"
        given.value.save_as(file)
        page.goto(key_page)
        (key,) = KEY.findall(page.inner_text("main"))
    forget_this_site(simultaneous)
    with open_page(PHONE, scripts=scripts) as page:
        log_in(page, FAR)
        page.goto("/")
        if language == "en":
            switch(page, language)
        page.goto(reverse("simultaneous_receive", args=[far_club.slug]))
        page.set_input_files("[name=file]", file)
        with far_away():
            page.click("main form[enctype] button")
            page.wait_for_url("**/open/")
        page.fill("[name=key]", "une clé")
        page.click("form:has([name=key]) button")
        assert page.input_value("[name=key]") == "une clé"  # what was typed stays beside the error
        assert page.locator("[name=key][aria-invalid=true]").count() == 1
        page.fill("[name=key]", key)
        page.click("form:has([name=key]) button")
        page.get_by_role("link", name="Imprimer les étuis" if language == "fr" else "Print the étuis").wait_for()
        assert width_of(page) <= PHONE[0]
