"""The figures of an étui, from plays that are in no database."""

from collections import Counter
from fractions import Fraction

import pytest

from evenings.plays.entries import FIELDS, to_row
from evenings.standings.computing import rules_of
from evenings.standings.etuis import (
    EtuiFigures,
    Sums,
    add_up,
    describe_fixed,
    exact,
    figure_etuis,
    keep_own,
    part_on,
    write_notes,
)
from scoring.notes import FixedNote
from scoring.plays import ScoringPlay
from scoring.ranking import Line
from tournaments.rules.entry import Fiche
from tournaments.rules.etuis import AFTER, BEFORE, EtuiSplit

HIGH, LOW = Fraction(175, 2), Fraction(25, 2)
SIXTY, BETTER = FixedNote(Fraction(60)), FixedNote(Fraction(60), better=True)


def play(first, score=60, taker="N", part=BEFORE, **how):
    return ScoringPlay(part, (first, first + 1, first + 2, first + 3), taker, score, **how)


def figures():
    """Return four plays: two that are compared, one with fixed notes for N and W, and one without a result."""
    scored = [
        play(1),
        play(5, -60),
        play(9, None, part=(AFTER, 2), fixed=(SIXTY, None, None, BETTER), compared=False),
        play(13, None),
    ]
    notes = [(HIGH, LOW, LOW, LOW), (LOW, HIGH, HIGH, HIGH), None, None]
    return EtuiFigures([21, 22, 23, 24], scored, notes, ["scored", "scored", "annulled", "missing"], is_topped=True)


def test_plays_are_told_with_their_notes_and_the_taker_of_a_score():
    told = figures().plays
    one = {"state": "scored", "taker": "N", "part": BEFORE}
    assert told == {
        "21": one | {"base_score": 60, "notes": {"N": "175/2", "E": "25/2", "S": "25/2", "W": "25/2"}},
        "22": one | {"base_score": -60, "notes": {"N": "25/2", "E": "175/2", "S": "175/2", "W": "175/2"}},
        "23": {
            "state": "annulled",
            "base_score": None,
            "taker": "N",
            "notes": {"N": "60", "E": None, "S": None, "W": "better 60"},
            "part": AFTER,
            "fixed": ["N", "W"],
            "compared": False,
        },
        "24": {"state": "missing", "base_score": None, "taker": None, "notes": None, "part": BEFORE},
    }


def test_fixed_notes_stand_beside_the_notes_of_the_comparison():
    compared = play(1, fixed=(SIXTY, None, None, None))
    notes = {"N": "50", "E": "25/2", "S": "25/2", "W": "25/2"}
    assert describe_fixed(compared, notes) == {"taker": "N", "notes": notes | {"N": "60"}, "fixed": ["N"]}
    open_play = play(1, None, None, fixed=(None, BETTER, None, None), compared=False)
    assert describe_fixed(open_play, None) == {
        "taker": None,
        "notes": {"N": None, "E": "better 60", "S": None, "W": None},
        "fixed": ["E"],
        "compared": False,
    }


def test_notes_and_parts_are_written_as_exact_texts():
    assert write_notes((HIGH, None, LOW, LOW)) == {"N": "175/2", "S": "25/2", "W": "25/2"}
    assert (exact(HIGH), exact(Fraction(0)), exact(None)) == ("175/2", "0", None)
    assert [part_on(key) for key in (BEFORE, (AFTER, 1), (AFTER, 2))] == [BEFORE, AFTER, AFTER]


def test_sums_of_an_etui_count_states_and_players_and_those_of_several_add_up():
    one = figures().sums
    assert one.counts == Counter(scored=2, annulled=1, missing=1)
    assert (one.topped, len(one.tallies)) == (1, 16)
    assert one.tallies[1].attack.numerators == {2: 175}
    assert [fixed for _part, fixed in one.tallies[9].fixed] == [SIXTY]
    begun = Sums(Counter(scored=1), 1, {})
    both = add_up([figures(), figures()._replace(is_topped=False)], begun)
    assert both is begun
    assert both.counts == Counter(scored=5, annulled=2, missing=2)
    assert (both.topped, both.tallies[1].plays) == (2, 2)


def test_own_plays_keep_the_notes_of_the_comparison_with_those_of_others():
    own = keep_own(figures(), {22, 24})
    assert (own.ids, own.states, own.is_topped) == ([22, 24], ["scored", "missing"], True)
    assert own.notes == [(LOW, HIGH, HIGH, HIGH), None]
    assert [each.seats[0] for each in own.scored] == [5, 13]


def test_etui_counts_as_compared_only_for_a_session_with_a_compared_play():
    assert not keep_own(figures(), {23, 24}).is_topped
    assert not keep_own(figures()._replace(is_topped=False), {21}).is_topped
    alone = figures()._replace(scored=[play(1, compared=False), *figures().scored[1:]])
    assert not keep_own(alone, {21}).is_topped
    assert keep_own(figures(), {25}) == EtuiFigures([], [], [], [], is_topped=False)


RULES = rules_of("fft", "individual")


def row(pk, etui, session, score=None, position=1):
    """Return a row of `play_rows`: a play of an étui with its own four players, and a fiche if there is a score."""
    columns = to_row(Fiche(Line.N, score)) if score else dict.fromkeys(FIELDS)
    seats = (4 * pk, 4 * pk + 1, 4 * pk + 2, 4 * pk + 3)
    state = "entered" if score else "todo"
    return (
        pk,
        etui,
        position,
        pk,
        *seats,
        None,
        "",
        state,
        1,
        *(columns[name] for name in FIELDS),
        session,
        None,
        1,
        "fft",
        "individual",
    )


ROWS = [row(1, 31, 7, 60), row(2, 31, 7), row(3, 31, 8, -60), row(4, 32, 8, 60), row(5, 33, 7, 60)]


@pytest.mark.parametrize(("own", "plays"), [(7, {31: [1, 2], 33: [5]}), (8, {31: [3], 32: [4]}), (9, {})])
def test_figures_are_of_the_plays_of_one_session_compared_with_those_of_all(own, plays):
    found = figure_etuis(ROWS, {}, RULES, own)
    assert {etui: list(figures.ids) for etui, figures in found.items()} == plays
    if own != 9:
        high, low = Fraction(100), Fraction(0)
        notes = {7: [(high, low, low, low), None], 8: [(low, high, high, high)]}[own]
        assert (list(found[31].notes), found[31].is_topped) == (notes, True)


def test_figures_of_a_session_alone_are_those_of_all_its_plays():
    alone = [row for row in ROWS if row[-5] == 7]
    found = figure_etuis(alone, {}, RULES, 7)
    assert {etui: list(figures.ids) for etui, figures in found.items()} == {31: [1, 2], 33: [5]}
    assert [figures.is_topped for figures in found.values()] == [False, False]
    assert [figures.states for figures in found.values()] == [["scored", "missing"], ["scored"]]


def test_plays_after_an_alteration_are_compared_in_each_session():
    rows = [row(1, 31, 7, 60), row(2, 31, 7, 60, 2), row(3, 31, 8, -60), row(4, 31, 8, 62, 2)]
    splits = {(7, 31): EtuiSplit(2), (8, 31): EtuiSplit(2)}
    found = figure_etuis(rows, splits, RULES, 7)[31]
    assert [play.etui for play in found.scored] == [BEFORE, (AFTER, 7)]
    assert [notes[0] for notes in found.notes] == [100, 50]  # nobody else played it after the alteration
    whole = figure_etuis(rows, {}, RULES, 7)[31]
    assert [play.etui for play in whole.scored] == [BEFORE, BEFORE]
