"""The ranking of teams by the sum of their players' marks: examples computed by hand."""

from fractions import Fraction as F

import pytest

from scoring.free import TeamSum, rank_team_sums

TEAMS = {"red": [F(40), F(-30), F(5)], "blue": [F(10), F(5)], "gold": [F(70), F(-30), F(-30)], "lone": [F(-8)]}


@pytest.mark.parametrize(
    ("drops_worst", "expected"),
    [
        # two teams of 15 share the first rank, and the next one is third
        (False, {"red": (15, 1, None), "blue": (15, 1, None), "gold": (10, 3, None), "lone": (-8, 4, None)}),
        # gold drops the last of two equal marks; a single player keeps the marks
        (True, {"red": (45, 1, 1), "gold": (40, 2, 2), "blue": (10, 3, 1), "lone": (-8, 4, None)}),
    ],
)
def test_teams_are_ranked_by_the_sum_of_the_marks_that_count(drops_worst, expected):
    ranked = rank_team_sums(TEAMS, drops_worst=drops_worst)
    assert ranked == {team: TeamSum(F(total), rank, dropped) for team, (total, rank, dropped) in expected.items()}
    assert list(ranked) == list(expected)  # the best first
