"""The page on which sessions are put together as sections."""

import pytest
from django.urls import reverse

from tests.evenings.standings.test_sections import sections
from tests.factories import make_director, started_session
from tests.pages.browsing import browser_of
from tests.pages.reading import words
from tournaments.models import SectionGroup, Session

pytestmark = pytest.mark.django_db


def address(tournament, name="sections", *rest):
    return reverse(name, args=[tournament.club.slug, tournament.slug, *rest])


def test_sessions_are_put_together_and_parted_on_one_page():
    first, other = sections()
    tournament = first.tournament
    browser = browser_of(make_director(tournament.club))
    assert address(tournament) in browser.get(address(tournament, "tournament")).content.decode()
    numbers = [first.number, other.number]
    assert browser.post(address(tournament), {"sessions": numbers, "one_topage": "on"}).url == address(tournament)
    group = SectionGroup.objects.get()
    assert (group.one_topage, group.one_ranking) == (True, False)
    assert list(Session.objects.order_by("number").values_list("section", flat=True)) == ["A", "B"]
    said = words(browser.get(address(tournament)))
    assert "Session 1 (section A)" in said
    assert "Compared together. Each has its own ranking." in said
    browser.post(address(tournament, "sections_part", group.pk))
    assert not SectionGroup.objects.exists()
    assert browser.post(address(tournament, "sections_part", group.pk)).status_code == 302


def test_what_cannot_be_sections_is_refused_in_words_and_kept():
    first, _other = sections()
    third = started_session(first.tournament, tables=5, positions=5, etuis_per_position=1)
    browser = browser_of(make_director(first.tournament.club))
    page = address(first.tournament)
    refused = browser.post(page, {"sessions": [first.number, third.number], "one_topage": "on"})
    assert "Sections play the same étuis" in words(refused)
    assert refused.context["form"]["sessions"].value() == [str(first.number), str(third.number)]
    assert "Nothing would be grouped" in words(browser.post(page, {"sessions": [1, 2]}))
    assert "Sections are 2 to" in words(browser.post(page, {"sessions": [1], "one_topage": "on"}))
    assert not SectionGroup.objects.exists()
