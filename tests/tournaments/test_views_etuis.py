"""A session's étuis: made, chosen, listed; their cards shown to directors alone, after the look is logged."""

import pytest

from deals.models import DealSet
from tests.factories import DATE, draft_session, make_club, make_director, make_tournament, started_session
from tests.tournaments.browsing import browser_of, fields
from tests.tournaments.pages import read, words
from tournaments.services.setup import create_session
from tournaments.views.access import session_url


@pytest.fixture
def tournament(db):
    return make_tournament()


@pytest.fixture
def user(tournament):
    return make_director(tournament.club)


@pytest.fixture
def director(user):
    return browser_of(user)


@pytest.fixture
def session(tournament):
    """Players for five tables, and étuis dealt at the table."""
    return draft_session(tournament)


def make(client, session, **data):
    seen = fields(client.get(session_url("etuis", session)))["replaces"]
    return client.post(session_url("etuis", session), {"action": "make", "replaces": seen, **data})


def test_etuis_needed_are_told_and_proposed(director, tournament):
    session = draft_session(tournament, tables=7, etuis_per_position=4)
    page = director.get(session_url("etuis", session))
    assert "28 étuis are needed." in words(page)
    assert fields(page)["count"] == "28"


def test_etuis_before_the_players_propose_no_number(director, tournament):
    page = director.get(session_url("etuis", create_session(tournament=tournament, date=DATE)))
    assert "Seat the players first" in words(page)
    assert fields(page)["count"] == ""


def test_etuis_before_the_plan_is_chosen_lead_to_the_choice(director, session):
    session.entrants.filter(line="W", number=5).delete()
    page = director.get(session_url("etuis", session))
    assert "How many étuis are needed follows from the plan." in words(page)
    assert session_url("plan_choose", session) in read(page).links


def test_etuis_of_a_session_under_way_tell_what_its_plan_takes(director, tournament):
    session = started_session(tournament)
    session.entrants.filter(line="W", number=5).update(ranked=False)
    assert "5 étuis are needed." in words(director.get(session_url("etuis", session)))


@pytest.mark.parametrize(("how", "origin"), [("generated", "generated"), ("table", "none")])
def test_etuis_made_are_the_sessions(director, session, how, origin):
    assert make(director, session, how=how, count=7).url == session_url("etuis", session)
    session.refresh_from_db()
    assert list(session.deal_set.etuis.values_list("number", "origin")) == [(n, origin) for n in range(1, 8)]


def test_etuis_made_by_the_same_press_twice_are_made_once(director, session):
    data = {"action": "make", "replaces": session.deal_set_id, "how": "table", "count": 5}
    before = DealSet.objects.count()
    for _ in range(2):
        director.post(session_url("etuis", session), data)
    assert DealSet.objects.count() == before + 1


def test_etuis_without_a_number_are_refused_at_the_field(director, session):
    response = make(director, session, how="table", count="")
    assert "This field is required." in words(response)
    assert fields(response)["how"] == "table"


def test_etuis_listed_name_taker_dealer_and_who_leads_and_the_spare_ones(director, session):
    make(director, session, how="table", count=6)
    rows = read(director.get(session_url("etuis", session))).rows
    assert [row[0] for row in rows[1:]] == ["1", "2", "3", "4", "5", "6"]
    assert rows[1] == ["1", "W West", "N North", "W West", "dealt at the table"]
    assert [row[4] for row in rows[1:]][-2:] == ["dealt at the table", "spare"]


def test_etuis_of_the_club_can_be_chosen_from_another_number_on(director, session):
    make(director, session, how="table", count=40)
    large = DealSet.objects.latest("pk")
    other = draft_session(session.tournament)
    data = {"action": "choose", "deal_set": large.pk, "first_etui": 21}
    assert director.post(session_url("etuis", other), data).url == session_url("etuis", other)
    other.refresh_from_db()
    assert (other.deal_set, other.first_etui) == (large, 21)
    assert "The same étuis serve elsewhere" in words(director.get(session_url("etuis", other)))


def test_etuis_of_another_club_cannot_be_chosen(director, session):
    foreign = draft_session(make_tournament(make_club("autre"))).deal_set
    director.post(session_url("etuis", session), {"action": "choose", "deal_set": foreign.pk, "first_etui": 1})
    session.refresh_from_db()
    assert session.deal_set != foreign


def test_etuis_of_a_session_under_way_stay(director, tournament):
    session = started_session(tournament)
    data = {"action": "make", "replaces": session.deal_set_id, "how": "table", "count": 9}
    response = director.post(session_url("etuis", session), data, follow=True)
    assert "The session is under way" in words(response)
    assert "Make them" not in words(director.get(session_url("etuis", session)))
    assert DealSet.objects.count() == 1


def test_etuis_cost_the_same_queries_however_many(director, tournament, django_assert_num_queries):
    for tables in (5, 11):
        session = draft_session(tournament, tables=tables, etuis_per_position=4)
        with django_assert_num_queries(12):
            director.get(session_url("etuis", session))
