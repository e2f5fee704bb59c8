"""The rules of a series as a value: their defaults, their data, what they refuse, and the most that an event brings."""

from fractions import Fraction

import pytest

from scoring.formats import FORMATS, Unit
from scoring.series import PointRules, PointScale, SeriesRules
from scoring.tournament import ResultCounting, TournamentRules
from tournaments.rules.series import TABLE, SeriesSettings, read_settings

DEFAULTS = {
    "brings": "percent",
    "table": [],
    "presence": "0",
    "counting": "sum",
    "best_of": None,
    "least": 1,
    "carry_over": 100,
    "best_of_day": False,
    "chooses": "sessions",
    "format": "",
    "ranks": "alterne",
}
OTHERS = {
    "brings": "table",
    "table": ["10", "15/2", "5"],
    "presence": "1/2",
    "counting": "mean",
    "best_of": 5,
    "least": 3,
    "carry_over": 50,
    "best_of_day": True,
    "chooses": "hand",
    "format": next(iter(FORMATS)),
    "ranks": "general",
}


def test_settings_are_stored_as_data_and_read_again():
    assert SeriesSettings().to_data() == read_settings({}).to_data() == DEFAULTS
    assert read_settings(OTHERS).to_data() == OTHERS


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ({"brings": "glory"}, "unknown word"),
        ({"chooses": "clubs"}, "unknown word"),
        ({"ranks": "line"}, "unknown word"),
        ({"presence": "1"}, "have no points"),
        ({"brings": "marks", "table": ["1"]}, "have no points"),
        ({"brings": "places", "table": ["1"]}, "exactly if the points come from a table"),
        ({"brings": "table"}, "exactly if the points come from a table"),
        ({"carry_over": 101}, "out of its bounds"),
        ({"carry_over": -1}, "out of its bounds"),
        ({"least": 0}, "out of its bounds"),
        ({"best_of": 0}, "out of its bounds"),
        ({"counting": "product"}, "not a valid ResultCounting"),
    ],
)
def test_settings_that_make_no_sense_are_refused(told, why):
    with pytest.raises(ValueError, match=why):
        read_settings(told)


@pytest.mark.parametrize(
    "told",
    [
        *({"brings": brings} for brings in ("percent", "marks", "places", "hundred")),
        *({"chooses": chooses} for chooses in ("sessions", "tournaments", "hand")),
        {"carry_over": 0, "least": 1, "best_of": 1},
    ],
)
def test_settings_may_have_each_of_their_words_and_the_ends_of_their_bounds(told):
    assert read_settings(told).to_data() == DEFAULTS | told


def test_rules_for_scoring_follow_from_the_settings():
    assert SeriesSettings().counted == SeriesRules(None, TournamentRules(), False)
    assert read_settings(OTHERS).counted == SeriesRules(
        PointRules(PointScale.TABLE, (Fraction(10), Fraction(15, 2), Fraction(5)), Fraction(1, 2)),
        TournamentRules(counting=ResultCounting.MEAN, best_of=5, least=3, carry_over=Fraction(1, 2)),
        True,
    )
    assert SeriesSettings(brings="marks").counted.tournament == TournamentRules(missed_is_zero=True)
    assert SeriesSettings(brings="marks", counting="mean").counted.tournament.missed_is_zero is False


@pytest.mark.parametrize(
    ("brings", "unit", "counts"),
    [
        *(("percent", "per_cent", True), ("percent", "marks", False), ("marks", "per_cent", False)),
        *(("marks", "marks", True), ("places", "marks", True), ("hundred", "per_cent", True)),
    ],
)
def test_percentages_and_marks_never_count_together(brings, unit, counts):
    assert SeriesSettings(brings=brings).can_count(Unit(unit)) is counts


@pytest.mark.parametrize(
    ("told", "most"),
    [
        ({"brings": "percent"}, 100),
        ({"brings": "places", "presence": "1"}, 25),
        ({"brings": "hundred", "presence": "1"}, 101),
        ({"brings": TABLE, "table": ["8", "10"], "presence": "1"}, 11),
    ],
)
def test_most_that_an_event_of_24_brings(told, most):
    assert read_settings(told).find_most(24) == most


def test_ranks_below_the_table_get_nothing():
    assert read_settings(OTHERS).find_ranks_without_points(5) == range(4, 6)
    assert SeriesSettings().find_ranks_without_points(5) == range(0)
