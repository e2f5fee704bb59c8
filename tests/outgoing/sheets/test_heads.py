"""The heads of tables of files: they are those of the pages, in the unit in which the players are ranked."""

import pytest

from outgoing.sheets.director_tables import label_points
from pages.penalty_forms import UsualPenaltyForm
from scoring.formats import Unit


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize(
    ("unit", "head"),
    [(Unit.PER_CENT, "Percentage points"), (Unit.MATCH_POINTS, "Match points"), (Unit.MARKS, "Marks")],
)
def test_points_of_penalties_are_named_in_the_unit_of_the_ranking(unit, head):
    assert label_points(unit) == head


@pytest.mark.usefixtures("english")
def test_usual_penalty_is_not_of_one_unit():
    field = UsualPenaltyForm()["points"]
    assert field.label == "Points"
    assert all(unit in field.help_text for unit in ("Percentage points", "Match points", "marks"))
