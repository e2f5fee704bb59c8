"""The pages of series in a real browser, on a phone and on a laptop, in both languages."""

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from rankings.series.computing import refresh_series
from rankings.series.publishing import SERIES_OF_CLUBS
from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import axe, width_of
from tests.browser.test_evening import follow, log_in
from tests.browser.test_languages import choose_language, switch
from tests.factories import make_club, make_director
from tests.rankings.series.seasons import FIRST, hold, make_series, name_players, publish_rows, thursdays
from tournaments.models import Series
from tournaments.versions import DirectorWord

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.nightly("browser")]
PAGES = ("", "_settings", "_events", "_clubs", "_type", "_publish", "_versions")
# a table of a player's results whose last column is out of sight
IS_CUT = "() => [...document.querySelectorAll('#results .table-scroll')].some((e) => e.scrollWidth > e.clientWidth)"
NAMES = ("Ada", "Bob", "Cyr", "Dan", "Montmorency-Vaudreuil d’Entrecasteaux", "Eve", "Flo", "Guy")


@pytest.fixture
def series():
    """Return a series of twelve evenings, of which the best eight count, with a long name in it."""
    club = make_club()
    director = make_director(club)
    people = name_players(club, *NAMES)
    evenings = thursdays(club, "Jeudis en duplicate")
    for week in range(12):
        order = [*people[week % 8 :], *people[: week % 8]][: 5 + week % 3]
        hold(evenings, FIRST + dt.timedelta(weeks=week), {one: 62 - 3 * rank for rank, one in enumerate(order)})
    made = make_series(club, director, title="Challenge des jeudis", brings="places", best_of=8)
    refresh_series(made.pk, now=timezone.now())
    return made


def test_no_page_of_a_series_scrolls_sideways_in_either_language(phone, series):
    log_in(phone, "directrice")
    phone.goto("/")
    place = [series.club.slug, series.slug]
    player = series.club.players.get(last_name__startswith="Ada").pk
    addresses = [reverse(f"series{name}", args=place) for name in PAGES]
    addresses += [reverse("series_player", args=[*place, player])]
    addresses += [reverse(name, args=place[:1]) for name in ("series_list", "series_new")]
    wide = []
    for language in ("fr", "en"):
        if language == "en":
            switch(phone, language)
        for address in addresses:
            phone.goto(address)
            assert phone.get_attribute("html", "lang") == language
            for width, height in (PHONE, LAPTOP):
                phone.set_viewport_size({"width": width, "height": height})
                if width_of(phone) > width or phone.evaluate(IS_CUT):
                    wide.append((language, address, width))
    assert wide == []


def test_events_are_columns_on_a_laptop_and_folded_on_a_phone(phone, series):
    phone.goto(reverse("series", args=[series.club.slug, series.slug]))
    assert phone.locator(".ranking thead th:visible").count() == 4
    assert phone.locator(".ranking .rounds summary:visible").count() == len(NAMES)
    phone.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    assert phone.locator(".ranking thead th:visible").count() == 4 + 12
    assert phone.locator(".ranking .rounds summary:visible").count() == 0


def test_reader_without_scripts_follows_a_final_ranking_in_either_language(open_page, series):
    director = User.objects.get(username="directrice")
    first = DirectorWord(director, timezone.now())
    SERIES_OF_CLUBS.publish(series.pk, first)
    evening = series.club.tournaments.get().sessions.order_by("number").first()
    publish_rows(evening, {player: 70 - place for place, player in enumerate(series.club.players.order_by("-pk"))})
    SERIES_OF_CLUBS.publish(series.pk, first._replace(reason="une feuille mal lue"))
    words = {"fr": ("Versions et changements", "remplacée"), "en": ("Versions and what changed", "replaced")}
    for language, (versions, replaced) in words.items():
        for scripts in (True, False):
            with open_page(PHONE, scripts=scripts) as page:
                page.goto("/")
                if language == "en":
                    switch(page, language)
                page.goto(reverse("series", args=[series.club.slug, series.slug]))
                page.get_by_role("link", name=versions).click()
                page.get_by_role("link", name="Version 1", exact=True).click()
                assert replaced in page.inner_text("main")
                assert page.get_by_role("link", name="CSV").get_attribute("href").endswith("version=1")
                assert width_of(page) <= PHONE[0]
                assert not scripts or axe(page) == []


@pytest.mark.parametrize("language", ["fr", "en"])
def test_director_without_scripts_makes_a_series_and_types_a_list(open_page, series, language):
    place = [series.club.slug]
    with open_page(PHONE, scripts=False) as page:
        page.goto("/")
        log_in(page, "directrice")
        page.goto(reverse("series_new", args=place))
        choose_language(page, language)
        page.fill("[name=title]", "Été des bouts")
        page.fill("[name=starts_on]", FIRST.isoformat())
        page.check("[name=brings][value=places]")
        page.fill("[name=ends_on]", (FIRST + dt.timedelta(weeks=2)).isoformat())
        follow(page, "main form .button-primary")
        made = Series.objects.get(title="Été des bouts")
        place.append(made.slug)
        page.goto(reverse("series_events", args=place))
        page.locator("main form [type=checkbox]").first.uncheck()
        follow(page, "main form .button-primary")
        assert list(made.events.values_list("included", flat=True)) == [False]
        page.goto(reverse("series_type", args=place))
        page.fill("[name=title]", "Coupe de Noël")
        page.fill("[name=day]", FIRST.isoformat())
        page.fill("[name=source]", "feuille du club")
        page.fill("[name=text]", f"{series.club.players.order_by('pk').first().name} 25")
        follow(page, "#list-button .button-primary")
        assert width_of(page) <= PHONE[0]
        follow(page, "#list-button .button-primary")
        assert made.events.get(title="Coupe de Noël").lists.count() == 1
        assert page.get_attribute("html", "lang") == language


def test_axe_finds_no_fault_on_the_pages_of_a_series(laptop, series):
    log_in(laptop, "directrice")
    place = [series.club.slug, series.slug]
    addresses = [reverse(f"series{name}", args=place) for name in PAGES]
    addresses += [reverse("series_player", args=[*place, series.club.players.first().pk])]
    addresses += [reverse(name, args=place[:1]) for name in ("series_list", "series_new")]
    faults = []
    for address in addresses:
        laptop.goto(address)
        faults += [(address, fault) for fault in axe(laptop)]
    assert faults == []
