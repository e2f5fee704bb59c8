"""The state of each play on the desk: what there is to do about it, and who may know it."""

import uuid
from dataclasses import replace

import pytest
from django.utils import timezone

from deals.domain.cards import EXCUSE, TRUMP_21, Seat
from deals.domain.deal import loads
from evenings.plays import ruling
from evenings.plays.desk_state import desk_plays, hidden_etuis
from evenings.plays.entering import SentEntry, annul_play, enter_result, not_played
from scoring.ranking import Line
from tests.factories import enter, garde, make_director, started_session
from tournaments.models import EntryCheck, Play, Session
from tournaments.rules.entry import Bout, Facts, Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def evening(rows_of_the_file):
    return started_session().pk


@pytest.fixture
def plays(session):
    """Return the five plays of étui 1, by position."""
    return list(session.plays.filter(etui__number=1).select_related("etui").order_by("position"))


def state(play, *, flags=True, user=None):
    session = Session.objects.get(pk=play.session_id)
    return next(each.state for each in desk_plays(session, flags=flags, user=user) if each.play.pk == play.pk)


def from_table(play, points=49, seat="N"):
    entry = garde(play.etui.taker, points=points)
    return enter_result(play_id=play.pk, entry=entry, now=timezone.now(), sent=SentEntry("Table 1", uuid.uuid4(), seat))


def check(row, *, agrees):
    EntryCheck.objects.create(entry=row, agrees=agrees, seat="E", device="Table 1", checked_at=timezone.now())


def confirm(play, director, version=1):
    ruling.confirm_result(play_id=play.pk, seen_version=version, by=director, now=timezone.now())


def test_play_goes_from_missing_over_started_and_unconfirmed_to_done(session, plays):
    assert state(plays[0]) == "missing"
    Play.objects.filter(pk=plays[0].pk).update(started_at=timezone.now())
    assert state(plays[0]) == "started"
    row = from_table(plays[0])
    assert state(plays[0]) == "unconfirmed"
    check(row, agrees=True)
    assert state(plays[0]) == "done"


def test_entry_without_a_check_is_done_where_none_is_asked_or_an_account_typed(session, plays, director):
    enter(plays[0], by=director)
    assert state(plays[0]) == "done"
    from_table(plays[1])
    Session.objects.filter(pk=session.pk).update(check_by=Session.Check.NONE)
    from_table(plays[2])
    # each by the setting at the moment of its entry
    assert [state(play) for play in plays[1:3]] == ["unconfirmed", "done"]


def test_disputed_until_the_director_has_the_last_word(plays, director):
    row = from_table(plays[0])
    check(row, agrees=False)
    assert state(plays[0]) == "disputed"
    confirm(plays[0], director)
    assert state(plays[0]) == "done"
    from_table(plays[0], points=60)
    assert state(plays[0]) == "disputed"
    ruling.take_contested(
        play_id=plays[0].pk, version=2, seen_version=1, reason="relu", by=director, now=timezone.now()
    )
    assert state(plays[0]) == "done"


@pytest.mark.nightly("story")
def test_not_played_later_and_annulled(session, plays, director):
    now = timezone.now()
    not_played(play_id=plays[0].pk, by=director, now=now)
    not_played(play_id=plays[1].pk, by=director, now=now, later=True)
    annul_play(play_id=plays[2].pk, reason="x", by=director, now=now)
    assert [state(play) for play in plays[:3]] == ["not_played", "later", "annulled"]
    ruling.annul_etui(session_id=session.pk, etui=1, reason="x", by=director, now=now)
    assert {state(play) for play in plays} == {"annulled"}
    ruling.restore_etui(session_id=session.pk, etui=1, reason="x", by=director, now=now)
    assert [state(play) for play in plays] == ["not_played", "later", "annulled", "missing", "missing"]


def enter_points(plays, director, points):
    for play, value in zip(plays, points, strict=True):
        enter(play, garde(play.etui.taker, points=value), by=director)


@pytest.mark.nightly("story")
def test_result_far_from_the_others_is_odd_for_directors_until_it_is_confirmed(plays, director):
    enter_points(plays, director, (50, 51, 49, 50, 85))
    assert [state(play) for play in plays] == ["done", "done", "done", "done", "odd"]
    assert state(plays[4], flags=False) == "done"
    confirm(plays[4], director)
    assert state(plays[4]) == "done"


def test_plays_before_and_after_an_alteration_are_odd_among_themselves_alone(session, plays, director):
    enter_points(plays, director, (50, 51, 49, 50, 85))
    ruling.split_etui(session_id=session.pk, etui=1, from_position=5, reason="x", by=director, now=timezone.now())
    assert state(plays[4]) == "done"


def test_annulled_plays_make_nothing_odd(plays, director):
    enter_points(plays, director, (50, 51, 49, 50, 85))
    annul_play(play_id=plays[0].pk, reason="x", by=director, now=timezone.now())
    annul_play(play_id=plays[1].pk, reason="x", by=director, now=timezone.now())
    assert state(plays[4]) == "done"


def test_director_who_plays_is_not_told_of_what_is_still_to_play(session, plays, director):
    enter_points(plays[1:], director, (50, 51, 49, 50))
    assert hidden_etuis(session, director) == frozenset()
    player = plays[0].north
    ruling.declare_playing(session_id=session.pk, entrant_id=player.pk, by=director, now=timezone.now())
    own = {play.etui_id for play in session.plays.filter(north=player)}
    assert hidden_etuis(session, director) == own
    closed = {each.play.etui_id for each in desk_plays(session, flags=True, user=director) if each.closed}
    assert closed == own
    enter(plays[0], garde(plays[0].etui.taker, points=85), by=director)
    assert hidden_etuis(session, director) == own - {plays[0].etui_id}
    ruling.lift_hiding(session_id=session.pk, by=director, now=timezone.now())
    assert hidden_etuis(session, director) == frozenset()


def test_play_that_is_not_played_does_not_blind_the_director_who_plays(session, plays, director):
    player = plays[0].north
    ruling.declare_playing(session_id=session.pk, entrant_id=player.pk, by=director, now=timezone.now())
    own = Play.objects.filter(session=session).exclude(entries__current=True).order_by("position")
    own = [play for play in own if player.pk in (play.north_id, play.east_id, play.south_id, play.west_id)]
    for play in own[1:]:
        enter(play, garde(play.etui.taker), by=director)
    assert hidden_etuis(session, director) == {own[0].etui_id}
    not_played(play_id=own[0].pk, by=director, now=timezone.now())
    assert hidden_etuis(session, director) == frozenset()


def test_closed_etui_shows_no_odd_result(session, plays, director):
    enter_points(plays[1:], director, (50, 51, 49, 85))
    assert state(plays[4]) == "odd"
    ruling.declare_playing(session_id=session.pk, entrant_id=plays[0].north_id, by=director, now=timezone.now())
    assert state(plays[4], user=director) == "done"


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize(("tables", "etuis"), [(5, 1), (7, 4)])
def test_desk_costs_the_same_queries_however_large(tables, etuis, django_assert_num_queries):
    session = started_session(tables=tables, etuis_per_position=etuis, cards=True)
    for play in session.plays.select_related("etui"):
        check(from_table(play, points=30 + play.pk % 40), agrees=True)
    session = Session.objects.select_related("tournament").get(pk=session.pk)
    with django_assert_num_queries(4):
        desk_plays(session, flags=True)


@pytest.mark.nightly("story")
def test_result_that_the_cards_forbid_is_flagged_for_directors():
    session = started_session(cards=True)
    director = make_director(session.tournament.club)
    play = session.plays.select_related("etui").first()
    deal = loads(play.etui.cards)
    attack_has_it = TRUMP_21 in deal.hand(Seat(play.etui.taker)) + deal.chien
    enter(play, garde(play.etui.taker, bouts=0 if attack_has_it else 3, points=50), by=director)
    assert (state(play), state(play, flags=False)) == ("check_etui", "done")
    confirm(play, director)
    assert state(play) == "done"


@pytest.mark.nightly("story")
def test_bouts_that_are_named_wrongly_are_told_to_directors_alone():
    """Check wrong bouts: the 21 on the wrong side is a clash, the Excuse is odd, the Petit may be with any side."""
    plays = list(started_session(cards=True).plays.filter(etui__number=1).select_related("etui"))
    deal = loads(plays[0].etui.cards)
    own = deal.hand(Seat(plays[0].etui.taker)) + deal.chien
    named = {bout for bout, card in ((Bout.TRUMP_21, TRUMP_21), (Bout.EXCUSE, EXCUSE)) if card in own}
    for wrong, expected in ((Bout.TRUMP_21, "check_etui"), (Bout.EXCUSE, "odd"), (Bout.PETIT, "unconfirmed")):
        play, bouts = plays.pop(), frozenset(named ^ {wrong})
        result = replace(garde(play.etui.taker).result, bouts=len(bouts))
        entry = Facts(Line(play.etui.taker), result, bouts)
        enter_result(play_id=play.pk, entry=entry, now=timezone.now(), sent=SentEntry("Table 1", uuid.uuid4(), "N"))
        assert (state(play), state(play, flags=False)) == (expected, "unconfirmed")


def test_fiche_that_no_result_gives_goes_to_the_arbiter_until_he_settles_it(plays, director):
    enter_result(play_id=plays[0].pk, entry=Fiche(Line(plays[0].etui.taker), 51), by=director, now=timezone.now())
    assert (state(plays[0]), state(plays[0], flags=False)) == ("disputed", "done")
    confirm(plays[0], director)
    assert state(plays[0]) == "done"
