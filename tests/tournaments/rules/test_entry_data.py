"""An entry written as data and read again: nothing is lost, and unknown data is refused by name."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.results import FactsOut, TakenFactsIn
from api.shown import PublishedFactsOut
from evenings.plays.entries import FIELDS as ROW_FIELDS
from evenings.plays.entries import to_entry, to_row
from scoring.errors import ScoringError
from scoring.notation import result_to_data
from scoring.ranking import Line
from tests.scoring.results import result, valid_results
from tournaments.models import ResultEntry
from tournaments.rules.entry import (
    FIELDS,
    AllPassed,
    Bout,
    Facts,
    Fiche,
    GameSheet,
    entry_from_data,
    entry_to_data,
    read_marks,
    write_marks,
)

lines = st.sampled_from(Line)
bouts = st.none() | st.frozensets(st.sampled_from(Bout))
facts = st.builds(Facts, lines, valid_results(), bouts)
entries = facts | st.builds(Fiche, lines, st.integers()) | st.just(AllPassed())
SHOWN = entry_to_data(Facts(Line.N, result(), frozenset({Bout.PETIT})))


def told(entry):
    """Return the entry with the names of its bouts, since facts that differ only in these names are equal."""
    return entry, getattr(entry, "attack_bouts", None)


@given(entries)
def test_entry_comes_back_from_its_data(entry):
    data = json.loads(json.dumps(entry_to_data(entry)))
    assert data == entry_to_data(entry)
    assert told(entry_from_data(data)) == told(entry)
    assert entry_to_data(entry_from_data(data)) == data


@given(entries.filter(lambda entry: not isinstance(entry, Facts) or entry.result.players == 4))
def test_entry_comes_back_from_its_row(entry):
    """Check the row too, which has poignées in the order of their names."""
    row = to_row(entry)
    assert to_row(to_entry(row)) == row
    data, back = entry_to_data(entry), entry_to_data(to_entry(row))
    for name in ("poignees_attack", "poignees_defence"):
        if name in data:
            data[name].sort()
    assert back == data


@pytest.mark.parametrize(
    ("entry", "further"),
    [
        (Facts("N", result(players=5, partner=True), partner="F"), {"players": 5, "partner": "F"}),
        (Facts("F", result(players=5, partner=False), partner="F"), {"players": 5, "partner": "F"}),
        (Facts("N", result(players=3)), {"players": 3}),
        (Fiche("F", 106, partner="N"), {"partner": "N"}),
        (GameSheet((("N", 80), ("E", -120), ("F", 40))), {"marks": {"N": 80, "E": -120, "F": 40}}),
    ],
    ids=["called", "alone", "three", "fiche", "sheet"],
)
def test_entry_of_a_table_that_deals_comes_back_from_its_data(entry, further):
    data = json.loads(json.dumps(entry_to_data(entry)))
    fields = {"kind", *FIELDS.get(entry.kind, ())}
    assert {name: value for name, value in data.items() if name not in fields} == further
    assert entry_from_data(data) == entry


def test_marks_of_a_sheet_come_back_from_their_text_and_in_the_order_of_seats():
    marks = {"N": 120, "E": -40, "S": -80, "F": 0}
    assert write_marks(marks) == "N120 E-40 S-80 F0"
    assert read_marks(write_marks(marks)) == marks
    turned = entry_from_data({"kind": "sheet", "marks": dict(reversed(marks.items()))})
    assert turned == GameSheet(tuple(marks.items()))


def test_whoever_lists_the_fields_of_a_result_lists_them_all():
    """Check the columns of rows, the API and the publication; the publication has half points, the API has points."""
    assert {field.name for field in ResultEntry._meta.get_fields()} >= set(ROW_FIELDS)
    in_points = {"half_points": "points"}
    told = {in_points.get(name, name) for name in FIELDS[Facts.kind]}
    # The team's member who took and the taker's partner at five are no facts of the cards.
    assert set(TakenFactsIn().fields) - {"attacker", "partner"} == told
    assert set(FactsOut().fields) - {"made"} == told - {"taker"}
    assert set(PublishedFactsOut().fields) - {"made"} == set(result_to_data(result()))


def test_data_has_the_fields_of_its_kind():
    for entry in (Facts(Line.N, result()), Fiche(Line.N, 106), AllPassed()):
        assert tuple(entry_to_data(entry)) == ("kind", *FIELDS[entry.kind])
    # the bouts are named where they are counted
    assert FIELDS[Facts.kind][:5] == ("taker", "contract", "bouts", "attack_bouts", "half_points")


@pytest.mark.parametrize(
    ("data", "code", "field"),
    [
        ({}, "unknown_value", "kind"),
        ({"kind": ["facts"]}, "unknown_value", "kind"),
        (SHOWN | {"shown_by": []}, "unknown_field", "shown_by"),
        (SHOWN | {"points": 49}, "unknown_field", "points"),
        (SHOWN | {"base_score": 66}, "unknown_field", "base_score"),
        (SHOWN | {"taker": "O"}, "unknown_value", "taker"),
        (SHOWN | {"taker": None}, "unknown_value", "taker"),
        (SHOWN | {"contract": "petite"}, "unknown_value", "contract"),
        (SHOWN | {"chelem": "perhaps"}, "unknown_value", "chelem"),
        (SHOWN | {"petit_au_bout": "N"}, "unknown_value", "petit_au_bout"),
        (SHOWN | {"poignees_defence": ["huge"]}, "unknown_value", "poignees_defence"),
        (SHOWN | {"attack_bouts": ["roi"]}, "unknown_value", "attack_bouts"),
        (SHOWN | {"attack_bouts": "petit"}, "unknown_value", "attack_bouts"),
        (SHOWN | {"half_points": None}, "required", "half_points"),
        (SHOWN | {"half_points": 97.5}, "not_whole", "half_points"),
        ({"kind": "fiche", "taker": "N", "base_score": "106"}, "not_whole", "base_score"),
        ({"kind": "fiche", "taker": "N"}, "not_whole", "base_score"),
        ({"kind": "fiche", "taker": "N", "base_score": 106, "bouts": 2}, "unknown_field", "bouts"),
        ({"kind": "passed", "taker": "N"}, "unknown_field", "taker"),
        ({"kind": "fiche", "taker": "N", "base_score": 106, "partner": "O"}, "unknown_value", "partner"),
        ({"kind": "sheet", "marks": {"N": 0}, "taker": "N"}, "unknown_field", "taker"),
        ({"kind": "sheet"}, "unknown_value", "marks"),
        ({"kind": "sheet", "marks": ["N"]}, "unknown_value", "marks"),
        ({"kind": "sheet", "marks": {"N": 40, "O": -40}}, "unknown_value", "marks"),
        ({"kind": "sheet", "marks": {"N": "40"}}, "not_whole", "marks"),
    ],
    ids=str,
)
def test_data_that_is_not_known_is_refused_by_name(data, code, field):
    with pytest.raises(ScoringError) as caught:
        entry_from_data(data)
    assert (caught.value.code, caught.value.field) == (code, field)
