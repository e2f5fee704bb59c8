"""The evenings, directors and plays that several files of tests start from, as fixtures.

A file names the one that it wants: `session = evenings.published`.
"""

import pytest
from django.core.cache import cache, caches
from django.utils import timezone

from evenings.sessions.setup import create_session, create_tournament
from pages.personal.pages import kept_report
from tests.evenings.tables.phones import tokens_of
from tests.factories import DATE, make_club, make_director, make_tournament, published_session, started_session
from tests.pages.browsing import browser_of
from tests.rankings.careers.world import played
from tournaments.models import Session


@pytest.fixture
def browser_of_user(user):
    return browser_of(user)


@pytest.fixture
def published():
    return published_session()


@pytest.fixture
def started():
    return started_session()


@pytest.fixture
def director_of_club(club):
    return make_director(club)


@pytest.fixture
def browser_of_director_user(director_user):
    return browser_of(director_user)


@pytest.fixture
def published_with_no_page_cached():
    caches["pages"].clear()
    return published_session()


@pytest.fixture
def director_of_tournament(tournament):
    return make_director(tournament.club)


@pytest.fixture
def started_with_two_positions():
    return started_session(positions=2)


@pytest.fixture
def first_play_of_table(table):
    return table.plays.filter(position=1).select_related("etui").first()


@pytest.fixture
def director_of_a_new_tournament():
    return make_director(make_tournament().club)


@pytest.fixture
def browser_of_tournament_director(tournament):
    return browser_of(make_director(tournament.club))


@pytest.fixture
def first_play(session):
    return session.plays.select_related("etui", "table").first()


@pytest.fixture
def published_with_cards_read_again():
    return Session.objects.select_related("tournament__club").get(pk=published_session(cards=True).pk)


@pytest.fixture
def first_play_with_its_club(session):
    return session.plays.select_related("etui", "table", "session__tournament__club").first()


@pytest.fixture
def published_with_cards():
    return published_session(cards=True)


@pytest.fixture
def director_of_session(session):
    return make_director(session.tournament.club)


@pytest.fixture
def started_with_seven_tables():
    return started_session(tables=7, positions=5, etuis_per_position=2)


@pytest.fixture
def started_in_club(club):
    return started_session(make_tournament(club))


@pytest.fixture
def evening_read_again(db, evening):
    return Session.objects.select_related("tournament__club").get(pk=evening.pk)


@pytest.fixture
def started_with_two_positions_of_two_etuis():
    return started_session(positions=2, etuis_per_position=2)


@pytest.fixture
def browser_of_session_director(session):
    return browser_of(make_director(session.tournament.club))


@pytest.fixture
def new_session(db):
    return create_session(tournament=make_tournament(), date=DATE)


@pytest.fixture
def new_session_of_teams(db):
    tournament = create_tournament(club=make_club(), name="Triplettes", format="triplettes", now=timezone.now())
    return create_session(tournament=tournament, date=DATE, positions=3, etuis_per_position=4)


@pytest.fixture
def season_with_no_page_cached():
    caches["pages"].clear()
    return played()


@pytest.fixture
def director_of_the_club_here(here):
    return make_director(here, "directrice-ici")


@pytest.fixture
def evening_of_the_file(db, evening):
    return evening


@pytest.fixture
def started_with_tokens():
    session = started_session(positions=2, etuis_per_position=2)
    tokens_of(session)
    return session


@pytest.fixture
def evening_read_with_nothing_cached(db, evening):
    cache.clear()
    kept_report.cache_clear()
    return Session.objects.select_related("tournament__club").get(pk=evening.pk)


@pytest.fixture
def started_with_cards():
    return started_session(cards=True)


@pytest.fixture
def started_with_cards_and_two_positions():
    return started_session(cards=True, positions=2)


@pytest.fixture
def first_play_of_first_table(session):
    return session.plays.select_related("etui", "table").filter(position=1, table__number=1).get()
