"""The reading of an entry that a screen sends: its fields, and the refusal of each wrong value."""

import pytest

from evenings.tables.command import read_seat, read_table_entry
from scoring.contract import Contract, DealResult
from scoring.errors import ScoringError
from scoring.plays import Line
from tournaments.errors import ActionRefused
from tournaments.rules.entry import AllPassed, EntryError, Facts, Fiche

FICHE = {"kind": "fiche", "taker": "N", "base_score": 60}
FACTS = {"kind": "facts", "taker": "E", "contract": "garde", "bouts": 2, "half_points": 98}


@pytest.mark.parametrize(
    ("data", "entry"),
    [
        (FICHE, Fiche(Line.N, 60)),
        (FICHE | {"shown_by": "E", "partner": None}, Fiche(Line.N, 60)),
        (FICHE | {"partner": "S"}, Fiche(Line.N, 60, partner="S")),
        (FICHE | {"base_score": 10**6}, Fiche(Line.N, 10**6)),
        (FICHE | {"base_score": -(10**6)}, Fiche(Line.N, -(10**6))),
        (FACTS, Facts(Line.E, DealResult(4, Contract.GARDE, 2, 98))),
        ({"kind": "passed", "partner": "S"}, AllPassed()),
    ],
)
def test_entry_has_the_fields_of_its_kind_and_its_partner(data, entry):
    assert read_table_entry(data) == entry


@pytest.mark.parametrize(
    ("data", "kind", "code", "field"),
    [
        (None, ActionRefused, "command_malformed", "entry"),
        ([FICHE], ActionRefused, "command_malformed", "entry"),
        ({}, ActionRefused, "command_malformed", "kind"),
        ({"kind": "dance"}, ActionRefused, "command_malformed", "kind"),
        ({"kind": ["fiche"]}, ActionRefused, "command_malformed", "kind"),
        (FICHE | {"partner": "X"}, ActionRefused, "command_malformed", "partner"),
        (FICHE | {"base_score": 10**6 + 1}, ActionRefused, "command_malformed", "base_score"),
        (FICHE | {"base_score": -(10**6) - 1}, ActionRefused, "command_malformed", "base_score"),
        (FACTS | {"half_points": 10**6 + 1}, ActionRefused, "command_malformed", "half_points"),
        (FICHE | {"base_score": "60"}, ScoringError, "not_whole", "base_score"),
        (FICHE | {"taker": None}, EntryError, "taker_missing", "taker"),
        (FICHE | {"taker": "X"}, ActionRefused, "command_malformed", "taker"),
        (FICHE | {"taker": 7}, ActionRefused, "command_malformed", "taker"),
    ],
)
def test_entry_that_cannot_be_read_is_refused_by_its_field(data, kind, code, field):
    with pytest.raises(kind) as refused:
        read_table_entry(data)
    assert (type(refused.value), refused.value.code, refused.value.field) == (kind, code, field)


@pytest.mark.parametrize("seat", ["N", "F"])
def test_seat_is_read_by_its_name(seat):
    assert read_seat(seat) == seat


@pytest.mark.parametrize("value", ["", "n", "NE", None, 1, ["N"]])
def test_other_value_is_no_seat(value):
    with pytest.raises(ActionRefused) as refused:
        read_seat(value)
    assert (refused.value.code, refused.value.field) == ("command_malformed", "seat")
