"""The first Friday of a club: from a new site to 27 players whose session has started, by pages alone.

The user knows nothing about the site. They press the one prominent button of each page, and fill in what is asked.
"""

import pytest
from django.urls import reverse

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.devices import width_of
from tests.browser.test_evening import follow
from tests.browser.test_languages import choose_language, small_words
from tests.factories import PASSWORD
from tournaments.models import Entrant, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.new_site, pytest.mark.nightly("browser")]

MOST = 40  # clicks and filled fields
GIVEN = (
    "Marie Jean Zoé Élodie Luc Anne Paul Éric Rose Noël Inès Hugo Léa Marc Ève Guy Nina Yves Lou Rémi Ada Tom Eva Max"
)
FAMILY = "Dupont Martin Bernard Petit Roux Morel Girard André Lefèvre"
PASTED = (
    "\n".join(f"{first} {last.upper()}" for first, last in zip(GIVEN.split(), (FAMILY.split() * 3), strict=False))
    + "\nGil Dupré-Morel\nJo O'Brien\nLise VAN DAMME"
)
NEXT = "main .button-primary:not([disabled])"


class Beginner:
    """A beginner at a page. `steps` counts clicks and filled fields."""

    def __init__(self, page, language):
        self.page, self.language, self.steps = page, language, 0

    def look(self):
        """Check that the page fits, speaks one language, and has exactly one prominent button."""
        assert width_of(self.page) <= self.page.viewport_size["width"], self.page.url
        assert small_words(self.page, {"fr": "en", "en": "fr"}[self.language]) == set(), self.page.url
        assert self.page.locator(NEXT).count() == 1, (self.page.url, self.page.locator(NEXT).all_inner_texts())

    def press(self, selector):
        self.steps += 1
        follow(self.page, selector)

    def go_on(self):
        self.look()
        self.press(NEXT)
        assert self.page.evaluate("scrollY") == 0, self.page.url  # the next thing to do is at the top

    def fill(self, **values):
        for name, value in values.items():
            self.page.fill(f"[name={name}]", value)
            self.steps += 1


@pytest.mark.parametrize(("size", "language"), [(PHONE, "fr"), (LAPTOP, "en")], ids=["phone", "laptop"])
def test_new_club_starts_its_first_friday_with_27_players(open_page, size, language):
    with open_page(size) as page:
        page.goto("/")
        assert page.url.endswith(reverse("first_run"))
        choose_language(page, language)
        someone = Beginner(page, language)
        someone.steps += language == "en"
        someone.fill(club="Tarot-club de Sète", name="Zoé Durand", email="zoe@example.org", password=PASSWORD)
        someone.go_on()  # to the players
        page.fill("[name=text]", PASTED)
        page.wait_for_selector("#list-button:has-text('27')")
        someone.go_on()
        someone.go_on()  # to the tournament
        someone.fill(name="Vendredi")
        someone.go_on()  # to its session, with the proposed settings
        someone.go_on()  # to the players
        someone.press("a[href*=everybody]")
        someone.go_on()
        someone.go_on()  # to the list of missing steps, which asks for the plan
        someone.go_on()
        someone.go_on()  # choose the best plan
        someone.fill(name="Alex Renaud")  # the last player of table 7
        someone.go_on()
        someone.go_on()
        someone.go_on()  # to the étuis
        someone.go_on()
        someone.go_on()
        someone.go_on()  # start the session
        assert page.url.endswith("/print/")
        someone.look()
    session = Session.objects.get()
    assert session.status == Session.Status.RUNNING
    assert Entrant.objects.filter(session=session, ranked=True).count() == 27
    assert session.plays.count() == 7 * 5 * 4
    assert someone.steps < MOST


@pytest.mark.parametrize(("language", "said"), [("fr", "Étape {} sur 5"), ("en", "Step {} of 5")])
def test_first_director_goes_through_five_steps_with_28_players(open_page, language, said):
    steps, counts = [], {"clicks": 0, "fields": 0}

    def go_on(page, **values):
        for name, value in values.items():
            page.fill(f"[name={name}]", value)
        if page.locator("a[href*=everybody]").count():
            follow(page, "a[href*=everybody]")
            counts["clicks"] += 1
        assert page.locator(NEXT).count() == 1, page.url
        shown = [step for step in range(1, 6) if page.get_by_text(said.format(step)).count()]
        steps.append(*shown)
        counts["fields"] += len(values)
        counts["clicks"] += 1
        follow(page, NEXT)

    with open_page(LAPTOP) as page:
        page.goto("/")
        choose_language(page, language)
        go_on(page, club="Tarot-club de Sète", name="Zoé Durand", email="zoe@example.org", password=PASSWORD)
        page.fill("[name=text]", f"{PASTED}\nAlex RENAUD")
        page.wait_for_selector("#list-button:has-text('28')")
        go_on(page)
        counts["fields"] += 1
        assert counts["clicks"] <= 14
        assert counts["fields"] <= 10
        counts["clicks"] = 0
        go_on(page)
        go_on(page, name="Vendredi")
        while not page.url.endswith("/print/"):
            go_on(page)
        assert counts["clicks"] <= 15
        assert page.get_by_text(said.format(5)).count() == 1
    assert steps == sorted(steps)
    assert set(steps) == {1, 2, 3, 4}
    assert Session.objects.get().plays.count() == 7 * 5 * 4
