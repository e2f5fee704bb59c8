"""The moment at which stored standings are computed again, and the jobs that are queued behind them."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest
from django.db.models import F
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.standings import computing
from tests import shared_evenings
from tests.factories import draft_session, enter, enter_all, make_director, started_session
from tournaments.models import ChangedEtui, Session, SessionStandings
from tournaments.queue import PAUSE

pytestmark = pytest.mark.django_db

session = shared_evenings.started


@pytest.fixture
def queued(monkeypatch):
    """Return the ids of the sessions and tournaments that get queued, by the name of the function that queues them."""
    found = {"queue_standings": [], "queue_tournament": []}
    for name, ids in found.items():
        monkeypatch.setattr(computing, name, ids.append)
    return found


def test_one_play_is_a_session_with_standings(director):
    session = started_session(tables=1, positions=1, etuis_per_position=1)
    enter_all(session, by=director)
    assert session.plays.count() == 1
    assert computing.compute(session.pk).figures["counts"]["scored"] == 1


def test_job_waits_until_the_pause_after_the_last_computation_is_over(session):
    now = timezone.now()
    assert computing.pause_before(0, now=now) == 0
    SessionStandings.objects.filter(pk=session.pk).update(computed_at=now)
    assert computing.pause_before(session.pk, now=now + dt.timedelta(seconds=PAUSE / 4)) == pytest.approx(PAUSE * 3 / 4)
    assert computing.pause_before(session.pk, now=now + dt.timedelta(seconds=2 * PAUSE)) == 0
    assert computing.pause_before(session.pk, now=now - dt.timedelta(days=1)) == 0


def test_standings_that_another_job_stored_meanwhile_stay_and_are_computed_again(
    session, director, queued, monkeypatch
):
    enter(session.plays.select_related("etui").first(), by=director)
    later, compute = timezone.now(), computing.compute

    def be_slow(session_id):
        found = compute(session_id)
        SessionStandings.objects.filter(pk=session_id).update(computed_at=later, data={"of": "the other job"})
        return found

    monkeypatch.setattr(computing, "compute", be_slow)
    SessionStandings.objects.filter(pk=session.pk).update(sums={})
    assert computing.refresh(session.pk, now=later + dt.timedelta(seconds=5)) is False
    assert SessionStandings.objects.get(pk=session.pk).data == {"of": "the other job"}
    assert queued == {"queue_standings": [session.pk], "queue_tournament": []}


def test_session_whose_plays_are_gone_keeps_its_standings(session, queued):
    session.plays.all().delete()
    SessionStandings.objects.filter(pk=session.pk).update(sums={}, data={"kept": True})
    Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + 1)
    assert computing.refresh(session.pk, now=timezone.now()) is False
    assert SessionStandings.objects.get(pk=session.pk).data == {"kept": True}
    assert queued["queue_standings"] == []


def test_figures_of_an_etui_are_removed_with_its_last_play(session, director, queued):
    first, other = session.plays.select_related("etui").order_by("pk")[:1], session.plays.order_by("-pk").first()
    enter(first.get(), by=director)
    assert computing.refresh(session.pk, now=timezone.now())
    kept = set(session.standings.etuis.values_list("etui_id", flat=True))
    session.plays.filter(etui=other.etui_id).delete()
    ChangedEtui.objects.create(session=session, etui_id=other.etui_id)
    Session.objects.filter(pk=session.pk).update(results_version=F("results_version") + 1)
    assert computing.refresh(session.pk, now=timezone.now())
    assert set(session.standings.etuis.values_list("etui_id", flat=True)) == kept - {other.etui_id}


def test_standings_are_fresh_until_the_next_result(session, director, queued):
    def is_fresh():
        return computing.is_session_fresh(Session.objects.select_related("standings").get(pk=session.pk))

    enter(session.plays.select_related("etui").first(), by=director)
    assert is_fresh() is False
    assert computing.refresh(session.pk, now=timezone.now())
    assert is_fresh() is True


def test_penalties_of_several_sessions_are_added_up_without_the_cancelled_ones(session, director):
    said = {"reason": "Retard", "by": director, "now": timezone.now()}
    entrant, other = session.entrants.order_by("pk")[:2]
    told = {"session_id": session.pk, "sanction": Sanction(points=Decimal("2.5"))} | said
    given = [give_penalty(entrant_id=one.pk, **told) for one in (entrant, other)]
    take_back_penalty(session_id=session.pk, penalty_id=given[1].pk, **said)
    assert computing.penalties_of_sessions([session.pk]) == {entrant.pk: Fraction(5, 2)}
    assert computing.penalties_of_sessions([]) == {}


@pytest.mark.parametrize("sessions", [1, 2])
def test_tournament_is_queued_if_it_has_other_sessions(session, director, queued, sessions):
    if sessions > 1:
        draft_session(session.tournament)
    enter(session.plays.select_related("etui").first(), by=director)
    assert computing.refresh(session.pk, now=timezone.now()) is True
    assert queued["queue_tournament"] == [session.tournament_id] * (sessions - 1)


def test_note_that_is_the_better_of_two_shows_the_mean_of_the_others():
    session = started_session()
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    play = session.plays.first()
    adjust_play(play_id=play.pk, notes={"N": "better 60", "E": "40"}, reason="x", by=director, now=timezone.now())
    players = {player["id"]: player for player in computing.compute(session.pk).figures["players"]}
    assert list(players[play.north_id]["own"]) in (["attack"], ["defence"])
    assert "own" not in players[play.east_id]
