"""The ranking over all clubs in a real browser: on a phone and a laptop, in both languages, without scripts too."""

import pytest
from django.urls import reverse

from clubs.models import Club
from rankings.simultaneous.field.publishing import FIELDS
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import log_in
from tests.browser.test_languages import switch
from tests.factories import make_club, make_director, publish
from tests.rankings.simultaneous.national_day import play_in, word
from tests.rankings.simultaneous.test_field_pages import open_now

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
LONG = "Les Maîtres du Petit de Saint-Germain-en-Laye et d’Entrecasteaux"


@pytest.fixture
def field():
    """Return the places of two simultaneous, one with public étuis and one before its hour, and an entrant."""
    organiser = make_club("federation", "Fédération")
    by = make_director(organiser)
    opened, sessions = play_in(organiser, by, 2, slug="ete")
    for session in sessions:
        publish(session, by=by)
    FIELDS.publish(opened.pk, word(by))
    open_now(opened)
    FIELDS.settle_all()
    secret, _sessions = play_in(organiser, by, 2)
    FIELDS.publish(secret.pk, word(by))
    Club.objects.filter(slug__contains="0").update(name=LONG)
    entrant = sessions[0].entrants.order_by("pk")[0].pk
    return [organiser.slug, opened.slug], [organiser.slug, secret.slug], entrant


def list_addresses(field):
    opened, secret, entrant = field
    found = [reverse(name, args=place) for name in ("field", "field_versions") for place in (opened, secret)]
    return [*found, reverse("field_etui", args=[*opened, 1]), reverse("field_feuille", args=[*opened, entrant])]


def test_no_page_of_a_field_scrolls_sideways_in_either_language(phone, field):
    log_in(phone, "directrice")
    addresses = [*list_addresses(field), reverse("field_publish", args=field[1])]
    phone.goto("/")
    wide = []
    for language in ("fr", "en"):
        if language == "en":
            switch(phone, language)
        for address in addresses:
            phone.goto(address)
            assert phone.get_attribute("html", "lang") == language
            for width, height in (PHONE, LAPTOP):
                phone.set_viewport_size({"width": width, "height": height})
                if width_of(phone) > width:
                    wide.append((language, address, width))
    assert wide == []


def test_pages_of_a_field_have_no_fault_for_a_screen_reader(phone, field):
    for address in list_addresses(field):
        phone.goto(address)
        assert (address, axe(phone)) == (address, [])


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_reader_chooses_a_club_and_reads_a_feuille_and_an_étui(open_page, field, scripts):
    opened, _secret, _entrant = field
    with open_page(PHONE, scripts=scripts) as page:
        for language in ("fr", "en"):
            page.goto(reverse("field", args=opened))
            if language == "en":
                switch(page, language)
                page.goto(reverse("field", args=opened))
            page.select_option("[name=club]", index=1)
            page.click("form:has([name=club]) button")
            page.wait_for_url("**club=*")
            assert page.locator("#list tbody tr").count() == 20
            page.locator("#list tbody tr a").first.click()
            page.wait_for_load_state()
            assert "%" in page.inner_text("main")
            page.goto(reverse("field_etui", args=[*opened, 1]))
            assert page.locator("main table").count() >= 1
