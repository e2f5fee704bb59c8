"""The plays of an étui as values for scoring: read from rows, and adjusted by the arbiter."""

from fractions import Fraction

import pytest
from django.utils import timezone

from deals.models import Etui
from evenings.plays.entries import FIELDS, to_row
from evenings.standings.etuis import (
    ROW,
    SEATED,
    SESSION,
    Rules,
    adjust,
    adjustments_of,
    describe_marks,
    figure_etui,
    read_scoring_play,
    score_entry,
    spread_notes,
)
from scoring import formats
from scoring.contract import FFT
from scoring.errors import ScoringError
from scoring.notes import FixedNote
from scoring.plays import Line, ScoringPlay
from tests.factories import garde, make_director, started_session
from tournaments.models import Play, Ruling
from tournaments.rules.entry import AllPassed, Fiche, GameSheet
from tournaments.rules.etuis import BEFORE

FOUR, FIVE = (11, 12, 13, 14), (11, 12, 13, 14, 15)
SIXTY = FixedNote(Fraction(60))
PLAYED = ScoringPlay(BEFORE, FOUR, "N", 60)
UNKNOWN = PLAYED._replace(taker=None, base_score=None)
SHEET = GameSheet((("N", 120), ("E", -40), ("S", -40), ("W", -40), ("F", 0)))


def make_row(entry=None, state="entered", people=FOUR, **columns):
    """Return the row of play 3 of étui 31, with a result if there is one."""
    stored = dict.fromkeys(FIELDS) if entry is None else to_row(entry)
    seats = dict(zip(ROW[SEATED], (*people, None), strict=False))
    told = {"id": 3, "etui_id": 31, "position": 1, "table__number": 2, "resting": "", "entry__covers": 1}
    told |= seats | {"state": state} | {f"entry__{name}": stored[name] for name in FIELDS} | columns
    return (*(told[name] for name in ROW), *range(len(SESSION)))


def rule(*, etui="", is_replay=False, **how):
    """Return an adjustment of a play of an étui that names this taker."""
    return Ruling(play=Play(etui=Etui(taker=etui), is_replay=is_replay), **how)


def read(row, format=formats.INDIVIDUAL, adjusted=()):
    return read_scoring_play(row, BEFORE, Rules(FFT, format), dict(adjusted))


@pytest.mark.parametrize(
    ("state", "score"), [("entered", 60), ("confirmed", 60), ("annulled", None), ("later", None), ("todo", None)]
)
@pytest.mark.parametrize("format", [formats.INDIVIDUAL, formats.FREE_DEALS])
def test_score_of_a_row_counts_in_some_states(format, state, score):
    assert read(make_row(Fiche(Line.N, 60), state), format) == PLAYED._replace(base_score=score)


def test_row_that_was_adjusted_gets_the_ruling_on_its_play():
    ruling = rule(etui="N", score=-80)
    adjusted = {3: ruling, 31: rule(etui="N", score=1)}
    row = make_row(Fiche(Line.N, 60), "adjusted")
    assert read(row, adjusted=adjusted) == PLAYED._replace(base_score=-80)
    assert read(make_row(Fiche(Line.N, 60)), adjusted=adjusted) == PLAYED


@pytest.mark.parametrize(
    ("row", "play"),
    [
        (make_row(Fiche(Line.E, 60)), PLAYED._replace(taker="E")),
        (make_row(Fiche(Line.E, 60, partner="F"), people=FIVE), ScoringPlay(BEFORE, FIVE, "E", 60, partner="F")),
        (
            make_row(Fiche(Line.E, 60), people=FIVE, resting="W"),
            ScoringPlay(BEFORE, (11, 12, 13, None, 15), "E", 60),
        ),
        (make_row(people=FIVE, state="todo", resting="F"), ScoringPlay(BEFORE, (*FOUR, None), None, None)),
        (
            make_row(SHEET, people=FIVE, resting="W", entry__covers=4),
            ScoringPlay(BEFORE, FIVE, None, None, marks=(120, -40, -40, -40, 0), deals=4, resting="W"),
        ),
        (
            make_row(GameSheet((("N", 80), ("E", -40), ("S", -40))), people=(11, 12, 13, None)),
            ScoringPlay(BEFORE, (11, 12, 13, None), None, None, marks=(80, -40, -40, None)),
        ),
        (
            make_row(SHEET, "annulled", people=FIVE, resting="W"),
            ScoringPlay(BEFORE, (11, 12, 13, None, 15), None, None),
        ),
    ],
)
def test_row_of_a_table_that_deals_knows_who_rests_and_the_marks_of_a_sheet(row, play):
    assert read(row, formats.FREE_DEALS) == play


# What a ruling changes in a play, by the format, the play as it was, and the ruling.
RULED = [
    (formats.INDIVIDUAL, PLAYED, rule(etui="N", score=-80), {"base_score": -80}),
    (formats.INDIVIDUAL, PLAYED, rule(etui="E", score=-80, taker="W"), {"taker": "E", "base_score": -80}),
    (formats.INDIVIDUAL, PLAYED, rule(etui="N", notes={"E": "60"}), {"fixed": (None, SIXTY, None, None)}),
    (formats.INDIVIDUAL, PLAYED, rule(etui="N", compared=False), {"compared": False}),
    (formats.INDIVIDUAL, PLAYED, rule(etui="N", is_replay=True, score=-80), {"base_score": None}),
    (formats.INDIVIDUAL, PLAYED, rule(etui="N", is_replay=True), {"base_score": None}),
    (formats.FREE_AUCTION, PLAYED, rule(is_replay=True, score=-80), {"taker": None, "base_score": None}),
    (formats.FREE_AUCTION, PLAYED, rule(score=-80, taker="S"), {"taker": "S", "base_score": -80}),
    (formats.FREE_AUCTION, PLAYED, rule(score=0), {"taker": None, "base_score": 0}),
    (formats.FREE_AUCTION, UNKNOWN, rule(taker="S"), {"taker": "S"}),
    (formats.FREE_AUCTION, UNKNOWN, rule(), {}),
    (formats.FREE_AUCTION, PLAYED, rule(taker="S"), {}),
    (formats.FREE_AUCTION, PLAYED._replace(base_score=None), rule(taker="S"), {}),
    (formats.FREE_AUCTION, UNKNOWN._replace(base_score=0), rule(taker="S"), {}),
    (
        formats.TRIPLETTES,
        PLAYED._replace(seats=(1, 2, 2, 2)),
        rule(etui="N", notes={"S": "60"}),
        {"fixed": (None, SIXTY, SIXTY, SIXTY)},
    ),
    (
        formats.FREE_AUCTION_5,
        PLAYED._replace(seats=FIVE, partner="W"),
        rule(notes={"F": "60"}),
        {"fixed": (None, None, None, None, SIXTY)},
    ),
    (
        formats.FREE_AUCTION_5,
        PLAYED._replace(seats=FIVE, partner="W"),
        rule(score=30, taker="E", partner="F"),
        {"taker": "E", "base_score": 30, "partner": "F"},
    ),
    (formats.FREE_AUCTION_5, PLAYED._replace(seats=FIVE, partner="W"), rule(score=30, taker="N"), {"partner": None}),
    (
        formats.FREE_DEALS,
        ScoringPlay(BEFORE, FIVE, "N", 60, partner="W"),
        rule(marks={"N": 120, "E": -40, "S": -40, "W": -40}),
        {"taker": None, "base_score": None, "partner": None, "marks": (120, -40, -40, -40, None)},
    ),
    (
        formats.FREE_DEALS,
        ScoringPlay(BEFORE, FIVE, None, None, marks=(120, -40, -40, -40, 0), deals=4),
        rule(score=-60, taker="W", partner="F"),
        {"taker": "W", "base_score": -60, "partner": "F", "marks": (), "deals": 1},
    ),
    (formats.FREE_DEALS, PLAYED, rule(score=-60, taker="W"), {"taker": "W", "base_score": -60}),
]


@pytest.mark.parametrize(("format", "play", "ruling", "changed"), RULED)
def test_ruling_changes_its_own_values_of_a_play(format, play, ruling, changed):
    found = adjust(play, ruling, Rules(FFT, format))
    score = {} if ruling.score is None or ruling.play.is_replay else {"base_score": ruling.score}
    assert found == play._replace(**(score | changed))


def test_note_of_a_team_stands_on_all_its_seats():
    play = PLAYED._replace(seats=(1, 2, 2, 2))
    assert spread_notes(play, {}) == {}
    assert spread_notes(play, {"N": "40"}) == {"N": "40"}
    assert spread_notes(play, {"W": "60", "N": "40"}) == {"N": "40", "E": "60", "S": "60", "W": "60"}


def test_marks_are_told_by_seat_and_nobody_rests_with_a_mark():
    assert describe_marks(PLAYED) == {"N": 180, "E": -60, "S": -60, "W": -60}
    assert describe_marks(PLAYED._replace(seats=(11, 12, 13, None))) == {"N": 120, "E": -60, "S": -60}
    with_partner = PLAYED._replace(seats=FIVE, partner="F")
    assert describe_marks(with_partner) == {"N": 120, "E": -60, "S": -60, "W": -60, "F": 60}


@pytest.mark.parametrize(
    ("entry", "scored"),
    [(garde("E"), ("E", 66)), (Fiche(Line.W, -52), ("W", -52)), (AllPassed(), (None, 0)), (SHEET, (None, 0))],
)
def test_entry_of_a_row_has_a_taker_and_a_base_score(entry, scored):
    columns = to_row(entry)
    assert score_entry(tuple(columns[name] for name in FIELDS), FFT) == scored


def test_row_without_an_entry_has_no_score():
    assert score_entry((None,) * len(FIELDS), FFT) == (None, None)


@pytest.mark.parametrize(
    ("compared", "topped", "notes"),
    [
        ([True, True, True], True, [100, 50, 0]),
        ([True, True, False], True, [100, 0, None]),
        ([True, False, False], False, [50, None, None]),
    ],
)
def test_etui_is_topped_by_two_compared_plays(compared, topped, notes):
    rows = [make_row(None, "adjusted", tuple(4 * pk + seat for seat in range(4)), id=pk) for pk in range(3)]
    rulings = {pk: rule(etui="N", score=60 - 20 * pk, compared=compared[pk]) for pk in range(3)}
    found = figure_etui(rows, {}, Rules(FFT, formats.INDIVIDUAL), rulings)
    assert (found.ids, found.states, found.is_topped) == ([0, 1, 2], ["scored"] * 3, topped)
    assert [note and note[0] for note in found.notes] == notes


def test_weights_multiply_the_marks_of_odd_tables():
    rows = [make_row(Fiche(Line.N, 60), people=people) for people in (FOUR, (11, 12, 13, None))]
    found = figure_etui(rows, {}, Rules(FFT, formats.FREE_DEALS, {3: Fraction(1, 2)}), {})
    assert list(found.notes) == [(180, -60, -60, -60), (60, -30, -30, None)]


def test_player_on_two_seats_is_refused():
    with pytest.raises(ScoringError):
        figure_etui([make_row(Fiche(Line.N, 60), people=(11, 12, 13, 11))], {}, Rules(FFT, formats.INDIVIDUAL), {})


@pytest.mark.django_db
def test_newest_adjustment_of_each_play_counts():
    session = started_session(tables=3, positions=1)
    first, second = session.plays.order_by("pk")[:2]
    said = {"reason": "x", "author": make_director(session.tournament.club), "ruled_at": timezone.now()}
    newest = [Ruling.objects.create(play=first, kind="adjusted", score=score, **said) for score in (30, 60)][-1]
    Ruling.objects.create(play=second, kind="annulled", **said)
    assert adjustments_of([first.pk, second.pk]) == {first.pk: newest}
    assert adjustments_of([]) == adjustments_of([second.pk]) == {}
