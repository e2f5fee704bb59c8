"""The plays of bots for étuis: which étuis they play, when, in which order, and that each play is stored once."""

import datetime as dt

import pytest
from django.test import override_settings
from django.utils import timezone

from deals.models import DealSet, Etui
from evenings.spreads import (
    SpreadCandidate,
    ask_bots,
    ensure_spread,
    find_bot_taker,
    find_next_spread,
    find_spread_figures,
    is_night,
    play_spread,
    store_next_play,
)
from jobs.tasks import play_by_bots
from tests.evenings.spreads.conftest import PLAYS
from tests.factories import make_club, make_tournament, published_session, started_session
from tournaments.models import BotSpread, Session

pytestmark = pytest.mark.django_db
NIGHT = dt.datetime(2026, 11, 27, 0, 30, tzinfo=dt.UTC)  # 1.30 in Paris
NOON = dt.datetime(2026, 11, 27, 11, 0, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def an_hour(settings):
    settings.BOT_NIGHT_MINUTES = 60


def first_etui(session):
    return session.deal_set.etuis.order_by("number")[0]


def play_out(row):
    assert play_spread(row.pk, seconds=60, now=NOON)
    row.refresh_from_db()
    return row


@pytest.mark.parametrize(
    ("now", "minutes", "expected"),
    [(NIGHT, 60, True), (NIGHT, 30, False), (NIGHT, 0, False), (NOON, 60, False), (NOON, 1380, True)],
)
def test_night_has_the_minutes_of_the_setting(settings, now, minutes, expected):
    settings.BOT_NIGHT_MINUTES = minutes
    assert is_night(now) is expected


def test_laptop_plays_no_etui_unless_asked(settings):
    settings.BOT_NIGHT_MINUTES = 0
    session = published_session(cards=True)
    assert find_next_spread(NIGHT) is None
    ask_bots(session.deal_set, [1], now=NOON)
    assert find_next_spread(NIGHT).etui == first_etui(session)


def test_public_etuis_are_played_once_each_in_their_order():
    session = published_session(cards=True)
    seen = []
    while (row := find_next_spread(NIGHT)) is not None:
        play_out(row)
        seen.append(row.etui.number)
    assert seen == sorted(set(session.plays.values_list("etui__number", flat=True)))


@pytest.mark.parametrize(("days", "expected"), [(-1, "session"), (1, "elsewhere")])
def test_newest_public_etui_of_all_sources_comes_first(monkeypatch, days, expected):
    session = published_session(cards=True)
    elsewhere = DealSet.objects.create(club=None, name="salle", created_at=NOON)
    etui = first_etui(session)
    other = Etui.objects.create(deal_set=elsewhere, number=1, dealer="N", cards=etui.cards, origin=Etui.Origin.TYPED)
    since = session.publications.get().published_at + dt.timedelta(days=days)
    monkeypatch.setattr("evenings.spreads.sources", [lambda: SpreadCandidate(since, other.pk, "")])
    assert find_next_spread(NIGHT).etui == {"session": etui, "elsewhere": other}[expected]


def test_etuis_whose_cards_readers_do_not_see_are_not_played():
    running = started_session(cards=True)
    hidden = published_session(cards=True)
    Session.objects.filter(pk=hidden.pk).update(shows_cards=False)
    assert (find_next_spread(NIGHT), running.plays.exists()) == (None, True)


def test_by_day_only_asked_etuis_are_played_the_oldest_question_first():
    session = published_session(cards=True)
    ask_bots(session.deal_set, [2], now=NOON)
    ask_bots(session.deal_set, [1], now=NOON + dt.timedelta(minutes=1))
    row = find_next_spread(NOON)
    assert row.etui.number == 2
    play_out(row)
    assert find_next_spread(NOON).etui.number == 1


@pytest.mark.parametrize(
    ("name", "taker", "expected"),
    [("individual", "N", "N"), ("free_auction", "N", ""), ("triplettes", "W", "W"), ("quadrettes", "N", "S")],
)
def test_taker_is_that_of_the_format(name, taker, expected):
    assert find_bot_taker(name, taker) == expected


def test_free_auction_is_played_from_the_bids_on():
    session = published_session(make_tournament(auction="free"), cards=True)
    row = find_next_spread(NIGHT)
    assert (row.taker, row.etui.deal_set_id) == ("", session.deal_set_id)


def test_stopped_play_goes_on_behind_the_last_stored_one():
    etui = first_etui(published_session(cards=True))
    row = ensure_spread(etui, taker=etui.taker)
    assert play_spread(row.pk, seconds=0, now=NOON) is False
    first = BotSpread.objects.get(pk=row.pk).plays
    assert len(first) == 1
    assert play_out(row).plays[:1] == first
    assert (row.count, len(row.plays), row.made_at) == (PLAYS, PLAYS, NOON)


def test_play_of_two_workers_is_stored_once():
    etui = first_etui(published_session(cards=True))
    row = ensure_spread(etui, taker=etui.taker)
    other = BotSpread.objects.select_related("etui").get(pk=row.pk)
    store_next_play(BotSpread.objects.select_related("etui").get(pk=row.pk), now=NOON)
    store_next_play(other, now=NOON)
    row.refresh_from_db()
    assert (row.count, len(row.plays)) == (1, 1)


def test_second_run_over_a_finished_etui_changes_nothing():
    etui = first_etui(published_session(cards=True))
    row = play_out(ensure_spread(etui, taker=etui.taker))
    before = BotSpread.objects.values().get(pk=row.pk)
    assert play_spread(row.pk, seconds=60, now=NIGHT)
    assert ensure_spread(etui, taker=etui.taker) == row
    assert BotSpread.objects.values().get(pk=row.pk) == before


def test_same_cards_in_another_set_are_not_played_again():
    etui = first_etui(published_session(cards=True))
    play_out(ensure_spread(etui, taker=etui.taker))
    copy = DealSet.objects.create(club=make_club("autre"), name="copie", created_at=NOON)
    same = Etui.objects.create(
        deal_set=copy, number=1, taker=etui.taker, dealer=etui.dealer, cards=etui.cards, origin=Etui.Origin.IMPORTED
    )
    assert ensure_spread(same, taker=same.taker).made_at == NOON


def test_etuis_that_bots_cannot_play_get_no_row():
    copy = DealSet.objects.create(club=make_club("autre"), name="sans cartes", created_at=NOON)
    bare = Etui.objects.create(deal_set=copy, number=1, taker="N", dealer="E")
    assert ensure_spread(bare, taker="N") is None


def test_end_of_the_plays_lets_cached_pages_be_built_again():
    session = published_session(cards=True)
    etui = first_etui(session)
    before = Session.objects.get(pk=session.pk).records_version
    row = ensure_spread(etui, taker=etui.taker)
    play_spread(row.pk, seconds=0, now=NOON)
    assert Session.objects.get(pk=session.pk).records_version == before
    play_out(row)
    assert Session.objects.get(pk=session.pk).records_version > before


def test_figures_are_those_of_the_plays():
    etui = first_etui(published_session(cards=True))
    assert find_spread_figures(etui.cards, etui.dealer, etui.taker) is None
    row = ensure_spread(etui, taker=etui.taker)
    play_spread(row.pk, seconds=0, now=NOON)
    assert find_spread_figures(etui.cards, etui.dealer, etui.taker) is None
    play_out(row)
    figures = find_spread_figures(etui.cards, etui.dealer, etui.taker)
    assert (figures.count, figures.took, figures.contract) == (PLAYS, etui.taker, "garde")
    assert figures.scores == tuple(sorted(score for score, _made in row.plays))
    assert find_spread_figures(etui.cards, etui.dealer, "") is None
    assert find_spread_figures("", etui.dealer, etui.taker) is None


def test_job_plays_everything_that_was_asked_for():
    session = published_session(cards=True)
    ask_bots(session.deal_set, [1, 2, 3], now=timezone.now())
    with override_settings(BOT_NIGHT_MINUTES=0):
        play_by_bots()
    assert BotSpread.objects.filter(made_at__isnull=False).count() == 3
