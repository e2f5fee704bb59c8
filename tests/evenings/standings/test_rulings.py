"""The arbiter's rulings in the standings: equal to an independent computation, in any order, fully undone."""

import random
from decimal import Decimal

import pytest
from django.db import transaction
from django.utils import timezone

from evenings.plays import entering, ruling
from evenings.plays.adjusting import adjust_play
from evenings.plays.penalties import Sanction, give_penalty, take_back_penalty
from evenings.standings import computing
from tests.evenings.plays.test_state import Evening
from tests.evenings.standings.independent_rulings import percentages
from tests.evenings.standings.keeping import assert_kept_from_nothing, kept, kept_percentages
from tests.examples import draw_seeds
from tests.factories import enter_all, make_director, make_tournament, started_session
from tournaments.models import Session
from tournaments.rules.entry import AllPassed

pytestmark = [pytest.mark.django_db, pytest.mark.nightly("story")]
AUCTIONS = pytest.mark.parametrize("auction", ["imposed", "free"])
ROUNDS = ("0", "175/2", "better 60", "better 0", "100", "better 175/3")


class Arbiter(Evening):
    """An evening that makes random entries and every kind of ruling on any play."""

    def __init__(self, session, director, rng):
        super().__init__(session, director)
        self.rng, self.plays = rng, list(session.plays.order_by("pk"))

    def pass_out(self, play, variant):
        if self.session.tournament.auction == "free":
            entering.enter_result(play_id=play.pk, entry=AllPassed(), **self.said)

    def decide(self, play, variant):
        notes = {line: self.rng.choice(ROUNDS) for line in self.rng.sample("NESW", 1 + variant)}
        adjust_play(play_id=play.pk, notes=notes, compared=self.rng.random() < 0.5, reason="x", **self.said)

    def assign(self, play, variant):
        taker = "" if self.session.tournament.auction == "imposed" else self.rng.choice("NESW")
        notes = {"N": "better 55"} if variant > 2 else {}
        score = self.rng.choice((30, -120, 46))
        adjust_play(play_id=play.pk, score=score, taker=taker, notes=notes, reason="x", **self.said)

    def sanction(self, play, variant):
        told = Sanction(("penalty", "bonus")[variant % 2], Decimal(1 + variant) / 4, variant and 1 + variant)
        give_penalty(session_id=self.session.pk, entrant_id=play.east_id, sanction=told, reason="x", **self.said)


RULINGS = ["annul", "restore", "decide", "assign", "set_aside", "withdraw", "rule_on_etui", "sanction", "pass_out"]


@AUCTIONS
@pytest.mark.parametrize("seed", draw_seeds(20, fewest=2))
def test_every_kind_of_ruling_equals_an_independent_computation(auction, seed):
    rng = random.Random(f"rulings {auction} {seed}")
    session = started_session(make_tournament(auction=auction))
    evening = Arbiter(session, make_director(session.tournament.club), rng)
    enter_all(session, by=evening.director, plays=rng.sample(evening.plays, 20))
    for _ in range(4):
        for deed in ["annul", "decide", "assign", *rng.choices(RULINGS, k=9)]:
            evening.happen(deed, rng.randrange(len(evening.plays)), rng.randrange(4))
        replayed = rng.choice(evening.plays)
        session.plays.filter(pk=replayed.pk).update(is_replay=rng.random() < 0.5)
        entering.raise_results_version(session.pk, etuis=[replayed.etui_id])
        computing.refresh(session.pk, now=evening.now)
        assert_kept_from_nothing(session)
        assert kept_percentages(session) == percentages(Session.objects.get(pk=session.pk))
    assert set(session.plays.values_list("rulings__kind", flat=True)) >= {"adjusted", "annulled"}


@AUCTIONS
@pytest.mark.parametrize("seed", draw_seeds(20, fewest=2))
def test_ruling_and_its_reversal_restore_all_that_is_kept(auction, seed):
    rng = random.Random(f"reversal {auction} {seed}")
    session = started_session(make_tournament(auction=auction))
    director = make_director(session.tournament.club)
    evening = Arbiter(session, director, rng)
    enter_all(session, by=director, plays=rng.sample(evening.plays, 20))
    for deed in rng.choices(["annul", "decide", "assign", "set_aside", "sanction"], k=5):
        evening.happen(deed, rng.randrange(len(evening.plays)), rng.randrange(4))
    computing.refresh(session.pk, now=evening.now)
    _version, *before = kept(session)
    said = {"reason": "x", "by": director, "now": timezone.now()}
    for play in rng.sample(evening.plays, 3):
        newest = play.rulings.last()
        notes = {line: rng.choice(ROUNDS) for line in rng.sample("NESW", 2)}
        if newest is None or newest.kind != "adjusted":
            adjust_play(play_id=play.pk, notes=notes, compared=False, seen_ruling=newest.pk if newest else 0, **said)
            computing.refresh(session.pk, now=timezone.now())
            assert kept(session)[1:] != tuple(before)
            entering.restore_play(play_id=play.pk, **said)
    number = rng.randint(1, 5)
    ruling.annul_etui(session_id=session.pk, etui=number, **said)
    ruling.restore_etui(session_id=session.pk, etui=number, **said)
    given = give_penalty(
        session_id=session.pk, entrant_id=evening.plays[0].south_id, sanction=Sanction("bonus", Decimal(2), 3), **said
    )
    take_back_penalty(session_id=session.pk, penalty_id=given.pk, **said)
    computing.refresh(session.pk, now=timezone.now())
    assert kept(session)[1:] == tuple(before)


@AUCTIONS
@pytest.mark.parametrize("seed", draw_seeds(10, fewest=2))
def test_order_of_entries_and_rulings_changes_nothing(auction, seed):
    rng = random.Random(f"order {auction} {seed}")
    session = started_session(make_tournament(auction=auction))
    director = make_director(session.tournament.club)
    said = {"by": director, "now": timezone.now()}
    plays = list(session.plays.select_related("etui"))
    decided = {play.pk: {line: rng.choice(ROUNDS) for line in "NE"} for play in rng.sample(plays, 4)}
    steps = [("enter", play) for play in plays] + [("decide", play) for play in plays if play.pk in decided]
    found = []
    for order in (steps, rng.sample(steps, len(steps))):
        with transaction.atomic():
            for step, play in order:
                if step == "enter":
                    enter_all(session, by=director, plays=[play])
                else:
                    adjust_play(play_id=play.pk, notes=decided[play.pk], reason="x", **said)
            computing.refresh(session.pk, now=timezone.now())
            found.append(kept(session)[1:])
            transaction.set_rollback(True)
    assert found[0] == found[1]
