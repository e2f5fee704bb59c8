"""The page of changes offers the mistakes that are possible, and takes the same queries for any number of changes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evenings.changes.carry_out import number_of_plan
from evenings.changes.teams import let_team_leave
from pages.doors import session_url
from tests.evenings.teams.accidents.test_emmanuel import start_emmanuel
from tests.evenings.teams.evening import make_team_tournament
from tests.evenings.teams.test_quadrettes import make_quadrettes, prepare, start
from tests.evenings.teams.test_starting import prepare as prepare_triplettes
from tests.evenings.teams.test_starting import start as start_triplettes
from tests.factories import make_director
from tests.pages.browsing import browser_of
from tests.pages.reading import words

pytestmark = pytest.mark.django_db
SWAP = "Two teams exchanged seats"


MAKERS = [start_emmanuel, lambda: start(prepare(make_quadrettes(4), positions=3))]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("make", MAKERS, ids=["emmanuel", "quadrettes"])
def test_mistakes_are_not_offered_at_several_tables(make):
    session = make()
    page = words(browser_of(make_director(session.tournament.club)).get(session_url("changes", session)))
    assert "A team leaves" in page
    assert SWAP not in page


def test_mistakes_are_offered_in_a_round_robin():
    session = start_triplettes(prepare_triplettes(make_team_tournament(teams=6), positions=5))
    page = words(browser_of(make_director(session.tournament.club)).get(session_url("changes", session)))
    assert SWAP in page


@pytest.mark.nightly("story")
def test_list_of_changes_takes_no_query_for_each_team_that_left():
    session = start_triplettes(prepare_triplettes(make_team_tournament(teams=8), positions=5))
    by = make_director(session.tournament.club)
    browser, asked = browser_of(by), []
    for number in (3, 4, 5, 6):
        said = {"seen": number_of_plan(session), "after": 0, "by": by, "now": timezone.now()}
        let_team_leave(session_id=session.pk, entrant_id=session.entrants.get(number=number).pk, **said)
        browser.get(session_url("changes", session))
        with CaptureQueriesContext(connection) as queries:
            page = words(browser.get(session_url("changes", session)))
        asked.append(len(queries))
    assert "Team 5 does not play." in page
    assert len(set(asked)) == 1
