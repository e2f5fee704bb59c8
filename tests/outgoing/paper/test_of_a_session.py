"""The documents of a session: they name its evening, and no taker in a free auction."""

import pytest

from evenings.plans.places import read_plan_of_places
from pages.desk.prints import evening_to_print
from tests.factories import make_director, started_session
from tests.outgoing.paper.test_pdf import flat, pdf_url
from tests.pages.browsing import browser_of

pytestmark = pytest.mark.django_db


def test_blank_fiche_says_of_which_evening_it_is():
    session = started_session()
    page = browser_of(make_director(session.tournament.club))
    text = flat(page.get(pdf_url(session, "fiche")).content)
    assert session.tournament.name in text
    assert "Session 1, 20\N{NO-BREAK SPACE}November\N{NO-BREAK SPACE}2026" in text


def test_free_auction_prints_no_taker_whatever_the_numbers_of_its_etuis_say():
    session = started_session()
    for played, named in (("individual", True), ("free_auction", False)):
        session.tournament.format = played
        plan = evening_to_print(session, read_plan_of_places(session))
        takers = {etui.taker for position in plan.positions for sitting in position.sittings for etui in sitting.etuis}
        assert (takers != {None}) == named
