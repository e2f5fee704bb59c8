"""The match points between teams: the regulation's examples, and properties of any two scores."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.formats import match_points
from tests.scoring.results import GOLDEN

VECTORS = json.loads((GOLDEN / "fft_duplicate.json").read_text())["quadrettes_PM"]
SCORES = st.integers(-2000, 2000)


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_points_de_match_of_the_regulation(vector):
    assert match_points(vector["attacker"], vector["opposing_attacker"]) == Decimal(str(vector["PM"]))


@given(SCORES, SCORES)
def test_what_one_team_wins_the_other_loses(one, other):
    assert match_points(one, other) == -match_points(other, one)


@given(SCORES, SCORES)
def test_square_is_the_difference_but_for_the_rounding(one, other):
    points = match_points(one, other)
    assert abs(points * points - abs(one - other)) <= Decimal("0.001") * abs(points) + Decimal("0.000001")
    assert points == points.quantize(Decimal("0.001"))
