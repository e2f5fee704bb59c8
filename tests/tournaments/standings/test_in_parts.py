"""Standings kept étui by étui equal those computed from nothing, whatever happens in an evening, to the last fraction."""

import random
from decimal import Decimal

import pytest
from django.utils import timezone

from clubs.roster import RosterLine
from clubs.services import add_players
from tests.factories import enter, make_director, make_tournament, started_session
from tests.tournaments.plays.test_state import Evening
from tests.tournaments.standings.keeping import assert_kept_from_nothing, from_nothing, kept
from tournaments.changes.carry_out import change_session, number_of_plan, undo_change
from tournaments.errors import Refused
from tournaments.models import ChangedEtui, EtuiStandings, Play, Session, SessionStandings
from tournaments.plans.starting import start_session, unstart_session
from tournaments.plays import entering, ruling
from tournaments.plays.entering import annul_play
from tournaments.rules.entry import Passed
from tournaments.rules.operations import Arrive, Leave, Resize, Return, Substitute, Swap, WrongEtuis
from tournaments.sessions.running import call_position
from tournaments.standings import computing

pytestmark = pytest.mark.django_db


class WholeEvening(Evening):
    """Whatever is written in an evening, on any of its plays."""

    def __init__(self, session, director, rng):
        super().__init__(session, director)
        self.rng, self.came = rng, 0

    def happen_somewhere(self, deed):
        self.plays = list(self.session.plays.filter(position__lte=3))
        self.happen(deed, self.rng.randrange(len(self.plays)), self.rng.randrange(4))

    def change(self, operation):
        self.session.refresh_from_db()
        seen = number_of_plan(self.session)
        change_session(session_id=self.session.pk, operation=operation, choice=0, seen=seen, **self.said)

    def comes(self):
        self.came += 1
        (player,) = add_players(club=self.session.tournament.club, lines=[RosterLine(f"Venu{self.came}", "")])
        return player.pk

    def pass_out(self, play, variant):
        if self.session.tournament.auction == "free":
            entering.enter_result(play_id=play.pk, entry=Passed(), **self.said)

    def split_within(self, play, variant):
        plays = self.session.plays.filter(etui=play.etui)
        first = plays.filter(position=play.position)[0]
        about = {"session_id": self.session.pk, "etui": play.etui.number, "from_position": play.position}
        ruling.split_etui(**about, before=[first.pk], reason="x", **self.said)

    def penalise(self, play, variant):
        points = Decimal(1 + variant) / 4
        ruling.give_penalty(
            session_id=self.session.pk, entrant_id=play.north_id, points=points, reason="retard", **self.said
        )

    def take_penalty_back(self, play, variant):
        for penalty in self.session.penalties.filter(reverses=None, reversal=None)[:1]:
            ruling.take_back_penalty(session_id=self.session.pk, penalty_id=penalty.pk, reason="x", **self.said)

    def call(self, play, variant):
        self.session.refresh_from_db()
        if self.session.position < self.session.positions:
            call_position(session_id=self.session.pk, position=self.session.position + 1, **self.said)

    def arrive(self, play, variant):
        self.change(Arrive((self.comes(),), after=self.session.position or 1))

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


DEEDS = sorted(
    name
    for name in {*vars(Evening), *vars(WholeEvening)}
    if not name.startswith("_") and name not in {"happen", "happen_somewhere", "said", "sent", "version", "change", "comes"}
    and name not in {"lay_out_as_replay", "stand_in"}  # which write rows past the services
)
OFTEN = [name for name in DEEDS if name.startswith(("enter", "correct"))]


@pytest.mark.parametrize("auction", ["imposed", "free"])
@pytest.mark.parametrize("seed", range(4))
def test_kept_equals_from_nothing_after_whatever_happens(auction, seed):
    rng = random.Random(f"{auction} {seed}")
    tournament = make_tournament(auction=auction)
    session = started_session(tournament, tables=5, positions=5)
    session.entrants.filter(number=2).update(ranked=False)
    Session.objects.filter(pk=session.pk).update(position=1)
    evening = WholeEvening(session, make_director(tournament.club), rng)
    deeds, happened = rng.sample(DEEDS, len(DEEDS)) * 3, 0
    for deed in deeds:
        before = Session.objects.get(pk=session.pk).results_version
        for each in rng.choices(OFTEN, k=3):
            evening.happen_somewhere(each)
        evening.happen_somewhere(deed)
        computing.refresh(session.pk, now=evening.now)
        assert_kept_from_nothing(session)
        happened += Session.objects.get(pk=session.pk).results_version - before
    assert happened > 50
