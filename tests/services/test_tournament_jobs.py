"""The standings of a tournament by real jobs: queued by those of its sessions, or found by the sweep."""

from unittest.mock import Mock

import pytest
from django.db.models import F
from django.utils import timezone

from evenings.standings import computing as of_session
from rankings.careers import keeping
from rankings.events import counting
from tests.factories import enter, make_director, make_tournament, publish, started_session
from tests.rankings.events.several import played_sessions
from tests.services.waiting import wait_until
from tournaments.models import Appearance, Publication, SessionStandings, Tournament, TournamentStandings

pytestmark = pytest.mark.nightly("race")


def is_fresh(tournament):
    kept = TournamentStandings.objects.filter(pk=tournament.pk).first()
    return kept is not None and counting.is_tournament_fresh(Tournament.objects.get(pk=tournament.pk), kept)


def test_a_result_reaches_the_ranking_of_the_tournament(worker):
    tournament = make_tournament()
    director = make_director(tournament.club)
    played_sessions(tournament, by=director)
    session = started_session(tournament)
    for play in session.plays.select_related("etui"):
        enter(play, by=director)
    wait_until(lambda: is_fresh(tournament), what="fresh standings of the tournament")
    assert len(TournamentStandings.objects.get(pk=tournament.pk).data["rounds"]) == 3


def test_the_sweep_computes_what_nobody_asked_for(start_worker):
    start_worker(sweep_seconds=1)
    tournament = make_tournament()
    played_sessions(tournament)
    wait_until(lambda: is_fresh(tournament), what="fresh standings of the tournament")
    Tournament.objects.filter(pk=tournament.pk).update(revision=F("revision") + 1)  # without queueing a job
    wait_until(lambda: is_fresh(tournament), what="the sweep")


def test_a_process_without_a_worker_computes_it_in_the_background(work_in_background):
    background = work_in_background()
    tournament = make_tournament()
    director = make_director(tournament.club)
    for _ in range(2):
        session = started_session(tournament)
        for play in session.plays.select_related("etui"):
            enter(play, by=director)
    wait_until(lambda: is_fresh(tournament), what="fresh standings of the tournament")
    wait_until(lambda: background.turns == {}, what="the end of the thread's work")
    assert SessionStandings.objects.filter(session__tournament=tournament, computed_at__lt=timezone.now()).count() == 2


def test_a_process_without_a_worker_sweeps_what_every_job_has_left_undone(work_in_background, monkeypatch):
    """Let every job fail at first, while nobody queues it again."""
    work_in_background(sweep_seconds=0.2)
    tournament = make_tournament()
    director = make_director(tournament.club)
    with monkeypatch.context() as patch:
        modules = (of_session, counting, keeping)
        tries = [Mock(side_effect=ZeroDivisionError) for _ in modules]
        for module, refresh in zip(modules, tries, strict=True):
            patch.setattr(module, "refresh", refresh)
        sessions = [started_session(tournament) for _ in range(2)]
        for session in sessions:
            for play in session.plays.select_related("etui"):
                enter(play, by=director)
        publish(sessions[0], by=director)
        wait_until(lambda: all(each.called for each in tries), what="every job to have failed")
    Publication.objects.update(official_from=timezone.now())
    wait_until(lambda: is_fresh(tournament), what="fresh standings of the tournament")
    wait_until(Appearance.objects.filter(session=sessions[0]).exists, what="the careers")
    wait_until(Publication.objects.filter(status="official").exists, what="the end of the window")
