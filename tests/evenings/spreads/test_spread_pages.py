"""The plays of bots on pages: for readers once the cards are public, for directors of a set after a look."""

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from deals.models import DealLook
from deals.sets import create_deal_set
from evenings.spreads import ask_bots, ensure_spread, play_spread
from tests import shared_evenings
from tests.evenings.spreads.conftest import PLAYS
from tests.factories import SEED, enter_all, make_club, make_director, publish, published_session, started_session
from tests.pages.public.test_pages import address
from tests.pages.reading import words
from tournaments.models import BotSpread, Session

pytestmark = pytest.mark.django_db
SAID = {"en": "What bots make of it", "fr": "Ce qu’en font les robots"}


@pytest.fixture
def session():
    return published_session(cards=True)


def etui_words(session, language="en"):
    caches["pages"].clear()
    reader = Client(headers={"accept-language": language})
    return words(reader.get(address("published_etui", session, version=1, etui=1)))


def make_spread_of(session):
    etui = session.deal_set.etuis.get(number=1)
    row = ensure_spread(etui, taker=etui.taker)
    assert play_spread(row.pk, seconds=60, now=timezone.now())
    return BotSpread.objects.get(pk=row.pk)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_page_of_an_etui_shows_the_spread_once_all_plays_are_made(session, language):
    assert SAID[language] not in etui_words(session, language)
    row = make_spread_of(session)
    told = etui_words(session, language)
    made = sum(made for _score, made in row.plays)
    assert SAID[language] in told
    assert (f"made it in {made} of {PLAYS}" if language == "en" else f"a réussi {made} fois sur {PLAYS}") in told


def test_readers_see_no_spread_of_an_etui_without_its_cards(session):
    make_spread_of(session)
    Session.objects.filter(pk=session.pk).update(shows_cards=False)
    assert SAID["en"] not in etui_words(session)


def test_spread_costs_the_page_of_an_etui_one_query(session):
    reader, url = Client(headers={"accept-language": "en"}), address("published_etui", session, version=1, etui=1)
    Session.objects.filter(pk=session.pk).update(shows_cards=True)
    caches["pages"].clear()
    with CaptureQueriesContext(connection) as found:
        reader.get(url)
    assert [query["sql"].count("botspread") > 0 for query in found].count(True) == 1
    assert len(found) == 5


@pytest.fixture
def club():
    return make_club()


director = shared_evenings.director_of_club


@pytest.fixture
def page(client, director):
    client.force_login(director)
    client.cookies["django_language"] = "en"
    return client


@pytest.fixture
def deal_set(club):
    return create_deal_set(club=club, name="Été", count=14, now=timezone.now(), by=None, seed=SEED)


def bots_url(deal_set):
    return reverse("deal_set_bots", args=(deal_set.club.slug, deal_set.pk))


def looks(deal_set):
    return list(deal_set.looks.order_by("pk").values_list("kind", "first_etui", "last_etui"))


@pytest.mark.nightly("story")
def test_director_asks_the_bots_about_twelve_etuis_and_the_look_is_logged(
    page, deal_set, django_capture_on_commit_callbacks
):
    answer = page.get(bots_url(deal_set))
    assert (answer.status_code, looks(deal_set), BotSpread.objects.count()) == (200, [], 0)
    with django_capture_on_commit_callbacks(execute=True):
        answer = page.post(bots_url(deal_set), {"from": "1"})
    assert looks(deal_set) == [(DealLook.LookKind.BOTS, 1, 12)]
    assert "The bots have not begun yet." in words(answer)
    assert "no-store" in answer["Cache-Control"]
    told = words(page.post(bots_url(deal_set), {"from": "1"}))
    assert told.count(f"of {PLAYS}.") == 12
    assert looks(deal_set) == [(DealLook.LookKind.BOTS, 1, 12)] * 2
    assert "directrice played by bots étuis 1–12" in told


def test_progress_of_the_bots_is_told(page, deal_set):
    ask_bots(deal_set, [1], now=timezone.now())
    play_spread(BotSpread.objects.get().pk, seconds=0, now=timezone.now())
    told = words(page.post(bots_url(deal_set), {"from": "1"}))
    assert f"1 of {PLAYS} plays so far." in told
    assert "Look again; this is logged" in told


@pytest.mark.parametrize("wanted", ["", "0", "15", "x", "²"])
def test_question_about_no_etui_shows_and_logs_nothing(page, deal_set, wanted):
    answer = page.post(bots_url(deal_set), {"from": wanted})
    assert (answer.status_code, looks(deal_set), BotSpread.objects.count()) == (200, [], 0)


def test_bots_play_no_set_for_five(page, club):
    deal_set = create_deal_set(club=club, name="x", count=5, now=timezone.now(), by=None, players=5)
    answer = page.post(bots_url(deal_set), {"from": "1"})
    assert (answer.status_code, looks(deal_set), BotSpread.objects.count()) == (200, [], 0)
    assert "Bots play at tables of four" in words(answer)


def test_spread_of_a_sealed_set_is_no_readers_before_the_cards_are(page, session_under_way):
    deal_set = session_under_way.deal_set
    ask_bots(deal_set, [1], now=timezone.now())
    play_spread(BotSpread.objects.get().pk, seconds=60, now=timezone.now())
    reader = Client(headers={"accept-language": "en"})
    director = make_director(deal_set.club, "arbitre")
    enter_all(session_under_way, by=director)
    publish(session_under_way, by=director)
    Session.objects.filter(pk=session_under_way.pk).update(shows_cards=False)
    assert SAID["en"] not in etui_words(session_under_way)
    Session.objects.filter(pk=session_under_way.pk).update(shows_cards=True)
    assert SAID["en"] in etui_words(session_under_way)
    assert reader.post(bots_url(deal_set), {"from": "1"}).status_code == 302


@pytest.fixture
def session_under_way():
    return started_session(cards=True)
