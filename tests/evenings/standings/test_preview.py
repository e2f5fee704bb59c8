"""The preview of a ruling: it shows the ranking that the ruling then makes, and leaves nothing in the database."""

import random
from contextlib import suppress
from decimal import Decimal
from functools import partial

import pytest
from django.apps import apps
from django.test import TestCase
from django.utils import timezone

from evenings.plays import entering, ruling
from evenings.plays.penalties import Sanction, give_penalty
from evenings.standings import computing
from evenings.standings.preview import preview_ruling, weigh_up
from tests import shared_evenings
from tests.evenings.standings.test_in_parts import WholeEvening
from tests.examples import draw_seeds
from tests.factories import enter, enter_all, garde, make_director, make_tournament, started_session
from tournaments.models import Penalty, Play, SectionGroup, Session
from tournaments.rules.entry import EntryError

pytestmark = pytest.mark.django_db
RULINGS = ["annul", "restore", "withdraw", "adjust", "rule_on_etui", "split_within", "penalise", "take_penalty_back"]


def rows():
    """Return all rows of all tables."""
    return {
        model._meta.label: sorted(map(repr, model._base_manager.values_list()))
        for model in apps.get_app_config("tournaments").get_models()
    }


def ranking(session):
    return {player["id"]: player for player in computing.compute(session.pk).figures["players"]}


def happen(evening, *what):
    with suppress(EntryError):  # a score needs a taker, and where all passed there is none
        evening.happen(*what)


@pytest.mark.nightly("story")
@pytest.mark.parametrize("auction", ["imposed", "free"])
@pytest.mark.parametrize("seed", draw_seeds(12, fewest=1))
def test_preview_equals_what_applying_gives_and_leaves_nothing(auction, seed):
    rng = random.Random(f"preview {auction} {seed}")
    tournament = make_tournament(auction=auction)
    session = started_session(tournament, tables=5, positions=3, etuis_per_position=2)
    session.entrants.filter(number=2).update(ranked=False)
    Session.objects.filter(pk=session.pk).update(position=3)
    evening = WholeEvening(session, make_director(tournament.club), rng)
    evening.plays = list(session.plays.all())
    enter_all(session, by=evening.director, plays=session.plays.exclude(pk__in=rng.sample(range(99), 9)))
    for deed in rng.choices(RULINGS, k=20):
        if rng.random() < 0.5:  # stored standings may be older than the entries
            computing.refresh(session.pk, now=timezone.now())
        what = deed, rng.randrange(len(evening.plays)), rng.randrange(4)
        rule = partial(happen, evening, *what)
        before = rows()
        with TestCase.captureOnCommitCallbacks() as jobs:
            was, shown = weigh_up(session.pk, rule)
        assert (rows(), jobs) == (before, [])
        assert was == ranking(session)
        rule()
        assert shown == ranking(session)
        assert preview_ruling(session.pk, lambda: None).moving == []


@pytest.mark.nightly("story")
def test_sections_that_are_compared_are_shown_together():
    """Check that a ruling in one section moves the players of the other."""
    tournament = make_tournament()
    director = make_director(tournament.club)
    one, other = (started_session(tournament) for _section in range(2))
    group = SectionGroup.objects.create(tournament=tournament)
    etuis = dict(zip(*(session.deal_set.etuis.order_by("number") for session in (other, one)), strict=False))
    for play in other.plays.select_related("etui"):
        Play.objects.filter(pk=play.pk).update(etui=etuis[play.etui])
    Session.objects.filter(pk__in=(one.pk, other.pk)).update(group=group)
    for session in (one, other):
        enter_all(session, by=director)
    play = one.plays.first()
    annul = partial(entering.annul_play, play_id=play.pk, reason="x", by=director, now=timezone.now())
    was, will_be = weigh_up(one.pk, annul)
    assert was == ranking(one) | ranking(other)
    annul()
    assert will_be == ranking(one) | ranking(other)
    assert {pk for pk in ranking(other) if was[pk] != will_be[pk]}


session = shared_evenings.started


def penalise(session, director, entrant, points, kind=Penalty.PenaltyKind.PENALTY):
    said = {"sanction": Sanction(kind, Decimal(points)), "reason": "retard", "by": director, "now": timezone.now()}
    return partial(give_penalty, session_id=session.pk, entrant_id=entrant, **said)


def test_who_moves_comes_by_the_place_to_come_and_equals_by_name(session, director):
    enter_all(session, by=director)
    players = session.entrants.filter(player__last_name__in=["Nom001", "Nom005"])
    for entrant, name in zip(players, ("Zébu", "Éon"), strict=True):
        entrant.player.last_name = name
        entrant.player.save()
    annul = partial(ruling.annul_etui, session_id=session.pk, etui=1, reason="x", by=director, now=timezone.now())
    told = preview_ruling(session.pk, annul)
    assert told.moving
    places = [(shift.alterne[1] or 99, shift.entrant.player.last_name.replace("É", "E")) for shift in told.moving]
    assert places == sorted(places)
    assert all(shift.moves for shift in told.moving)
    assert not any(shift.moves for shift in told.staying)
    assert all(shift.overall[0] != shift.overall[1] for shift in told.staying)


def test_word_without_weight_moves_nobody(session, director):
    enter_all(session, by=director)
    entrant = session.entrants.first().pk
    told = preview_ruling(session.pk, penalise(session, director, entrant, 0, Penalty.PenaltyKind.WARNING))
    assert (told.moving, told.staying) == ([], [])


def test_player_who_loses_his_only_note_loses_his_place(session, director):
    play = session.plays.select_related("etui").first()
    other = session.plays.select_related("etui").filter(etui=play.etui).exclude(pk=play.pk).first()
    for each in (play, other):
        enter(each, garde(each.etui.taker), by=director)
    annul = partial(entering.annul_play, play_id=play.pk, reason="x", by=director, now=timezone.now())
    lost = [shift for shift in preview_ruling(session.pk, annul).moving if shift.overall[1] is None]
    assert {shift.entrant.pk for shift in lost} == {play.north_id, play.east_id, play.south_id, play.west_id}
    assert {shift.alterne[1] for shift in lost} == {None}


@pytest.mark.nightly("crawl")
@pytest.mark.parametrize("tables", [1, 40, 150])
def test_preview_costs_so_many_queries_in_any_hall(tables, django_assert_max_num_queries):
    session = started_session(tables=tables, positions=1, etuis_per_position=2)
    director = make_director(session.tournament.club)
    enter_all(session, by=director)
    computing.refresh(session.pk, now=timezone.now())
    annul = partial(ruling.annul_etui, session_id=session.pk, etui=1, reason="x", by=director, now=timezone.now())
    with django_assert_max_num_queries(26):
        preview_ruling(session.pk, annul)
