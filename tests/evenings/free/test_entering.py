"""The entering of deals at tables of three, four and five, and of the sheet of a game."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import (
    SentEntry,
    correct_result,
    enter_result,
    not_played,
    to_be_played,
    withdraw_result,
)
from evenings.plays.entries import entry_of
from evenings.plays.free import count_not_played
from evenings.plays.penalties import Sanction, give_penalty
from evenings.plays.ruling import annul_etui
from evenings.plays.state import PlayState, with_states
from evenings.standings.computing import compute
from scoring.contract import Contract, DealResult
from scoring.errors import ScoringError
from tests.factories import enter, garde, make_director
from tests.free_evenings import lay_out_games, plays_at
from tournaments.errors import ActionRefused, Conflict
from tournaments.models import Play, Ruling
from tournaments.rules.entry import AllPassed, EntryError, Facts, Fiche, GameSheet

SHEET = GameSheet((("N", 120), ("E", -40), ("S", -40), ("W", -40)))


@pytest.fixture
def session(db):
    """Return an evening of one game of three deals: a table of four, one of three and one of five."""
    return lay_out_games([[[0, 1, 2, 3], [4, 5, 6], [7, 8, 9, 10, 11]]], deals=3)


@pytest.fixture
def by(session):
    return make_director(session.tournament.club)


def totals(session):
    """Return the sums of marks by starting number."""
    numbers = dict(session.entrants.values_list("pk", "number"))
    players = compute(session.pk).figures["players"]
    return {numbers[each["id"]]: each["overall"] for each in players if each["overall"] is not None}


def states(plays):
    found = with_states(Play.objects.filter(pk__in=[play.pk for play in plays])).order_by("etui__number")
    return [each.state for each in found]


def facts(taker, *, players, half_points=98, partner=None):
    return Facts(taker, DealResult(players, Contract.GARDE, 2, half_points), partner=partner)


def refused(play, entry, by, code):
    with pytest.raises((EntryError, ScoringError, ActionRefused)) as error:
        enter(play, entry, by=by)
    assert error.value.code == code
    assert not play.entries.exists()


def test_deal_at_each_size_of_table(session, by):
    enter(plays_at(session)[0], garde("S"), by=by)  # 25 + 8, doubled
    enter(plays_at(session, table=2)[0], garde("E"), by=by)
    enter(plays_at(session, table=3)[0], Fiche("F", 66, partner="N"), by=by)
    assert totals(session) == {
        1: "-66",
        2: "-66",
        3: "198",
        4: "-66",
        5: "-66",
        6: "132",
        7: "-66",
        8: "66",
        9: "-66",
        10: "-66",
        11: "-66",
        12: "132",
    }


def test_table_tells_how_many_play(session, by):
    three = enter(plays_at(session, table=2)[0], garde("E"), by=by)
    alone = enter(plays_at(session, table=3)[0], Fiche("F", 66, partner="F"), by=by)
    called = enter(plays_at(session, table=3)[1], facts("N", players=4, half_points=97, partner="W"), by=by)
    assert entry_of(three).result.players == 3
    assert (alone.players, alone.partner) == (5, "F")
    assert entry_of(called) == Facts("N", DealResult(5, Contract.GARDE, 2, 97, partner=True), partner="W")


def test_taker_alone_among_five_has_four_times_the_score(session, by):
    enter(plays_at(session, table=3)[0], Fiche("F", 66, partner="F"), by=by)
    assert totals(session) == {8: "-66", 9: "-66", 10: "-66", 11: "-66", 12: "264"}


def test_four_play_while_one_of_five_rests(db):
    session = lay_out_games([[[0, 1, 2, 3, 4]]], deals=2, rests={(1, 1, 1): "N", (1, 1, 2): "F"})
    by = make_director(session.tournament.club)
    first, second = plays_at(session)
    refused(first, Fiche("N", 50), by, "taker_not_there")
    refused(first, Fiche("E", 50, partner="S"), by, "partner_not_five")
    enter(first, garde("E"), by=by)
    assert totals(session) == {2: "198", 3: "-66", 4: "-66", 5: "-66"}
    enter(second, garde("N"), by=by)
    assert totals(session) == {1: "198", 2: "132", 3: "-132", 4: "-132", 5: "-66"}


@pytest.mark.parametrize(
    ("table", "entry", "code"),
    [
        (1, Fiche("S", 50, partner="N"), "partner_not_five"),
        (1, facts("S", players=4, partner="N"), "partner_not_five"),
        (1, Fiche("F", 50), "taker_not_there"),
        (2, Fiche("W", 50), "taker_not_there"),
        (2, Fiche("N", 50, partner="N"), "partner_not_five"),
        (3, Fiche("S", 50), "partner_missing"),
        (3, facts("S", players=4), "partner_missing"),
        (1, facts("S", players=4, half_points=97), "points_half"),
        (1, AllPassed(), "dealt_again"),
        (1, GameSheet((("N", 2), ("E", 0), ("S", 0), ("W", 0))), "sheet_sum"),
        (1, GameSheet((("N", 40), ("E", -40))), "sheet_seats"),
        (2, SHEET, "sheet_seats"),
        (3, SHEET, "sheet_seats"),
        (1, GameSheet((("N", 90_000), ("E", -30_000), ("S", -30_000), ("W", -30_000))), "sheet_range"),
    ],
)
def test_wrong_entries_are_refused(session, by, table, entry, code):
    refused(plays_at(session, table=table)[0], entry, by, code)


@pytest.mark.nightly("story")
def test_sheet_has_the_marks_of_the_whole_game(session, by):
    plays = plays_at(session)
    row = enter(plays[0], SHEET, by=by)
    assert (row.covers, row.marks, entry_of(row)) == (3, "N120 E-40 S-40 W-40", SHEET)
    assert states(plays) == [PlayState.ENTERED, PlayState.NOT_PLAYED, PlayState.NOT_PLAYED]
    assert totals(session) == {1: "120", 2: "-40", 3: "-40", 4: "-40"}
    assert {each["deals"] for each in compute(session.pk).figures["players"] if each["overall"]} == {3}
    assert enter(plays[0], SHEET, by=by) == row  # the same request twice
    assert [(ruling.author, ruling.device) for ruling in Ruling.objects.all()] == [(by, "")] * 2


def test_sheet_of_a_phone_covers_the_deals_in_the_name_of_the_phone(session):
    (first, *later) = plays_at(session)
    sent = SentEntry("Table 1 · 1", uuid4(), "N")
    enter_result(play_id=first.pk, entry=SHEET, now=timezone.now(), sent=sent)
    rulings = [(ruling.play, ruling.author, ruling.device) for ruling in Ruling.objects.order_by("play")]
    assert rulings == [(play, None, "Table 1 · 1") for play in later]


@pytest.mark.nightly("story")
def test_sheet_goes_on_the_first_deal_without_result(session, by):
    plays = plays_at(session)
    with pytest.raises(ActionRefused) as error:
        enter(plays[1], SHEET, by=by)
    assert error.value.code == "sheet_not_first"
    enter(plays[0], garde("N"), by=by)
    with pytest.raises(Conflict):
        enter(plays[0], SHEET, by=by)
    assert enter(plays[1], SHEET, by=by).covers == 2
    assert totals(session) == {1: "318", 2: "-106", 3: "-106", 4: "-106"}


def test_sheet_over_entered_deals_is_refused(session, by):
    plays = plays_at(session)
    enter(plays[2], garde("N"), by=by)
    refused(plays[0], SHEET, by, "sheet_over_results")
    assert not Ruling.objects.exists()


def test_deal_on_a_sheet_gets_nothing_of_its_own(session, by):
    plays = plays_at(session)
    enter(plays[0], SHEET, by=by)
    now = timezone.now()
    refused(plays[1], garde("N"), by, "deal_on_sheet")
    for act in (
        lambda: not_played(play_id=plays[1].pk, by=by, now=now),
        lambda: adjust_play(play_id=plays[1].pk, score=50, taker="N", reason="Renonce", by=by, now=now),
    ):
        with pytest.raises(ActionRefused) as error:
            act()
        assert error.value.code == "deal_on_sheet"
    assert to_be_played(play_id=plays[1].pk, by=by, now=now) is None
    assert states(plays)[1:] == [PlayState.NOT_PLAYED] * 2


def test_withdrawn_sheet_gives_the_deals_back(session, by):
    plays, now = plays_at(session), timezone.now()
    not_played(play_id=plays[2].pk, by=by, now=now)
    row = enter(plays[0], SHEET, by=by)
    assert row.covers == 2
    assert count_not_played(session) == 1  # the sheet covers the second deal
    withdraw_result(play_id=plays[0].pk, seen_version=1, reason="Mauvaise table", by=by, now=now)
    assert states(plays) == [PlayState.TODO, PlayState.TODO, PlayState.NOT_PLAYED]
    assert totals(session) == {}
    enter(plays[1], garde("N"), by=by)
    assert totals(session) == {1: "198", 2: "-66", 3: "-66", 4: "-66"}


def test_sheet_is_corrected_by_a_sheet(session, by):
    plays, now = plays_at(session), timezone.now()
    enter(plays[0], SHEET, by=by)
    other = GameSheet((("N", 60), ("E", -20), ("S", -20), ("W", -20)))
    row = correct_result(play_id=plays[0].pk, entry=other, seen_version=1, reason="Addition", by=by, now=now)
    assert (row.version, row.covers) == (2, 3)
    assert totals(session) == {1: "60", 2: "-20", 3: "-20", 4: "-20"}
    with pytest.raises(ActionRefused) as error:
        correct_result(play_id=plays[0].pk, entry=garde("N"), seen_version=2, reason="Non", by=by, now=now)
    assert error.value.code == "sheet_and_deals"


def test_arbiter_assigns_a_score_with_partner_or_marks(session, by):
    first, second, _third = plays_at(session, table=3)
    told = {"reason": "Maldonne", "by": by, "now": timezone.now()}
    with pytest.raises(EntryError) as error:
        adjust_play(play_id=first.pk, score=40, taker="N", **told)
    assert error.value.code == "partner_missing"
    adjust_play(play_id=first.pk, score=40, taker="N", partner="W", **told)
    assert totals(session) == {8: "80", 9: "-40", 10: "-40", 11: "40", 12: "-40"}
    marks = {"N": 0, "E": 10, "S": 10, "W": 10, "F": -50}
    adjust_play(play_id=second.pk, marks=marks, **told)
    assert totals(session) == {8: "80", 9: "-30", 10: "-30", 11: "50", 12: "-90"}
    with pytest.raises(ActionRefused) as error:
        adjust_play(play_id=second.pk, notes={"N": "60"}, **told)
    assert error.value.code == "notes_not_fixed"
    with pytest.raises(EntryError) as error:
        adjust_play(play_id=second.pk, marks={"N": 0}, **told)
    assert error.value.code == "sheet_seats"


def test_penalty_takes_marks_off(session, by):
    enter(plays_at(session)[0], garde("N"), by=by)
    entrant = session.entrants.get(number=1)
    told = {"session_id": session.pk, "entrant_id": entrant.pk, "reason": "Retard", "by": by, "now": timezone.now()}
    give_penalty(sanction=Sanction(points=150, position=1), **told)
    assert totals(session)[1] == "48"
    with pytest.raises(ActionRefused) as error:
        give_penalty(sanction=Sanction(points=10_000), **told)
    assert error.value.code == "penalty_range"
    give_penalty(sanction=Sanction(points=9_999), **told)
    assert totals(session)[1] == "-9951"


def test_number_of_a_deal_is_no_etui_to_rule_on(session, by):
    with pytest.raises(ActionRefused) as error:
        annul_etui(session_id=session.pk, etui=1, reason="Jeu abîmé", by=by, now=timezone.now())
    assert error.value.code == "etui_is_a_number"


@pytest.mark.parametrize(
    "columns",
    [{"west": None}, {"resting": "N", "fifth": None}, {"resting": "X"}],
)
def test_database_refuses_an_impossible_table(session, columns):
    play = plays_at(session, table=3)[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        Play.objects.filter(pk=play.pk).update(**columns)
