"""The rule of match points below a ranking: in quadrettes the other team loses them, in team matches it has 0."""

from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string

from scoring.formats import find_format


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(("name", "has_nothing"), [("quadrettes", False), ("team_match", True)])
def test_ranking_explains_the_match_points_of_its_own_format(name, has_nothing):
    report = SimpleNamespace(data=SimpleNamespace(format=find_format(name)))
    told = " ".join(render_to_string("ranking/match_points.html", {"report": report}).split())
    assert ("and the other team has 0" in told, "loses as many" in told) == (has_nothing, not has_nothing)
