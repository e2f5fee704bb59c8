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


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_new_club_starts_its_first_friday_with_27_players(open_page, size, language):
    with open_page(size) as page:
        page.goto("/")
        assert page.url.endswith(reverse("first_run"))
        choose_language(page, language)
        someone = Beginner(page, language)
        someone.steps += language == "en"
        someone.fill(club="Tarot-club de Sète", name="Zoé Durand", email="zoe@example.org", password=PASSWORD)
        someone.go_on()  # to the club, which asks for its players first
        someone.go_on()
        page.fill("[name=text]", PASTED)
        page.wait_for_selector("#list-button:has-text('27')")
        someone.go_on()
        someone.go_on()  # to the tournament
        someone.fill(name="Vendredi")
        someone.go_on()
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
        page.wait_for_selector("#progress")
        someone.look()
    session = Session.objects.get()
    assert session.status == Session.Status.RUNNING
    assert Entrant.objects.filter(session=session, ranked=True).count() == 27
    assert session.plays.count() == 7 * 5 * 4
    assert someone.steps < MOST
