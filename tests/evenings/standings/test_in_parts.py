"""The standings stored étui by étui: they equal those computed from nothing, whatever happens in an evening."""

import random
from contextlib import suppress
from decimal import Decimal
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from clubs.players import add_players
from clubs.roster import RosterLine
from evenings.changes.carry_out import change_session, number_of_plan, undo_change
from evenings.plans.starting import unstart_session
from evenings.plays import entering, ruling
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.sessions.running import call_position
from evenings.standings import computing
from tests import shared_evenings
from tests.evenings.plays.test_state import Evening
from tests.evenings.standings.independent_rulings import percentages
from tests.evenings.standings.keeping import assert_kept_from_nothing, from_nothing, kept, kept_percentages
from tests.examples import draw_seeds
from tests.factories import enter, make_director, make_tournament, started_session
from tournaments.models import ChangedEtui, EtuiStandings, Penalty, Session, SessionStandings
from tournaments.rules.entry import AllPassed, EntryError
from tournaments.rules.operations import Arrive, Leave, Resize, Return, Substitute, Swap, WrongEtuis

pytestmark = pytest.mark.django_db


session = shared_evenings.started


class WholeEvening(Evening):
    """An evening in which everything that services write can happen to any play."""

    def __init__(self, session, director, rng):
        super().__init__(session, director)
        self.rng, self.came = rng, 0

    def happen_somewhere(self, deed):
        """Do something to a random play, and return True if it changed results."""
        before = self.version_of_results
        self.plays = list(self.session.plays.filter(position__lte=self.session.position))
        with suppress(EntryError):
            self.happen(deed, self.rng.randrange(len(self.plays)), self.rng.randrange(4))
        return self.version_of_results > before

    @property
    def version_of_results(self):
        self.session.refresh_from_db()
        return self.session.results_version

    def change(self, operation):
        seen = number_of_plan(self.session)
        change_session(session_id=self.session.pk, operation=operation, choice=0, seen=seen, **self.said)

    def comes(self):
        self.came += 1
        (player,) = add_players(club=self.session.tournament.club, lines=[RosterLine(f"Venu{self.came}", "")])
        return player.pk

    def pass_out(self, play, variant):
        if self.session.tournament.auction == "free":
            entering.enter_result(play_id=play.pk, entry=AllPassed(), **self.said)

    def split_within(self, play, variant):
        plays = self.session.plays.filter(etui=play.etui)
        first = plays.filter(position=play.position)[0]
        about = {"session_id": self.session.pk, "etui": play.etui.number, "from_position": play.position}
        ruling.split_etui(**about, before=[first.pk], reason="x", **self.said)

    def penalise(self, play, variant):
        kind, position = list(Penalty.PenaltyKind)[variant % 3], variant and self.session.positions
        points = Decimal(1 + variant) / 4 if kind != Penalty.PenaltyKind.WARNING else Decimal(0)
        given = {"sanction": Sanction(kind, points, position), "reason": "retard"}
        give_penalty(session_id=self.session.pk, entrant_id=play.north_id, **given, **self.said)

    def take_penalty_back(self, play, variant):
        for penalty in self.session.penalties.filter(reverses=None, reversal=None)[:1]:
            take_back_penalty(session_id=self.session.pk, penalty_id=penalty.pk, reason="x", **self.said)

    def call(self, play, variant):
        if self.session.position < self.session.positions:
            call_position(session_id=self.session.pk, position=self.session.position + 1, **self.said)

    def arrive(self, play, variant):
        self.change(Arrive((self.comes(),), after=self.session.position))

    def leave(self, play, variant):
        self.change(Leave((play.east_id,), after=self.session.position + variant % 2, unplayed=variant > 1))

    def come_back(self, play, variant):
        for gone in self.session.entrants.exclude(last_position=None)[:1]:
            self.change(Return((gone.pk,), after=max(self.session.position, gone.last_position)))

    def substitute(self, play, variant):
        self.change(Substitute(play.west_id, self.comes(), position=1 + variant, own=variant > 1))

    def exchange_seats(self, play, variant):
        other = self.session.plays.filter(position=play.position).exclude(table=play.table_id).first()
        self.change(Swap(play.position, play.north_id, other.north_id if variant > 1 else play.east_id))

    def play_wrong_etui(self, play, variant):
        other = self.session.plays.filter(position=play.position).exclude(table=play.table_id).first()
        pairs = ((play.etui.number, other.etui.number),)
        self.change(WrongEtuis(play.position, play.table.number, pairs, exchange=variant > 0, later=variant > 2))

    def resize(self, play, variant):
        self.change(Resize(3 + variant))

    def undo(self, play, variant):
        undo_change(session_id=self.session.pk, seen=number_of_plan(self.session), **self.said)


SILENT = {"start", "check", "confirm", "call"}  # these deeds change no result
PAST_THE_SERVICES = {"lay_out_as_replay", "stand_in"}
NO_DEED = {"happen", "happen_somewhere", "said", "sent", "version", "version_of_results", "change", "comes"}
DEEDS = sorted(
    name for name in {*vars(Evening), *vars(WholeEvening)} - NO_DEED - PAST_THE_SERVICES if not name.startswith("_")
)
OFTEN = ["enter_at_the_table", "enter_at_the_desk", "correct_at_the_desk", *SILENT - {"call"}]


@pytest.mark.nightly("story")
@pytest.mark.parametrize("auction", ["imposed", "free"])
@pytest.mark.parametrize("seed", draw_seeds(10, fewest=1))
def test_kept_equals_from_nothing_after_whatever_happens(auction, seed):
    rng = random.Random(f"{auction} {seed}")
    tournament = make_tournament(auction=auction)
    session = started_session(tournament, tables=5, positions=5)
    session.entrants.filter(number=2).update(ranked=False)
    Session.objects.filter(pk=session.pk).update(position=1)
    evening = WholeEvening(session, make_director(tournament.club), rng)
    silent = SILENT | ({"pass_out"} if auction == "imposed" else set())
    happened = set()
    for deed in [*rng.sample(DEEDS, len(DEEDS)), *rng.sample(DEEDS, len(DEEDS))]:
        happened |= {each for each in rng.choices(OFTEN, k=2) if evening.happen_somewhere(each)}
        happened |= {deed} if any(evening.happen_somewhere(deed) for _ in range(1 if deed in silent else 6)) else set()
        computing.refresh(session.pk, now=evening.now)
        assert_kept_from_nothing(session)
    assert len(set(DEEDS) - happened - silent) <= 3
    assert kept_percentages(session) == percentages(Session.objects.get(pk=session.pk))


def test_result_computes_its_own_etui_alone(session, director):
    computing.refresh(session.pk, now=timezone.now())
    before = dict(EtuiStandings.objects.values_list("etui_id", "results_version"))
    play = session.plays.select_related("etui").first()
    enter(play, by=director)
    assert list(ChangedEtui.objects.values_list("etui_id", flat=True)) == [play.etui_id]
    computing.refresh(session.pk, now=timezone.now())
    after = dict(EtuiStandings.objects.values_list("etui_id", "results_version"))
    assert {etui for etui, version in after.items() if version != before[etui]} == {play.etui_id}


def test_penalty_computes_no_etui(session, director):
    enter(session.plays.select_related("etui").first(), by=director)
    computing.refresh(session.pk, now=timezone.now())
    first = session.entrants.first()
    given = {"sanction": Sanction(points=Decimal(5)), "reason": "retard", "by": director, "now": timezone.now()}
    give_penalty(session_id=session.pk, entrant_id=first.pk, **given)
    with CaptureQueriesContext(connection) as asked:
        computing.refresh(session.pk, now=timezone.now())
    assert not any('FROM "tournaments_play"' in query["sql"] for query in asked)
    assert_kept_from_nothing(session)


def test_forgotten_etui_is_seen(session, director, monkeypatch):
    """Check that the histories above would find a write that does not say which étui it touches."""
    computing.refresh(session.pk, now=timezone.now())
    monkeypatch.setattr(entering, "raise_results_version", partial(forget, entering.raise_results_version))
    enter(session.plays.select_related("etui").first(), by=director)
    computing.refresh(session.pk, now=timezone.now())
    assert kept(session) != from_nothing(session)


def forget(raise_results_version, session_id, *, etuis=None):
    raise_results_version(session_id, etuis=[])


def test_start_taken_back_leaves_nothing_of_the_standings():
    session = started_session()
    computing.refresh(session.pk, now=timezone.now())
    unstart_session(session_id=session.pk, now=timezone.now())
    counts = [model.objects.count() for model in (SessionStandings, EtuiStandings, ChangedEtui)]
    assert counts == [0, 0, 0]


def test_older_computation_never_replaces_a_newer_one(session, director, monkeypatch):
    """Let a second job read and write between the reading and the writing of a first one, which then writes nothing."""
    computing.refresh(session.pk, now=timezone.now())
    one, other = session.plays.select_related("etui")[:2]
    enter(one, by=director)
    describe = computing.describe_standings

    def slow(*args):
        monkeypatch.setattr(computing, "describe_standings", describe)
        enter(other, by=director)
        assert computing.refresh(session.pk, now=timezone.now())
        return describe(*args)

    monkeypatch.setattr(computing, "describe_standings", slow)
    assert computing.refresh(session.pk, now=timezone.now()) is False
    assert_kept_from_nothing(session)


def test_result_between_the_reading_and_the_writing_of_a_job_is_computed_next(session, director, monkeypatch):
    computing.refresh(session.pk, now=timezone.now())
    etui = session.plays.select_related("etui").filter(etui__number=1)
    enter(etui[0], by=director)
    describe = computing.describe_standings

    def slow(*args):
        monkeypatch.setattr(computing, "describe_standings", describe)
        enter(etui[1], by=director)
        return describe(*args)

    monkeypatch.setattr(computing, "describe_standings", slow)
    assert computing.refresh(session.pk, now=timezone.now())
    assert ChangedEtui.objects.count() == 1
    assert computing.refresh(session.pk, now=timezone.now())
    assert_kept_from_nothing(session)
