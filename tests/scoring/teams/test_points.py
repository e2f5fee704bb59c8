"""The match points between teams: the regulation's examples, and properties of any two scores."""

import json
from decimal import Decimal, localcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.notes import match_points
from tests.scoring.results import GOLDEN

VECTORS = json.loads((GOLDEN / "fft_duplicate.json").read_text())["quadrettes_PM"]
SCORES = st.integers(-2000, 2000)


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_points_de_match_of_the_regulation(vector):
    assert match_points(vector["attacker"], vector["opposing_attacker"]) == Decimal(str(vector["PM"]))


@pytest.mark.parametrize(
    ("difference", "points"),
    [(16, "4.000"), (144, "12.000"), (-10, "-3.162"), (0, "0.000"), (1, "1.000"), (2, "1.414"), (-3, "-1.732")],
)
def test_points_have_three_decimals(difference, points):
    assert str(match_points(difference, 0)) == points


@given(SCORES, SCORES)
def test_what_one_team_wins_the_other_loses(one, other):
    assert match_points(one, other) == -match_points(other, one)


@given(SCORES, SCORES)
def test_square_is_the_difference_but_for_the_rounding(one, other):
    points = match_points(one, other)
    assert abs(points * points - abs(one - other)) <= Decimal("0.001") * abs(points) + Decimal("0.000001")
    assert points == points.quantize(Decimal("0.001"))


def test_points_are_the_nearest_thousandth_of_the_root_for_every_difference():
    """Compare squares of half thousandths, without any root: m is nearest if (2m − 1)² < 4 000 000 d < (2m + 1)²."""
    for difference in range(1, 5000):
        thousandths = int(match_points(difference, 0) * 1000)
        assert (2 * thousandths - 1) ** 2 < 4_000_000 * difference < (2 * thousandths + 1) ** 2


def test_points_do_not_depend_on_the_precision_of_the_process():
    with localcontext() as context:
        context.prec = 2
        assert str(match_points(1234, 0)) == "35.128"
