"""The notes on one étui: the regulation's tables, then the plain definition and its invariants."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.notes import complement, topage
from tests.scoring.results import GOLDEN

DUPLICATE = json.loads((GOLDEN / "fft_duplicate.json").read_text(encoding="utf-8"))
scores = st.lists(st.integers(-60, 60), min_size=1, max_size=40)


def plain_topage(scores: list[int]) -> list[Fraction]:
    """Return the notes by the definition, comparing play by play."""
    if len(scores) == 1:
        return [Fraction(50)]
    notes = []
    for index, score in enumerate(scores):
        others = scores[:index] + scores[index + 1 :]
        half_wins = sum(2 if score > other else 1 if score == other else 0 for other in others)
        notes.append(Fraction(100 * half_wins, 2 * len(others)))
    return notes


@pytest.mark.parametrize("example", DUPLICATE["topage_p17_p18"])
def test_topage_gives_the_regulations_example(example):
    notes = topage(example["scores"])
    assert notes == example["taker_percent"]
    assert [complement(note) for note in notes] == example["defender_percent"]


@pytest.mark.parametrize("plays", [5, 11])
def test_topage_steps_evenly_from_100_to_0(plays):
    assert topage(list(range(plays, 0, -1))) == DUPLICATE["notes_p17"][f"played_{plays}"]


def test_topage_shares_between_ties():
    assert topage([60, 60, 10, 60]) == [Fraction(200, 3), Fraction(200, 3), 0, Fraction(200, 3)]
    assert topage([7, 7, 7]) == [50, 50, 50]


def test_topage_of_a_single_play_is_50():
    assert topage([-212]) == [50]


def test_topage_of_no_play_is_empty():
    assert topage([]) == []


@given(scores)
def test_topage_equals_the_plain_definition(scores):
    assert topage(scores) == plain_topage(scores)


@given(scores)
def test_topage_averages_50(scores):
    assert sum(topage(scores)) == 50 * len(scores)


@given(scores)
def test_topage_of_the_opposite_scores_is_the_complement(scores):
    assert topage([-score for score in scores]) == [complement(note) for note in topage(scores)]


@given(scores, st.randoms(use_true_random=False))
def test_topage_follows_its_scores_through_any_order(scores, rng):
    order = list(range(len(scores)))
    rng.shuffle(order)
    notes = topage(scores)
    assert topage([scores[index] for index in order]) == [notes[index] for index in order]


@given(scores)
def test_topage_rises_with_the_score(scores):
    pairs = sorted(zip(scores, topage(scores), strict=True))
    assert [note for _, note in pairs] == sorted(note for _, note in pairs)
