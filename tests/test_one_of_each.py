"""What could be said in several rooms is said once, or tied together here where no room may ask the other."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from deals.domain.cards import LINES, seats
from scoring.ranking import Line
from tests.test_import_law import MODULES, PROJECT
from texts.decimals import decimal_text
from texts.delimiter import find_delimiter


def modules_that(pattern: str) -> set[str]:
    """The modules whose source says this, as paths of the project; the programs that players run alone are none."""
    said = re.compile(pattern)
    found = {path.relative_to(PROJECT) for path in MODULES.values() if said.search(path.read_text())}
    return {str(path) for path in found if Path("deals/static") not in path.parents}


def test_scoring_and_cards_name_the_same_four_lines_in_the_same_order():
    assert [*map(str, Line)] == [*map(str, LINES)] == [*map(str, seats(4))]


def test_no_third_room_says_what_the_lines_are():
    named = modules_that(r"""\bN = "N"|["']NESW["']|\(["']N["'], ["']E["'], ["']S["']|class (Line|Seat)\b""")
    assert named - {"deals/domain/deal.py"} == {"deals/domain/cards.py", "scoring/ranking.py"}  # a docstring shows them
    assert modules_that(r"""["']north(_id)?["'], ["']east""") == {"tournaments/models/evening.py"}


@pytest.mark.parametrize(
    ("heading", "delimiter"),
    [("a,b", ","), ("a;b", ";"), ("a\tb", "\t"), ("a, x;b;c", ";"), ("a;x,b,c", ","), ("a", ""), ("", "")],
)
def test_delimiter_is_the_commonest_sign_of_the_heading(heading, delimiter):
    assert find_delimiter(heading) == delimiter


def test_nobody_else_looks_for_the_delimiter():
    assert modules_that(r"key=\w+\.count|Sniffer") == {"texts/delimiter.py"}


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(175, 2), 1, "87.5"),
        (Fraction(5645, 100), 1, "56.5"),
        (Fraction(-1, 3), 1, "-0.3"),
        (Fraction(-1, 30), 1, "0.0"),
        (Fraction(-5, 100), 1, "-0.1"),
        (Fraction(1, 2), 0, "1"),
        (Fraction(2, 3), 6, "0.666667"),
        (50, 2, "50.00"),
    ],
)
def test_a_figure_is_rounded_half_away_from_0(value, places, text):
    assert decimal_text(value, places) == text


def test_nobody_else_rounds_a_figure_that_is_shown():
    assert modules_that(r"quantize|number_format|Fraction\(1, 2\)") == {"texts/decimals.py", "scoring/teams.py"}
