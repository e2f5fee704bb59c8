"""The table of every page and every role for a practice club.

The directors and helpers of its club have the same rights there. Nobody else learns that the practice club exists.
"""

from functools import cache

import pytest
from django.utils import timezone

from clubs.models import Club
from tests.factories import make_club
from tests.test_access import HIDDEN, PAGES, READ, ROLES, outcome, visit
from tests.world import make_world

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("crawl")]
# Things meant to be passed on, which a practice club does not have.
SHARED = {
    *("club_feed", "tournament_feed", "podium", "tournament_podium"),
    *("ranking_embedded", "tournament_embedded", "series_embedded", "series_feed", "series_pdf"),
    *("field_embedded", "field_podium", "series_podium"),
}
HERE = [name for name, (_, _, where) in PAGES.items() if where and not where.startswith(("person", "handbook"))]


@pytest.fixture(scope="module")
def world(rows_of_the_file):
    club = make_club()
    practice = Club.every.create(name="Essai", slug="essai", practice_of=club, created_at=timezone.now())
    return make_world(practice, ROLES, club)


@pytest.fixture(scope="module")
def outcomes(world):
    return cache(lambda role: {name: outcome(visit(world, name, role)) for name in HERE})


@pytest.mark.parametrize("role", ["helper", "director"])
def test_each_page_opens_to_who_may_at_home(outcomes, role):
    expected = {name: "open" if ROLES[role] >= PAGES[name][1] else "forbidden" for name in HERE}
    unseen = [*SHARED, *(HIDDEN if role == "helper" else ())]
    assert outcomes(role) == expected | dict.fromkeys(unseen, 404)


@pytest.mark.parametrize("role", [role for role, power in ROLES.items() if power == READ])
def test_nobody_else_learns_that_there_is_such_a_page(outcomes, role):
    private = "login" if role == "anonymous" else 404
    assert outcomes(role) == {name: 404 if PAGES[name][1] == READ else private for name in HERE}
