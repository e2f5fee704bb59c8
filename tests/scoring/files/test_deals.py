"""The lines of donnes libres in a standings file: plays, the marks of sheets, problems, and the weights of tables."""

from fractions import Fraction

import pytest

from scoring.files.standings_file import find_deal_problems, read_deal_play, read_weights
from scoring.plays import ScoringPlay

FOUR = {"etui": "3", "N": "Ada", "E": "Bob", "S": "Cyr", "W": "Dan"}
FIVE = FOUR | {"F": "Eva"}
THREE = {seat: name for seat, name in FOUR.items() if seat != "W"}
AT_FOUR, AT_FIVE = ("Ada", "Bob", "Cyr", "Dan"), ("Ada", "Bob", "Cyr", "Dan", "Eva")
SHEET = {"marks_n": "120", "marks_e": "−40", "marks_s": "-40", "marks_w": "-40", "deals": "4"}
ETUI = ("3", "1")


@pytest.mark.parametrize(
    ("cells", "play"),
    [
        (FOUR | {"taker": "n", "base_score": "−56"}, ScoringPlay(ETUI, AT_FOUR, "N", -56)),
        (FOUR | {"part": "2"}, ScoringPlay(("3", "2"), AT_FOUR, None, None)),
        (THREE | {"taker": "E", "base_score": "+30"}, ScoringPlay(ETUI, (*AT_FOUR[:3], None), "E", 30)),
        (
            FIVE | {"taker": "E", "base_score": "30", "partner": "f"},
            ScoringPlay(ETUI, AT_FIVE, "E", 30, partner="F"),
        ),
        (
            FIVE | {"taker": "E", "base_score": "30", "resting": "n"},
            ScoringPlay(ETUI, (None, *AT_FIVE[1:]), "E", 30),
        ),
        (FOUR | SHEET, ScoringPlay(ETUI, AT_FOUR, None, None, marks=(120, -40, -40, -40), deals=4)),
        (
            FIVE | SHEET | {"marks_f": "0", "resting": "F"},
            ScoringPlay(ETUI, AT_FIVE, None, None, marks=(120, -40, -40, -40, 0), deals=4, resting="F"),
        ),
        (
            FIVE | SHEET | {"resting": "F"},
            ScoringPlay(ETUI, (*AT_FOUR, None), None, None, marks=(120, -40, -40, -40, None), deals=4),
        ),
    ],
)
def test_line_of_a_deal_is_read_as_a_play(cells, play):
    assert list(find_deal_problems(7, cells)) == []
    assert read_deal_play(cells) == play


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        (FOUR | {"etui": ""}, "etui"),
        ({"etui": "3", "N": "Ada", "E": "Bob"}, "N"),
        (THREE | {"F": "Eva"}, "N"),
        (THREE | {"taker": "W"}, "taker"),
        (FOUR | {"partner": "F"}, "partner"),
        (FOUR | {"resting": "f"}, "resting"),
        (FOUR | {"taker": "N", "base_score": "1e3"}, "base_score"),
        (FOUR | {"taker": "N", "base_score": "1000000"}, "base_score"),
        (FOUR | {"taker": "N", "base_score": "999999"}, None),
        (FOUR | {"marks_w": "12.5"}, "marks_w"),
        (FIVE | {"marks_f": "x"}, "marks_f"),
        (FOUR | {"base_score": "56"}, "taker"),
        (FOUR | {"taker": "N", "base_score": "56", "marks_n": "168"}, "base_score"),
        (FOUR | {"deals": "0"}, "deals"),
        (FOUR | {"deals": "100"}, "deals"),
        (FOUR | {"deals": "99"}, None),
        (FOUR | {"deals": "-1"}, "deals"),
    ],
)
def test_problem_of_a_line_names_its_column(cells, column):
    found = [(problem.line, problem.column) for problem in find_deal_problems(7, cells)]
    assert found == ([] if column is None else [(7, column)])


def test_weights_of_odd_tables_are_read_by_the_number_of_players():
    weights = {}
    assert list(read_weights(2, {"weight_3": "1.22", "weight_5": "137/100"}, weights)) == []
    assert weights == {3: Fraction("1.22"), 5: Fraction("1.37")}
    assert list(read_weights(2, {"weight_3": ""}, weights)) == []
    assert len(weights) == 2


@pytest.mark.parametrize("text", ["0", "0.0", "heavy", "-1", "1.", "1/0", "1000"])
def test_weight_that_is_no_positive_number_is_a_problem(text):
    weights = {}
    found = [(problem.line, problem.column) for problem in read_weights(2, {"weight_5": text}, weights)]
    assert (found, weights) == ([(2, "weight_5")], {})
