"""The places at a table come from the site: four, and three or five in invented formats."""

from dataclasses import replace

import pytest

from clubs.models import Player
from evenings.standings.etuis import SCORED, EtuiFigures, part_on
from evenings.tables.state import seats_data
from rankings.events.standings_file import scoring_play
from scoring.formats import INDIVIDUAL
from scoring.notes import FixedNote
from scoring.plays import FIFTH, SEATS, ScoringPlay
from scoring.ranking import note_plays
from scoring.teams import find_facing
from tests.evenings.tables.phones import Device, tokens_of
from tests.factories import started_session
from tournaments.models import Entrant, Play, Table
from tournaments.models.seats import (
    SEAT_COLUMNS,
    list_seated,
    make_seat_columns,
    name_seats_by_line,
    read_with_seats,
    reseat,
    sits_at_play,
)
from tournaments.reports.codec import decode
from tournaments.reports.session import ReportedPlay

THREE = replace(INDIVIDUAL, name="three", people=(3, 3), lines=SEATS[:3])
FIVE = replace(INDIVIDUAL, name="five", people=(5, 5), lines=SEATS)
HALF = FixedNote(INDIVIDUAL.attack_weight * 200)


@pytest.mark.parametrize(
    ("seats", "facing"),
    [
        ("NESW", {"N": "S", "E": "W", "S": "N", "W": "E"}),
        ("NES", {"N": "E", "E": "S", "S": "N"}),
        ("NESWF", {"N": "S", "E": "W", "S": "F", "W": "N", "F": "E"}),
        ("", {}),
    ],
)
def test_seats_face_one_another_half_way_around(seats, facing):
    assert find_facing(list(seats)) == facing


@pytest.mark.parametrize(
    ("played", "seats", "takers"),
    [(THREE, (1, 2, 3, None), "NS"), (INDIVIDUAL, (1, 2, 3, 4), "EW"), (FIVE, (1, 2, 3, 4, 5), ("W", FIFTH))],
    ids=["three", "four", "five"],
)
def test_figures_are_written_and_read_again_by_seat(played, seats, takers):
    """Check that the figures of a report give the same play and notes again, with any number of seats."""
    plays = [
        ScoringPlay((1, 1, 0), tuple(who and who + 10 * table for who in seats), taker, 20 * table)
        for table, taker in enumerate(takers)
    ]
    plays[0] = plays[0]._replace(fixed=(HALF, *[None] * (len(seats) - 1)))
    notes = note_plays(plays, played)
    written = EtuiFigures([7, 8], plays, notes, [SCORED] * 2, is_topped=True).plays
    in_report = [
        {"seats": {str(seat): who for seat, who in play.by_seat.items()}, **told, "part": part_on(1)}
        for play, told in zip(plays, written.values(), strict=True)
    ]
    there = [str(seat) for seat, who in zip(SEATS, seats, strict=False) if who]
    assert [list(told["notes"]) for told in in_report] == [there] * 2
    assert in_report[0]["fixed"] == ["N"]
    told_fixed = [told | {"fixed": {seat: told["notes"][seat] for seat in told.get("fixed", ())}} for told in in_report]
    place = {"id": 1, "position": 1, "table": 1}
    read = [scoring_play(9, 1, decode(ReportedPlay, place | told)) for told in told_fixed]
    assert [play.seats for play in read] == [play.seats for play in plays]
    assert [(play.taker, play.base_score, play.fixed) for play in read] == [
        (play.taker, play.base_score, play.fixed) for play in plays
    ]
    assert note_plays([play._replace(etui=1) for play in read], played) == notes


@pytest.mark.parametrize("there", ["NES", "NESW", "NESWF"])
def test_screen_is_told_of_those_who_sit_there_alone(there):
    seated = {seat: Entrant(player=Player(last_name=seat)) for seat in there}
    assert seats_data(seated, by_name=True) == {seat: {"name": seat} for seat in there}


def test_play_with_an_empty_seat_names_three():
    three = [Entrant(pk=pk) for pk in (1, 2, 3)]
    play = Play(north=three[0], east=three[1], south=three[2])
    assert (list(play.seats.values()), play.seat_ids) == (three, {"N": 1, "E": 2, "S": 3})


@pytest.mark.django_db
def test_rows_and_queries_tell_who_sits_where_as_a_play_does():
    session = started_session()
    play = session.plays.order_by("position", "pk").first()
    row = session.plays.values(*SEAT_COLUMNS).get(pk=play.pk)
    there = play.seat_ids
    assert (make_seat_columns(there.values()), list_seated(row)) == (row, [*there.values()])
    assert [*read_with_seats(session.plays.filter(pk=play.pk), "position")] == [((play.position,), there)]
    one = there["W"]
    swapped = reseat(row, {one: there["N"], there["N"]: one})
    assert name_seats_by_line(swapped.values()) == there | {"N": one, "W": there["N"]}
    mine = [each.pk for each in session.plays.all() if one in each.seat_ids.values()]
    assert [*session.plays.filter(sits_at_play(one)).values_list("pk", flat=True)] == mine != []
    tables = Table.objects.filter(plays__in=mine)
    assert {*session.tables.filter(sits_at_play(one, "plays__"))} == {*tables}


def test_row_with_an_empty_seat_has_three():
    row = dict(zip(SEAT_COLUMNS, (1, None, 3, 4), strict=True)) | {"position": 2}
    assert list_seated(row) == [1, 3, 4]
    assert reseat(row, {3: 5}) == row | {SEAT_COLUMNS[2]: 5}
    assert name_seats_by_line((1, None, 3, 4)) == {"N": 1, "S": 3, "W": 4}


@pytest.mark.django_db
def test_state_of_a_table_says_who_faces_whom():
    session = started_session()
    tokens_of(session)
    stops = Device(session.tables.first()).state()["stops"]
    assert {tuple(stop["seats"]) for stop in stops} == {tuple("NESW")}
    assert {tuple(stop["facing"].values()) for stop in stops} == {tuple("SWNE")}
