"""The desk's cache of a session's plays in the process: after a write it computes only what changed."""

import uuid

import pytest
from django.utils import timezone

from evenings.plays import desk_state, ruling
from evenings.plays.desk_state import desk_plays
from evenings.plays.entering import SentEntry, annul_play, enter_result, not_played
from scoring.ranking import Line
from tests.factories import enter, garde, make_director, started_session
from tournaments.models import Play, Session
from tournaments.rules.entry import Fiche

pytestmark = pytest.mark.django_db


@pytest.fixture
def session():
    desk_state.kept.clear()
    return started_session(tables=7, positions=3, etuis_per_position=2)


@pytest.fixture
def worked_out(monkeypatch):
    """Return the list to which each play is added when the desk computes its state."""
    found = []
    desk_play = desk_state.desk_play
    monkeypatch.setattr(
        desk_state, "desk_play", lambda each, *a, **b: found.append(each.play) or desk_play(each, *a, **b)
    )
    return found


def look(session):
    """Return the plays as the desk shows them now, and check that a computation from nothing gives the same."""
    newest = Session.objects.select_related("tournament__club").get(pk=session.pk)
    found = {each.pk: each for each in desk_plays(newest, flags=True, people=False)}
    anew = {each.pk: each for each in desk_plays(newest, flags=True)}
    assert told(found) == told(anew)
    return found


def told(plays):
    return {
        pk: (each.state, each.finest, each.missing, each.entry, each.rows, each.table, each.etui, each.position)
        for pk, each in plays.items()
    }


@pytest.mark.nightly("story")
def test_result_makes_the_plays_of_its_etui_anew_and_no_others(session, worked_out):
    director = make_director(session.tournament.club)
    look(session)
    play = session.plays.select_related("etui").filter(position=2).first()
    worked_out.clear()
    enter(play, by=director)
    desk_plays(session, flags=True, people=False)
    assert {each.etui_id for each in worked_out} == {play.etui_id}
    assert {each.pk for each in worked_out} == set(session.plays.filter(etui=play.etui_id).values_list("pk", flat=True))
    assert look(session)[play.pk].state == "done"


@pytest.mark.nightly("story")
def test_each_kind_of_word_on_a_play_is_seen(session):
    director, now = make_director(session.tournament.club), timezone.now()
    first, second = session.plays.select_related("etui").order_by("pk")[:2]
    third = session.plays.filter(table=second.table_id).order_by("pk").last()
    said = {"reason": "x", "by": director, "now": now}
    deeds = {
        "unconfirmed": lambda: enter_result(
            play_id=first.pk, entry=garde(first.etui.taker), now=now, sent=SentEntry("Table 1", uuid.uuid4(), "N")
        ),
        "done": lambda: ruling.confirm_result(play_id=first.pk, seen_version=1, by=director, now=now),
        "annulled": lambda: annul_play(play_id=first.pk, **said),
    }
    seen = [look(session)[first.pk].state]
    for deed in deeds.values():
        deed()
        seen.append(look(session)[first.pk].state)
    assert seen == ["missing", *deeds]
    not_played(play_id=second.pk, by=director, now=now)
    assert look(session)[second.pk].state == "not_played"
    Play.objects.filter(pk=third.pk).update(started_at=now)
    enter(second, by=director)  # it raises the revision of their table
    assert look(session)[third.pk].state == "started"


def test_players_are_not_read_and_a_result_is_read_with_few_queries(session, django_assert_num_queries):
    director = make_director(session.tournament.club)
    play = session.plays.select_related("etui").first()
    session = Session.objects.select_related("tournament__club").get(pk=session.pk)
    with django_assert_num_queries(4):  # revisions, rulings on étuis, plays with their rulings, and entries
        desk_plays(session, flags=True, people=False)
    enter(play, by=director)
    with django_assert_num_queries(3):  # revisions, and the plays and entries of one table
        desk_plays(session, flags=True, people=False)


def test_rows_with_warnings_and_without_are_cached_apart(session):
    director, play = make_director(session.tournament.club), session.plays.select_related("etui").first()
    enter(play, Fiche(Line(play.etui.taker), 51), by=director)  # no result gives 51
    newest = Session.objects.select_related("tournament__club").get(pk=session.pk)
    states = [
        {each.pk: each.state for each in desk_plays(newest, flags=flags, people=False)}[play.pk]
        for flags in (True, False, True)
    ]
    assert states == ["disputed", "done", "disputed"]
