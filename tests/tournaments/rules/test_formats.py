"""The rules and settings about which a format leaves less choice or none, and what a format does not offer."""

from decimal import Decimal

import pytest

from clubs.session_settings import SETTINGS
from scoring.formats import FORMATS, FREE_DEALS, INDIVIDUAL, QUADRETTES, TEAM_MATCH, TRIPLETTES
from tournaments.rules.entry import EntryError
from tournaments.rules.formats import (
    REFUSING,
    bound_setting,
    find_wrong_rule,
    fit_rules,
    fit_session,
    list_bounded,
    list_countings,
    list_settings,
    list_ties,
    require_offered,
)

RULES = {"name": "X", "ties": ["tops", "draw", "best_game"], "counting": "mean", "best_of": 3, "carry_over": 50}
NARROW = {"positions": (4, 4), "etuis_per_position": (4, 6), "coefficient": (1, 1), "stage": ("", "")}
ASKED = {"positions": 5, "etuis_per_position": 12, "coefficient": Decimal("0.5"), "stage": "", "barometer": True}


@pytest.mark.parametrize(
    ("format", "ties", "countings"),
    [
        (INDIVIDUAL, ("attack", "defence", "best_etui", "tops", "draw"), ["mean", "sum"]),
        (TRIPLETTES, ("attack", "defence", "best_etui", "tops", "draw"), ["mean", "sum"]),
        (QUADRETTES, ("draw",), ["sum"]),
        (TEAM_MATCH, ("draw",), ["sum"]),
        (FREE_DEALS, ("best_game", "contracts", "draw"), ["sum"]),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_only_percentages_have_a_mean_and_each_unit_has_its_ties(format, ties, countings):
    assert list_ties(format) == ties
    assert list_countings(format, ["mean", "sum"]) == countings


@pytest.mark.parametrize(
    ("format", "fitted", "wrong"),
    [
        (INDIVIDUAL, {"ties": ["tops", "draw"]}, "ties"),
        (QUADRETTES, {"ties": ["draw"], "counting": "sum"}, "ties"),
        (TEAM_MATCH, {"ties": ["draw"], "counting": "sum", "best_of": None, "carry_over": None}, "ties"),
        (FREE_DEALS, {"ties": ["draw", "best_game"], "counting": "sum"}, "ties"),
    ],
    ids=lambda each: getattr(each, "name", ""),
)
def test_rules_of_a_tournament_are_fitted_to_its_format(format, fitted, wrong):
    assert fit_rules(format, RULES) == RULES | fitted
    assert find_wrong_rule(format, RULES) == wrong
    assert find_wrong_rule(format, RULES | fitted) is None
    for name, value in RULES.items():
        assert find_wrong_rule(format, {name: value}) == (name if name in fitted else None)
        assert fit_rules(format, {name: value}) == {name: fitted.get(name, value)}
    assert fit_rules(format, {"counting": "sum"}) == {"counting": "sum"}


@pytest.mark.parametrize("name", SETTINGS)
def test_match_of_teams_has_four_quarters_of_4_to_6_etuis_and_no_weight(name):
    usual = (SETTINGS[name].least, SETTINGS[name].most)
    assert bound_setting(TEAM_MATCH, name) == NARROW.get(name, usual)
    assert bound_setting(QUADRETTES, name) == usual


def test_session_of_a_match_gets_the_nearest_values_and_shows_no_weight():
    assert list_bounded(TEAM_MATCH) == list(NARROW)
    assert list_bounded(QUADRETTES) == []
    fitted = {"positions": 4, "etuis_per_position": 6, "coefficient": 1, "stage": ""}
    assert fit_session(TEAM_MATCH, ASKED) == ASKED | fitted
    assert fit_session(TEAM_MATCH, {"etuis_per_position": 1}) == {"etuis_per_position": 4}
    assert fit_session(QUADRETTES, ASKED) == ASKED
    assert list_settings(TEAM_MATCH, list(ASKED)) == ["positions", "etuis_per_position", "barometer"]
    assert list_settings(QUADRETTES, list(ASKED)) == list(ASKED)


def test_format_refuses_what_it_does_not_offer_and_knows_each_error():
    with pytest.raises(EntryError) as refused:
        require_offered(INDIVIDUAL.name, EntryError("sheet_elsewhere", "marks"))
    assert refused.value.code == "sheet_elsewhere"
    require_offered(FREE_DEALS.name, EntryError("sheet_elsewhere", "marks"))
    with pytest.raises(KeyError):
        require_offered(INDIVIDUAL.name, EntryError("taker_missing", "taker"))


def test_first_error_whose_subject_the_format_does_not_offer_is_raised():
    errors = EntryError("pass_not_allowed", "contract"), EntryError("dealt_again", "contract")
    found = {}
    for format in FORMATS:
        try:
            require_offered(format, *errors)
        except EntryError as refused:
            found[format] = refused.code
    imposed = dict.fromkeys([name for name, each in FORMATS.items() if each.is_imposed], "pass_not_allowed")
    assert found == imposed | {FREE_DEALS.name: "dealt_again"}


@pytest.mark.parametrize("code", REFUSING)
def test_an_error_is_refused_by_some_formats_and_not_by_all(code):
    assert set() < {*REFUSING[code]} < {*FORMATS}
