"""The étuis of a session: made, chosen, listed; only directors see the cards, and each look is logged first."""

import re

import pytest
from django.utils import timezone

from deals.domain.cards import Seat
from deals.domain.dealing import deal_etui
from deals.domain.exchange import EtuiSet, NumberedEtui
from deals.models import DealSet
from deals.sets import MAX_ETUIS, create_deal_set, import_deal_set
from evenings.sessions.setup import create_session
from pages.doors import session_url
from pages.prepare.etuis import EtuisForm
from scoring.formats import find_format
from tests import shared_evenings
from tests.factories import (
    DATE,
    SEED,
    draft_session,
    make_club,
    make_director,
    make_tournament,
    published_session,
    started_session,
)
from tests.pages.browsing import fields
from tests.pages.reading import read, words
from tournaments.models import Tournament


@pytest.fixture
def user(tournament):
    return make_director(tournament.club)


director = shared_evenings.browser_of_user


@pytest.fixture
def session(tournament):
    """Return a session with players for five tables, and étuis dealt at the table."""
    return draft_session(tournament)


def make(client, session, **data):
    seen = fields(client.get(session_url("etuis", session)))["replaces"]
    return client.post(session_url("etuis", session), {"action": "make", "replaces": seen, **data})


@pytest.mark.nightly("story")
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
    assert "The number of étuis depends on tables and positions." in words(page)
    assert session_url("plan_choose", session) in read(page).links


def test_etuis_of_a_session_under_way_tell_what_its_plan_takes(director, tournament):
    session = started_session(tournament)
    session.entrants.filter(line="W", number=5).update(ranked=False)
    assert "5 étuis are needed." in words(director.get(session_url("etuis", session)))


@pytest.mark.nightly("story")
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


@pytest.mark.nightly("story")
def test_etuis_listed_name_taker_dealer_and_who_leads_and_the_spare_ones(director, session):
    make(director, session, how="table", count=6)
    rows = read(director.get(session_url("etuis", session))).rows
    assert [row[0] for row in rows[1:]] == ["1", "2", "3", "4", "5", "6"]
    assert rows[1] == ["1", "W West", "N North", "W West", "dealt at the table"]
    assert [row[4] for row in rows[1:]][-2:] == ["dealt at the table", "spare"]


def test_etuis_of_a_free_auction_name_no_taker(director, session):
    Tournament.objects.update(format=Tournament.FormatName.FREE_AUCTION)
    make(director, session, how="table", count=6)
    page = read(director.get(session_url("etuis", session)))
    assert page.rows[1] == ["1", "N North", "W West", "dealt at the table"]
    assert {len(row) for row in page.rows} == {4}


@pytest.mark.nightly("story")
def test_etuis_of_the_club_can_be_chosen_from_another_number_on(director, session):
    make(director, session, how="table", count=40)
    large = DealSet.objects.latest("pk")
    other = draft_session(session.tournament)
    data = {"action": "choose", "deal_set": large.pk, "first_etui": 21}
    assert director.post(session_url("etuis", other), data).url == session_url("etuis", other)
    other.refresh_from_db()
    assert (other.deal_set, other.first_etui) == (large, 21)
    assert "Other sessions use the same étuis" in words(director.get(session_url("etuis", other)))


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
    assert "Prepare them" not in words(director.get(session_url("etuis", session)))
    assert DealSet.objects.count() == 1


@pytest.mark.nightly("crawl")
def test_etuis_cost_the_same_queries_however_many(director, tournament, django_assert_num_queries):
    for tables in (5, 11):
        session = draft_session(tournament, tables=tables, etuis_per_position=4)
        page = session_url("etuis", session)
        with django_assert_num_queries(11):
            director.get(page)


def choices(client, session):
    select = re.search(
        r'<select name="deal_set".*?</select>', client.get(session_url("etuis", session)).content.decode(), re.S
    )
    return [" ".join(option.split()) for option in re.findall(r"<option[^>]*>(.*?)</option>", select[0], re.S)]


@pytest.mark.nightly("story")
def test_sets_are_offered_fresh_first_with_where_their_cards_are_from(director, user, tournament, session):
    club, now = tournament.club, timezone.now()
    played = published_session(tournament, by=user, cards=True)
    DealSet.objects.filter(pk=played.deal_set_id).update(name="Publique")
    table = published_session(tournament, by=user)
    DealSet.objects.filter(pk=table.deal_set_id).update(name="Sans cartes")
    etui_set = EtuiSet(4, (NumberedEtui(1, Seat.N, Seat.W, deal_etui(SEED, 1).deal),))
    import_deal_set(club=club, name="Fichier", etui_set=etui_set, now=now, by=None)
    create_deal_set(club=club, name="Du site", count=5, now=now, by=None)
    gone = create_deal_set(club=club, name="Révélée", count=5, now=now, by=None)
    DealSet.objects.filter(pk=gone.pk).update(sealed_at=now, revealed_at=now)
    assert choices(director, session) == [
        "Du site: 5 étuis, dealt by the site from a secret draw",
        "Fichier: 1 étui, imported, without a secret draw",
        "étuis: 5 étuis, dealt at the tables, without a secret draw",
        "Already played: Sans cartes: 5 étuis, dealt at the tables, without a secret draw",
        "Its cards are public: Publique: 5 étuis, dealt from an imported secret draw",
    ]


@pytest.mark.nightly("story")
def test_étuis_whose_cards_are_public_need_a_reason(director, user, tournament, session):
    played = published_session(tournament, by=user, cards=True)
    choice = {"action": "choose", "deal_set": played.deal_set_id, "first_etui": 1}
    refused = director.post(session_url("etuis", session), {**choice, "reason": ""})
    assert "Readers have seen the cards of étui 1" in words(refused)
    assert "Why étuis whose cards are public are played anyway" in words(refused)
    director.post(session_url("etuis", session), {**choice, "reason": "pour s’entraîner"})
    session.refresh_from_db()
    assert (session.deal_set_id, session.public_etuis_reason) == (played.deal_set_id, "pour s’entraîner")
    assert "reason: pour s’entraîner" in words(director.get(session_url("log", session)))


def test_set_with_too_few_étuis_says_so_at_once(director, tournament, session):
    few = create_deal_set(club=tournament.club, name="x", count=4, now=timezone.now(), by=None)
    choice = {"action": "choose", "deal_set": few.pk, "first_etui": 1}
    answer = director.post(session_url("etuis", session), choice, follow=True)
    assert "The session needs 5 étuis for four players, but its set has 4" in words(answer)
    assert "The étuis are ready." not in words(answer)


@pytest.mark.parametrize(("count", "valid"), [(0, False), (1, True), (MAX_ETUIS, True), (MAX_ETUIS + 1, False)])
def test_number_of_etuis_to_make_has_bounds(count, valid):
    form = EtuisForm(0, find_format("individual"), {"how": EtuisForm.GENERATED, "count": count})
    assert form.is_valid() == valid
