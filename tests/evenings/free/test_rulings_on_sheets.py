"""The arbiter's rulings on a deal that has the sheet of its game, and a sheet on a deal with a ruling."""

import pytest
from django.utils import timezone

from evenings.plays.adjusting import adjust_play
from evenings.plays.entering import annul_play
from evenings.standings.computing import compute
from tests.factories import enter, make_director
from tests.free_evenings import lay_out_games, plays_at
from tournaments.errors import ActionRefused
from tournaments.rules.entry import BIGGEST_SHEET, EntryError, Fiche, GameSheet

SHEET = GameSheet((("N", 120), ("E", -40), ("S", -40), ("W", -40)))


@pytest.fixture
def plays(db):
    return plays_at(lay_out_games([[[0, 1, 2, 3], [4, 5, 6, 7, 8]]], deals=3, rests={(1, 2, 1): "N"}))


@pytest.fixture
def said(plays):
    by = make_director(plays[0].session.tournament.club)
    return {"reason": "Maldonne", "by": by, "now": timezone.now()}


def told(plays):
    """Return the sums of marks and the deals of those with marks, by starting number."""
    numbers = dict(plays[0].session.entrants.values_list("pk", "number"))
    players = compute(plays[0].session_id).figures["players"]
    return {numbers[each["id"]]: (each["overall"], each["deals"]) for each in players if each["deals"]}


def test_score_is_refused_where_a_sheet_stands(plays, said):
    enter(plays[0], SHEET, by=said["by"])
    with pytest.raises(ActionRefused) as caught:
        adjust_play(play_id=plays[0].pk, score=50, taker="N", **said)
    assert caught.value.code == "score_on_sheet"
    assert told(plays) == {1: ("120", 3), 2: ("-40", 3), 3: ("-40", 3), 4: ("-40", 3)}


def test_marks_take_the_place_of_the_whole_sheet(plays, said):
    enter(plays[0], SHEET, by=said["by"])
    adjust_play(play_id=plays[0].pk, marks={"N": 90, "E": -30, "S": -30, "W": -30}, **said)
    assert told(plays) == {1: ("90", 3), 2: ("-30", 3), 3: ("-30", 3), 4: ("-30", 3)}


def test_marks_for_a_sheet_are_of_everybody_at_the_table(plays, said):
    first = plays_at(plays[0].session, table=2)[0]
    marks = {"N": 40, "E": -10, "S": -10, "W": -10, "F": -10}
    enter(first, GameSheet((*marks.items(),)), by=said["by"])
    with pytest.raises(EntryError) as caught:
        adjust_play(play_id=first.pk, marks={seat: mark for seat, mark in marks.items() if seat != "N"}, **said)
    assert caught.value.code == "sheet_seats"
    adjust_play(play_id=first.pk, marks=marks | {"N": 0}, **said)
    assert told(plays)[5] == ("0", 2)  # North rests in the first of three deals


def test_marks_have_a_limit_and_stand_alone(plays, said):
    marks = {"N": BIGGEST_SHEET, "E": -BIGGEST_SHEET, "S": 0, "W": 0}
    for wrong, code in (
        ({"marks": marks, "score": 0}, "marks_and_score"),
        ({"marks": marks | {"S": BIGGEST_SHEET + 1}}, "sheet_range"),
        ({"marks": marks | {"S": -BIGGEST_SHEET - 1}}, "sheet_range"),
    ):
        with pytest.raises((ActionRefused, EntryError)) as caught:
            adjust_play(play_id=plays[0].pk, **wrong, **said)
        assert caught.value.code == code
    assert adjust_play(play_id=plays[0].pk, marks=marks, **said).marks == marks


@pytest.mark.parametrize("ruled", ["annulled", "adjusted"])
def test_sheet_is_refused_on_a_decided_deal(plays, said, ruled):
    if ruled == "annulled":
        annul_play(play_id=plays[0].pk, **said)
    else:
        adjust_play(play_id=plays[0].pk, score=50, taker="N", **said)
    with pytest.raises(ActionRefused) as caught:
        enter(plays[0], SHEET, by=said["by"])
    assert caught.value.code == "sheet_and_ruling"
    assert enter(plays[1], SHEET, by=said["by"]).covers == 2


def test_score_of_a_single_deal_is_assigned_beside_other_deals(plays, said):
    enter(plays[1], Fiche("N", 30), by=said["by"])
    adjust_play(play_id=plays[1].pk, score=50, taker="N", **said)
    assert told(plays) == {1: ("150", 1), 2: ("-50", 1), 3: ("-50", 1), 4: ("-50", 1)}
