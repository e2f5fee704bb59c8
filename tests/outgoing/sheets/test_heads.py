"""The heads of tables of files: they are those of the pages, in the unit in which the players are ranked."""

from types import SimpleNamespace

import pytest
from django.utils.translation import override

from outgoing.sheets.field_tables import make_field_table
from outgoing.sheets.ruling_tables import label_points
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


def test_french_file_of_a_simultaneous_has_the_letters_and_heads_of_the_pages():
    figures = dict.fromkeys(("attack", "defence", "overall", "penalty", "rank_general", "rank_alterne", "deals"), 1)
    west = SimpleNamespace(line="W", name="Anne", club="Besançon", **figures)
    report = SimpleNamespace(has_alterne=True, weighted=True, order_rows=lambda by: [], show=lambda rows: [west])
    with override("fr"):
        table = make_field_table(report, "Simultané")
    assert table.rows[0][2] == "O"
    heads = ["Général", "Alterné", "Ligne", "Joueur", "Club", "Donnes", "Attaque (%)", "Défense (%)", "Global (%)"]
    assert [str(column.label) for column in table.columns] == [*heads, "Points retirés"]
