"""The standings of a tournament by real jobs: asked for by those of its sessions, or found by the sweep."""

import pytest
from django.db.models import F
from django.utils import timezone

from tests.factories import enter, make_director, make_tournament, started_session
from tests.services.waiting import wait_until
from tests.tournaments.events.several import played_sessions
from tournaments import queue
from tournaments.events import computing
from tournaments.models import SessionStandings, Tournament, TournamentStandings


def is_fresh(tournament):
    kept = TournamentStandings.objects.filter(pk=tournament.pk).first()
    return kept is not None and computing.is_fresh(Tournament.objects.get(pk=tournament.pk), kept)


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
    Tournament.objects.filter(pk=tournament.pk).update(revision=F("revision") + 1)  # and no question
    wait_until(lambda: is_fresh(tournament), what="the sweep")


@pytest.mark.django_db(transaction=True)
def test_a_process_without_a_worker_computes_it_in_the_background(monkeypatch):
    background = queue.Background()
    monkeypatch.setattr(queue, "without_worker", background)
    tournament = make_tournament()
    director = make_director(tournament.club)
    for _ in range(2):
        session = started_session(tournament)
        for play in session.plays.select_related("etui"):
            enter(play, by=director)
    wait_until(lambda: is_fresh(tournament), what="fresh standings of the tournament")
    wait_until(lambda: background.turns == {}, what="the end of the thread's work")
    assert SessionStandings.objects.filter(session__tournament=tournament, computed_at__lt=timezone.now()).count() == 2
