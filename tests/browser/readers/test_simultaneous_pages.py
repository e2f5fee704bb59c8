"""The pages of a simultaneous in a real browser, on a phone and on a laptop, in both languages, and without scripts."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from rankings.simultaneous.hours import FieldHours
from rankings.simultaneous.membership import invite_club, join_by_link
from rankings.simultaneous.setup import RulingGiven, SimultaneousGiven, create_simultaneous, rule_for_all
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import log_in
from tests.browser.test_languages import switch
from tests.factories import make_club, make_director
from tournaments.models import Simultaneous

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
LONG = "Cercle des tarologues de Montmorency-Vaudreuil-lès-Châtillon-d’Entrecasteaux"


@pytest.fixture
def simultaneous():
    """Return a simultaneous with a ruling, and with a club whose name is long."""
    club, now = make_club("federation", "Fédération"), timezone.now()
    by = make_director(club)
    other = make_club("cercle", LONG)
    invited = make_director(other, "lointaine")
    hours = FieldHours(*(now + dt.timedelta(hours=hour) for hour in (-1, 4, 5)))
    given = SimultaneousGiven("Simultané national de la Saint-Sylvestre")
    made = create_simultaneous(club=club, given=given, hours=hours, etuis=5, by=by, now=now)
    for slug in ("federation", "cercle"):
        invite_club(simultaneous_id=made.pk, slug=slug, by=by, now=now)
    join_by_link(club=other, token=made.token, by=invited, now=now)
    ruling = RulingGiven(etui=3, kind="annulled", reason="deux cartes étaient mêlées dans l’étui de réserve")
    rule_for_all(simultaneous_id=made.pk, given=ruling, by=by, now=now)
    return made


def list_addresses(simultaneous):
    place = [simultaneous.club.slug, simultaneous.slug]
    names = ("simultaneous", "simultaneous_settings", "simultaneous_clubs", "simultaneous_rulings")
    addresses = [reverse(name, args=place) for name in names]
    addresses += [reverse(name, args=place[:1]) for name in ("simultaneous_list", "simultaneous_new")]
    return [*addresses, reverse("simultaneous_join", args=[simultaneous.token])]


def test_no_page_of_a_simultaneous_scrolls_sideways_in_either_language(phone, simultaneous):
    log_in(phone, "directrice")
    phone.goto("/")
    wide = []
    for language in ("fr", "en"):
        if language == "en":
            switch(phone, language)
        for address in list_addresses(simultaneous):
            phone.goto(address)
            assert phone.get_attribute("html", "lang") == language
            for width, height in (PHONE, LAPTOP):
                phone.set_viewport_size({"width": width, "height": height})
                if width_of(phone) > width:
                    wide.append((language, address, width))
    assert wide == []


def test_pages_of_a_simultaneous_have_no_fault_for_a_screen_reader(phone, simultaneous):
    log_in(phone, "directrice")
    for address in list_addresses(simultaneous):
        phone.goto(address)
        assert (address, axe(phone)) == (address, [])


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("language", ["fr", "en"])
def test_organiser_prepares_a_simultaneous_and_a_club_joins_by_the_link(open_page, simultaneous, language, scripts):
    club = make_club("nouveau", "Nouveau cercle")
    make_director(club, "nouvelle")
    with open_page(PHONE, scripts=scripts) as page:
        log_in(page, "directrice")
        page.goto("/")
        if language == "en":
            switch(page, language)
        page.goto(reverse("simultaneous_new", args=[simultaneous.club.slug]))
        page.fill("[name=title]", "Simultané de l’Épiphanie")
        page.click("main form .form-actions button")
        page.wait_for_url("**/simultaneous/simultane-de-lepiphanie/**")
        page.goto(reverse("simultaneous_clubs", args=[simultaneous.club.slug, "simultane-de-lepiphanie"]))
        link = page.inner_text("#link")
        assert width_of(page) <= PHONE[0]
    with open_page(PHONE, scripts=scripts) as page:
        log_in(page, "nouvelle")
        page.goto("/")
        if language == "en":
            switch(page, language)
        page.goto(link)
        page.click("main form button")
        page.wait_for_load_state()
        assert width_of(page) <= PHONE[0]
    made = Simultaneous.objects.get(slug="simultane-de-lepiphanie")
    assert made.clubs.get(club=club).agreed_at is not None
