"""The queries of a result's job and of the live figures: as many at one table as at 40."""

import pytest
from django.utils import timezone

from evenings.standings import computing
from pages.doors import session_url
from tests.factories import enter, enter_all, make_director, started_session
from tests.pages.browsing import browser_of

pytestmark = pytest.mark.django_db
TABLES = (1, 40)


@pytest.fixture
def hall(request):
    """Return a session of so many tables with half of its results, and its director."""
    session = started_session(tables=request.param, positions=1, etuis_per_position=2)
    director = make_director(session.tournament.club)
    enter_all(session, by=director, plays=session.plays.filter(etui__number__lte=request.param).select_related("etui"))
    computing.refresh(session.pk, now=timezone.now())
    return session, director


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("hall", TABLES, indirect=True)
def test_result_costs_its_job_twelve_queries(hall, django_assert_num_queries):
    session, director = hall
    enter(session.plays.filter(entries=None).select_related("etui")[0], by=director)
    with django_assert_num_queries(12):  # two of them are the savepoint of a test
        assert computing.refresh(session.pk, now=timezone.now())


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("hall", TABLES, indirect=True)
def test_live_figures_cost_the_same_queries_in_any_hall(hall, django_assert_max_num_queries):
    session, director = hall
    browser, entrant = browser_of(director), session.entrants.first().pk
    pages = {
        session_url("standings", session): 12,
        session_url("live_feuille", session, entrant): 17,
        session_url("live_etui", session, 1): 21,
        f"/api/v1/sessions/{session.pk}/standings/": 11,
        f"/api/v1/sessions/{session.pk}/entrants/{entrant}/": 18,
    }
    for page, most in pages.items():
        with django_assert_max_num_queries(most):
            assert browser.get(page).status_code == 200
