"""The ways of rating that are compared with the site's: their figures, and that the site does not need openskill."""

from pathlib import Path

import pytest

from bench.other_ratings import rate_by_one_strength, rate_by_openskill, solve
from bench.rating import ETUIS, SimulatedField, find_ratings
from tests.law.packages import MODULES

PROJECT = Path(__file__).parents[2]


@pytest.mark.nightly("story")
def test_table_has_every_way_of_rating():
    found = SimulatedField(1).compare_ways(4)
    assert list(found) == ["mean %", "openskill", "one strength", "rating"]
    assert all(0.3 < each <= 1 for each in found.values())


@pytest.mark.nightly("story")
def test_only_openskill_depends_on_the_order_of_sessions():
    etuis = list(SimulatedField(1).play(3))
    turned = [etui for first in (2, 0, 1) for etui in etuis[first * ETUIS : (first + 1) * ETUIS]]
    assert find_ratings(etuis) == find_ratings(turned)
    one, other = rate_by_one_strength(etuis), rate_by_one_strength(turned)
    assert one == pytest.approx(other)
    assert rate_by_openskill(etuis, ETUIS) != pytest.approx(rate_by_openskill(turned, ETUIS))


def test_equations_are_solved():
    assert solve([[4.0, 1.0], [1.0, 3.0]], [1.0, 2.0]) == pytest.approx([1 / 11, 7 / 11])


def test_site_needs_no_openskill():
    assert "openskill==6.2.0 \\" in (PROJECT / "requirements-dev.txt").read_text()
    assert "openskill" not in (PROJECT / "requirements.txt").read_text()
    assert [str(path) for path in MODULES.values() if "import openskill" in path.read_text()] == []
    assert [str(path) for path in MODULES.values() if "from openskill" in path.read_text()] == []
