"""The reading of results from named fields: spellings of the API and of the vectors. Other texts are refused."""

import json
from dataclasses import replace
from decimal import Decimal
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.contract import Chelem, Contract, DealResult, Poignee, ScoringError, Side
from scoring.notation import read_result, result_from_data, result_to_data
from tests.scoring.results import valid_results

PLAIN = MappingProxyType({"contract": "garde", "bouts": 2, "points": 49})
SIMPLE, DOUBLE, TRIPLE = Poignee


def read(**fields: object) -> DealResult:
    return read_result({**PLAIN, **fields})


def refusal(**fields: object) -> tuple[str, str]:
    with pytest.raises(ScoringError) as caught:
        read(**fields)
    assert str(caught.value)
    return caught.value.code, caught.value.field


def test_read_result_takes_what_is_absent_as_neutral():
    assert read() == DealResult(4, Contract.GARDE, 2, 98, Side.NONE, (), (), Chelem.NONE, None)


def test_read_result_takes_blank_and_null_as_absent():
    optional = ("players", "petit_au_bout", "poignees_attack", "poignee_defence", "chelem", "partner")
    assert read(**dict.fromkeys(optional, " ")) == read(**dict.fromkeys(optional)) == read()


@pytest.mark.parametrize(
    ("points", "half_points"),
    [
        (49, 98),
        (40.5, 81),
        (Decimal("40.50"), 81),
        ("40.5", 81),
        (" 40,5 ", 81),
        ("+49", 98),
        ("049", 98),
        ("-1", -2),
        ("−1", -2),
        ("92.0", 184),
    ],
)
def test_read_result_reads_points_as_half_points(points, half_points):
    assert read(points=points).half_points == half_points


@pytest.mark.parametrize("points", [40.25, "40,3", Decimal("0.1"), Decimal("40." + "5".ljust(40, "0") + "1")])
def test_read_result_refuses_points_between_half_points(points):
    assert refusal(points=points) == ("not_half", "points")


WRITTEN = [True, False, "many", "4 9", "1e2", "1_0", "0x10", "½", "nan", "9" * 5000, [], {}]
COUNTED = [10**5000, float("nan"), float("inf"), Decimal("sNaN"), Decimal("1E+999999")]


@pytest.mark.parametrize("value", WRITTEN + COUNTED, ids=range(len(WRITTEN + COUNTED)))
@pytest.mark.parametrize("field", ["players", "bouts", "points", "poignee_attack"])
def test_read_result_refuses_what_is_not_a_number(field, value):
    assert refusal(**{field: value}) == ("not_a_number", field)


@pytest.mark.parametrize("field", ["players", "bouts", "poignee_defence"])
def test_read_result_refuses_a_fraction_where_a_count_is_meant(field):
    assert refusal(**{field: "2.5"}) == ("not_whole", field)


@pytest.mark.parametrize(
    ("fields", "attack", "defence"),
    [
        ({"poignees_attack": ["simple"], "poignees_defence": []}, (SIMPLE,), ()),
        ({"poignees_attack": ("simple", "double")}, (SIMPLE, DOUBLE), ()),
        ({"poignees_defence": "simple+double"}, (), (SIMPLE, DOUBLE)),
        ({"poignees_defence": " simple | double "}, (), (SIMPLE, DOUBLE)),
        ({"poignees_defence": "Simple triple"}, (), (SIMPLE, TRIPLE)),
        ({"poignee_attack": 0, "poignee_defence": "3"}, (), (TRIPLE,)),
        ({"poignee_attack": "1", "poignees_defence": ["double"]}, (SIMPLE,), (DOUBLE,)),
        ({"poignee_attack": 2, "poignees_attack": ""}, (DOUBLE,), ()),
    ],
)
def test_read_result_reads_poignees_in_both_spellings(fields, attack, defence):
    deal = read(**fields)
    assert (deal.poignees_attack, deal.poignees_defence) == (attack, defence)


@pytest.mark.parametrize(
    ("value", "partner"),
    [(True, True), (False, False), ("yes", True), ("TRUE", True), ("no", False), ("false", False), ("na", None)],
)
def test_read_result_reads_the_partner(value, partner):
    assert read(players=5, partner=value).partner is partner


def test_read_result_reads_values_whatever_their_case_and_spacing():
    deal = read(contract=" Garde sans ", petit_au_bout="DEFENCE", chelem="announced-failed")
    assert (deal.contract, deal.petit_au_bout, deal.chelem) == (
        Contract.GARDE_SANS,
        Side.DEFENCE,
        Chelem.ANNOUNCED_FAILED,
    )


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"contract": None}, "required", "contract"),
        ({"bouts": ""}, "required", "bouts"),
        ({"points": " "}, "required", "points"),
        ({"contract": "petite"}, "unknown_value", "contract"),
        ({"contract": 2}, "unknown_value", "contract"),
        ({"petit_au_bout": True}, "unknown_value", "petit_au_bout"),
        ({"chelem": ["none"]}, "unknown_value", "chelem"),
        ({"poignees_attack": ["simple", "huge"]}, "unknown_value", "poignees_attack"),
        ({"poignees_attack": [1]}, "unknown_value", "poignees_attack"),
        ({"poignees_defence": 1}, "unknown_value", "poignees_defence"),
        ({"poignee_attack": 4}, "unknown_value", "poignee_attack"),
        ({"poignee_attack": -1}, "unknown_value", "poignee_attack"),
        ({"poignee_attack": 0, "poignees_attack": []}, "duplicate_field", "poignee_attack"),
        ({"poignee_defence": 1, "poignees_defence": "simple"}, "duplicate_field", "poignee_defence"),
        ({"partner": "maybe"}, "unknown_value", "partner"),
        ({"partner": 1}, "unknown_value", "partner"),
        ({"score": 3}, "unknown_field", "score"),
    ],
)
def test_read_result_refuses_what_it_cannot_read(fields, code, field):
    assert refusal(**fields) == (code, field)


def test_read_result_names_the_choices_and_the_value_it_refuses():
    with pytest.raises(ScoringError) as caught:
        read(contract="petite" * 100)
    assert caught.value.params == {
        "value": ("petite" * 100)[:40] + "…",
        "choices": "prise, garde, garde_sans, garde_contre",
    }


def test_read_result_ignores_other_fields_only_when_told():
    assert read_result({**PLAIN, "source": "p. 9", "base_score": "66"}, extra="ignore") == read()


@given(valid_results())
def test_read_result_reads_back_every_valid_result(deal):
    fields = {
        "players": deal.players,
        "contract": str(deal.contract),
        "bouts": deal.bouts,
        "points": deal.half_points / 2,
        "petit_au_bout": str(deal.petit_au_bout),
        "poignees_attack": [str(poignee) for poignee in deal.poignees_attack],
        "poignees_defence": "+".join(deal.poignees_defence),
        "chelem": str(deal.chelem),
        "partner": deal.partner,
    }
    assert read_result(fields) == deal


@given(valid_results())
def test_result_comes_back_from_its_data(deal):
    data = json.loads(json.dumps(result_to_data(deal)))
    assert data == result_to_data(deal)
    assert result_from_data(data) == deal


def test_data_of_a_result_leaves_out_four_players_and_no_partner():
    data = {
        "contract": "garde",
        "bouts": 2,
        "half_points": 98,
        "petit_au_bout": "attack",
        "poignees_attack": ["simple"],
        "poignees_defence": [],
        "chelem": "none",
    }
    shown = replace(read(), petit_au_bout=Side.ATTACK, poignees_attack=(SIMPLE,))
    assert result_to_data(shown) == data
    assert result_to_data(replace(shown, players=5, partner=False)) == data | {"players": 5, "partner": False}
    assert result_from_data(data) == shown


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"points": 49}, "unknown_field", "points"),
        ({"half_points": " "}, "required", "half_points"),
        ({"half_points": 98.5}, "not_whole", "half_points"),
        ({"contract": "petite"}, "unknown_value", "contract"),
    ],
)
def test_data_of_a_result_is_refused_by_its_own_names(changes, code, field):
    with pytest.raises(ScoringError) as caught:
        result_from_data(result_to_data(read()) | changes)
    assert (caught.value.code, caught.value.field) == (code, field)


@pytest.mark.parametrize(
    ("value", "shown"),
    [("x" * 40, "x" * 40), ("x" * 41, "x" * 40 + "…"), (10**40, "…"), (10**5000, "…")],
    ids=["text of 40", "text of 41", "number of 41", "number of 5001"],
)
def test_wrong_value_is_repeated_in_short(value, shown):
    with pytest.raises(ScoringError) as caught:
        read(points=value)
    assert caught.value.params == {"value": shown}


def test_number_has_less_than_ten_digits():
    assert read(points=10**9 - 1).half_points == 2 * 10**9 - 2
    assert refusal(points=10**9) == ("not_a_number", "points")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
names = st.sampled_from(["players", *PLAIN, "petit_au_bout", "poignees_attack", "poignee_defence", "chelem", "partner"])


@given(st.dictionaries(names | st.text(), json_values))
def test_read_result_reads_anything_or_says_what_is_wrong(fields):
    try:
        read_result({**PLAIN, **fields})
    except ScoringError as error:
        sentence = str(error)
    else:
        sentence = "read"
    assert sentence
