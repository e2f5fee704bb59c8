"""The rankings of a session and its tournament after every order of events: always those of a full computation.

The events are a result, a job, a publication, a comparison and a job that fails. The test runs the queued jobs itself,
one after the other. At the end nobody does anything more: queued jobs run, and the sweep finds what a failed job has
left undone, or altered rows.
"""

from collections.abc import Callable, Collection
from itertools import permutations

import pytest
from django.db import transaction
from django.utils import timezone

from evenings.standings import comparing, computing
from jobs import tasks
from rankings.careers import keeping
from rankings.events import counting as events
from rankings.events.counting import count_live, figure
from tests.evenings.standings.keeping import assert_kept_from_nothing
from tests.factories import enter, make_director, make_tournament, publish, started_session
from tests.services.fixtures import forget_what_is_kept
from tournaments import queue
from tournaments.models import SessionStandings, Tournament, TournamentStandings

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("process")]
TASKS: dict[str, Callable[[int], None]] = {
    queue.COMPUTE: lambda pk: computing.refresh(pk, now=timezone.now()),
    queue.TOURNAMENT: lambda pk: events.refresh(pk, now=timezone.now()),
    queue.CAREERS: keeping.refresh,
}


class Evening:
    """A tournament of two sessions. Everything happens in the first one, where one result is missing."""

    def __init__(self, capture) -> None:
        self.capture = capture
        self.asked: list[tuple[str, int]] = []  # the jobs that are queued and not taken
        self.lost = False  # True if a failed job had taken a request from the queue

    def begin(self) -> None:
        self.tournament = make_tournament()
        self.director = make_director(self.tournament.club)
        self.sessions = [started_session(self.tournament) for _ in range(2)]
        *first, self.missing = (
            play for session in self.sessions[::-1] for play in session.plays.select_related("etui").order_by("pk")
        )
        for play in first:
            self.do(lambda play=play: enter(play, by=self.director))
        self.serve()

    def do(self, act: Callable[[], object]) -> None:
        with self.capture(execute=True):
            act()

    def ask(self, pk: int, task: str = queue.COMPUTE) -> None:
        if (task, pk) not in self.asked:
            self.asked.append((task, pk))

    def serve(self) -> None:
        while self.asked:
            self.job()

    def entry(self) -> None:
        self.do(lambda: enter(self.missing, by=self.director))

    def job(self) -> None:
        if self.asked:
            task, pk = self.asked.pop(0)
            self.do(lambda: TASKS[task](pk))

    def publication(self) -> None:
        self.do(lambda: publish(self.sessions[0], by=self.director, allow_missing=True))

    def comparison(self) -> None:
        self.do(lambda: comparing.compare_one(now=timezone.now()))

    def failed_job(self) -> None:
        self.lost = bool(self.asked) or self.lost
        del self.asked[:1]

    def sweep(self) -> None:
        self.do(tasks.sweep_standings)
        self.do(tasks.sweep_publications)
        self.serve()

    def assert_from_nothing(self) -> None:
        for session in self.sessions:
            assert_kept_from_nothing(session)
        tournament = Tournament.objects.get(pk=self.tournament.pk)
        kept = TournamentStandings.objects.get(pk=tournament.pk)
        assert kept.data == figure(tournament, count_live(tournament))
        assert events.is_tournament_fresh(tournament, kept)
        assert events.tournaments_with_stale_standings() == []
        assert keeping.find_stale() == []


Step = Callable[[Evening], None]
STEPS: tuple[Step, ...] = (Evening.entry, Evening.job, Evening.publication, Evening.comparison, Evening.failed_job)
ON_THE_SAME_RESULTS = STEPS[1:]


@pytest.fixture
def evening(monkeypatch, django_capture_on_commit_callbacks) -> Evening:
    evening = Evening(django_capture_on_commit_callbacks)
    monkeypatch.setattr(queue, "ask_for_standings", evening.ask)
    evening.begin()
    return evening


def take_every_order(evening: Evening, first: Step, others: Collection[Step], check: Callable[[], None]) -> None:
    """Take the first step, then the others in every order, each time from the same evening. Check the result."""
    asked = list(evening.asked)
    for order in ((first, *rest) for rest in permutations(set(others) - {first})):
        with transaction.atomic():
            for step in order:
                step(evening)
            evening.serve()
            try:
                check()
            except AssertionError as error:
                error.add_note(" → ".join(step.__name__ for step in order))
                raise
            transaction.set_rollback(True)
        evening.asked, evening.lost = list(asked), False
        forget_what_is_kept()


@pytest.mark.parametrize("first", STEPS, ids=lambda step: step.__name__)
def test_rankings_are_those_of_the_results_whatever_comes_first(evening, first):
    def check():
        if not evening.lost:
            evening.assert_from_nothing()
        evening.sweep()
        evening.assert_from_nothing()

    take_every_order(evening, first, STEPS, check)


@pytest.mark.parametrize("first", ON_THE_SAME_RESULTS, ids=lambda step: step.__name__)
def test_wrong_figures_that_the_tournament_has_counted_leave_it_too(evening, first):
    """Alter the rows of the session, while the version of its results stays the same."""
    kept = SessionStandings.objects.get(pk=evening.sessions[0].pk)
    for player in kept.data["players"]:
        player["overall"] = "99"
    kept.save()
    tournament = evening.tournament
    data = figure(tournament, count_live(tournament))
    assert TournamentStandings.objects.filter(pk=tournament.pk).update(data=data)

    def check():
        evening.sweep()
        evening.sweep()  # a sweep compares one session each time
        evening.assert_from_nothing()

    take_every_order(evening, first, ON_THE_SAME_RESULTS, check)
