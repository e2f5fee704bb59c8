"""The words about a copy: its étuis are proposed to the session, and no page says that their cards are unknown."""

import datetime as dt

import pytest
from django.template.loader import render_to_string
from django.utils import timezone

from pages.doors import session_url
from pages.sets.set_page import set_url
from tests.factories import draft_session, make_tournament
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tests.rankings.simultaneous.world import director_of, draft_of, join_club, make_simultaneous
from tournaments.models import Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def row():
    return join_club(make_simultaneous(opens_in=1), "besancon")


def test_pages_of_a_copy_say_that_its_cards_are_held_until_their_hour(row):
    page, session = browser_of(director_of(row)), draft_of(row)
    for name in ("deal_set_cards", "deal_set_statistics", "deal_set_bots"):
        told = words(page.get(set_url(name, row.deal_set)))
        assert ("the site has the cards, and shows them from" in told, "No cards are known" in told) == (True, False)
    etuis = words(page.get(session_url("etuis", session)))
    assert ("of the simultaneous" in etuis, "public value" in etuis) == (True, False)


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("has_cards", [True, False])
def test_publication_page_gives_the_public_hour_as_why_cards_are_not_shown(has_cards):
    session = Session(held_until=timezone.now(), number=1)
    shown = render_to_string("ranking/publish/_cards_shown.html", {"session": session, "has_cards": has_cards})
    assert "the étuis of this simultaneous are secret until" in shown
    assert "typed" not in shown


def test_draft_on_the_day_of_a_simultaneous_is_given_its_copy_first(row):
    page, session = browser_of(director_of(row)), draft_session(make_tournament(row.club))
    Session.objects.filter(pk=session.pk).update(deal_set=None, date=timezone.localdate(row.simultaneous.closes_at))
    told = words(page.get(session_url("etuis", session)))
    assert "Its étuis are ready." in told
    page.post(session_url("etuis", session), {"action": "choose", "deal_set": row.deal_set.pk, "first_etui": 1})
    session.refresh_from_db()
    assert session.deal_set == row.deal_set


@pytest.mark.nightly("story")
def test_draft_of_another_day_is_not_given_the_copy(row):
    page, session = browser_of(director_of(row)), draft_session(make_tournament(row.club))
    later = timezone.localdate() + dt.timedelta(days=9)
    Session.objects.filter(pk=session.pk).update(deal_set=None, date=later)
    assert "Its étuis are ready." not in words(page.get(session_url("etuis", session)))
