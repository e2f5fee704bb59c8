"""The comparison of stored standings with a computation from nothing, when publishing and now and then.

A difference is logged as an error and corrected.
"""

import datetime as dt
import logging

import pytest
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from evenings.standings import comparing, computing
from jobs.tasks import sweep_standings
from tests import shared_evenings
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.factories import enter, enter_all, publish, started_session
from tournaments.models import EtuiStandings, ResultEntry, Session, SessionStandings

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 20, 20, 30, tzinfo=dt.UTC)


session = shared_evenings.started


@pytest.fixture
def kept(session, director):
    enter_all(session, by=director)
    computing.refresh(session.pk, now=NOW)
    return SessionStandings.objects.get(pk=session.pk)


def tamper_with_etui(kept, number=2):
    """Change the score of one play of an étui, but not the sums."""
    row = EtuiStandings.objects.get(standings=kept, etui__number=number)
    next(iter(row.plays.values()))["base_score"] += 2
    row.save()


def tamper_with_ranking(kept):
    kept.data["players"][0]["overall"] = "99"
    kept.save()


def said(caplog):
    return [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]


def told(session, etuis):
    kept = f"The standings kept of session {session.pk} were not those of its results"
    return [f"{kept}: étuis {etuis}. They are replaced."]


@pytest.mark.nightly("story")
def test_publishing_says_and_mends_what_was_kept_wrongly(session, director, kept, caplog):
    tamper_with_etui(kept)
    publish(session, by=director)
    assert said(caplog) == told(session, "2")
    assert_kept_from_nothing(session)


@pytest.mark.nightly("story")
def test_publishing_the_same_again_compares_too(session, director, kept, caplog):
    publication = publish(session, by=director)
    tamper_with_ranking(kept)
    assert publish(session, by=director) == publication
    assert said(caplog) == told(session, "none, and the ranking")
    assert_kept_from_nothing(session)


@pytest.mark.nightly("story")
def test_publishing_before_the_job_says_nothing(session, director, kept, caplog):
    play = session.plays.select_related("etui").first()
    computing.refresh(session.pk, now=NOW)
    EtuiStandings.objects.filter(etui=play.etui).update(plays={})
    SessionStandings.objects.update(results_version=0)
    session.changed_etuis.create(etui=play.etui)
    publish(session, by=director)
    assert said(caplog) == []
    assert_kept_from_nothing(session)


@pytest.mark.nightly("story")
def test_stored_figures_are_no_error_while_the_whole_session_waits_for_a_job(session, director, kept, caplog):
    tamper_with_etui(kept)
    tamper_with_ranking(kept)
    SessionStandings.objects.update(results_version=0)
    session.changed_etuis.create(etui=None)
    publish(session, by=director)
    assert said(caplog) == []
    assert_kept_from_nothing(session)


@pytest.mark.nightly("story")
def test_publishing_before_any_job_keeps_what_it_computed(session, director, caplog):
    enter_all(session, by=director)
    publish(session, by=director)
    assert said(caplog) == []
    assert_kept_from_nothing(session)


@pytest.mark.nightly("story")
def test_etui_without_a_play_is_found_and_goes(session, kept, caplog):
    row = EtuiStandings.objects.first()
    other = started_session(session.tournament).plays.select_related("etui").first().etui
    EtuiStandings.objects.create(standings=kept, etui=other, results_version=1, plays=row.plays, sums=row.sums)
    assert comparing.compare_one(now=NOW) == session.pk
    assert said(caplog) == told(session, str(other.number))
    assert_kept_from_nothing(session)


def test_sweep_compares_says_and_mends(session, kept, caplog):
    tamper_with_etui(kept, number=3)
    sweep_standings()
    assert said(caplog) == told(session, "3")
    assert_kept_from_nothing(session)


def test_equal_standings_are_compared_in_silence(session, kept, caplog):
    assert comparing.compare_one(now=NOW) == session.pk
    assert said(caplog) == []
    assert SessionStandings.objects.get(pk=session.pk).compared_at == NOW


@pytest.mark.nightly("story")
def test_sessions_are_compared_in_turn_and_only_when_something_was_computed_since(session, director, kept):
    other = started_session(session.tournament)
    computing.refresh(other.pk, now=NOW)
    later = NOW + comparing.SETTLED * 2
    assert {comparing.compare_one(now=NOW), comparing.compare_one(now=NOW)} == {session.pk, other.pk}
    assert comparing.compare_one(now=later) is None
    enter(other.plays.select_related("etui").first(), by=director)
    assert comparing.compare_one(now=later) is None  # it is stale, so the job computes it first
    computing.refresh(other.pk, now=later)
    assert comparing.compare_one(now=later) == other.pk


@pytest.mark.nightly("story")
def test_session_is_compared_again_after_five_minutes_at_the_earliest(session, kept):
    assert comparing.compare_one(now=NOW) == session.pk
    Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + 1)
    assert computing.refresh(session.pk, now=NOW + dt.timedelta(minutes=1))
    assert comparing.compare_one(now=NOW + dt.timedelta(minutes=5)) is None
    assert comparing.compare_one(now=NOW + dt.timedelta(minutes=5, seconds=1)) == session.pk


@pytest.mark.nightly("story")
def test_mended_standings_queue_those_of_a_tournament_of_several_sessions(session, kept, monkeypatch):
    queued = []
    monkeypatch.setattr(computing, "queue_tournament", queued.append)
    tamper_with_etui(kept)
    assert comparing.compare_one(now=NOW) == session.pk
    assert queued == []
    started_session(session.tournament)
    tamper_with_etui(kept)
    SessionStandings.objects.update(compared_at=None)
    assert comparing.compare_one(now=NOW) == session.pk
    assert queued == [session.tournament_id]


@pytest.mark.nightly("story")
def test_session_that_a_clock_set_back_since_puts_in_the_future_is_compared(session, kept):
    assert comparing.compare_one(now=NOW) == session.pk
    before = NOW - dt.timedelta(hours=1)
    Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + 1)
    assert computing.refresh(session.pk, now=before)
    assert comparing.compare_one(now=before) == session.pk
    assert comparing.compare_one(now=before) is None


def test_results_that_come_in_meanwhile_put_the_comparison_off(session, director, kept, monkeypatch, caplog):
    compute = comparing.compute

    def slow(session_id):
        computed = compute(session_id)
        session.results_version += 1
        session.save(update_fields=["results_version"])
        return computed

    session.refresh_from_db()
    monkeypatch.setattr(comparing, "compute", slow)
    assert comparing.compare_one(now=timezone.now()) is None
    assert (said(caplog), SessionStandings.objects.get(pk=session.pk).compared_at) == ([], None)


@pytest.mark.nightly("story")
def test_session_that_cannot_be_compared_leaves_the_others_their_turn(session, director, kept, monkeypatch):
    other = started_session(session.tournament)
    computing.refresh(other.pk, now=NOW)
    fail_for(session, monkeypatch, ArithmeticError("its rows"))
    with pytest.raises(ArithmeticError):
        comparing.compare_one(now=NOW)
    assert [comparing.compare_one(now=NOW), comparing.compare_one(now=NOW)] == [other.pk, None]
    Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + 1)
    later = NOW + comparing.SETTLED * 2
    computing.refresh(session.pk, now=later)
    with pytest.raises(ArithmeticError):
        comparing.compare_one(now=later)


def test_session_that_the_database_did_not_tell_of_keeps_its_turn(session, kept, monkeypatch):
    fail_for(session, monkeypatch, OperationalError("silent"))
    with pytest.raises(OperationalError):
        comparing.compare_one(now=NOW)
    monkeypatch.undo()
    assert comparing.compare_one(now=NOW) == session.pk


def test_session_without_a_play_leaves_the_others_their_turn(session, kept):
    other = started_session(session.tournament)
    computing.refresh(other.pk, now=NOW)
    ResultEntry.objects.filter(play__session=session).delete()
    session.plays.all().delete()
    assert [comparing.compare_one(now=NOW), comparing.compare_one(now=NOW)] == [session.pk, other.pk]


def fail_for(session, monkeypatch, error):
    compute = comparing.compute

    def compute_unless(pk):
        if pk == session.pk:
            raise error
        return compute(pk)

    monkeypatch.setattr(comparing, "compute", compute_unless)
