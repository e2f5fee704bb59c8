"""A club's first Friday: from a site that nobody has set up to 27 players whose session has started, by pages alone.

Whoever does it knows nothing: he presses the one button that stands out on each page, and types what is asked.
"""

import pytest
from django.urls import reverse

from tests.browser.conftest import LAPTOP, PHONE
from tests.browser.test_evening import follow
from tests.browser.test_languages import choose_language, small_words
from tests.factories import PASSWORD
from tournaments.models import Entrant, Session

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.new_site]

MOST = 40  # clicks, and fields filled in
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
    """Somebody before a page; `steps` counts clicks and fields."""

    def __init__(self, page, language):
        self.page, self.language, self.steps = page, language, 0

    def look(self):
        """The page fits, speaks one language, and one button alone stands out."""
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), self.page.url
        assert small_words(self.page, {"fr": "en", "en": "fr"}[self.language]) == set(), self.page.url
        assert self.page.locator(NEXT).count() == 1, (self.page.url, self.page.locator(NEXT).all_inner_texts())

    def press(self, selector):
        self.steps += 1
        follow(self.page, selector)

    def go_on(self):
        self.look()
        self.press(NEXT)
        assert self.page.evaluate("scrollY") == 0, self.page.url  # what comes next stands on top

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
        someone.go_on()  # to the club, which says what comes first: its players
        someone.go_on()
        page.fill("[name=text]", PASTED)
        page.wait_for_selector("#roster-label:has-text('27')")
        someone.go_on()
        someone.go_on()  # a tournament
        someone.fill(name="Vendredi")
        someone.go_on()
        someone.go_on()  # its session, as it is proposed
        someone.go_on()  # who plays?
        someone.press("a[href*=everybody]")
        someone.go_on()
        someone.go_on()  # back to what is still to do: how they play
        someone.go_on()
        someone.go_on()  # the best way to play
        someone.fill(name="Alex Renaud")  # completes table 7
        someone.go_on()
        someone.go_on()
        someone.go_on()  # the étuis
        someone.go_on()
        someone.go_on()
        someone.go_on()  # the start
        page.wait_for_selector("#progress")
        someone.look()
    session = Session.objects.get()
    assert session.status == Session.Status.RUNNING
    assert Entrant.objects.filter(session=session, ranked=True).count() == 27
    assert session.plays.count() == 7 * 5 * 4
    assert someone.steps < MOST
