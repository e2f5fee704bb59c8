"""The conversion of entries to the columns of a row and back, without a database."""

from dataclasses import replace

import pytest

from evenings.plays.entries import (
    FIELDS,
    entry_of,
    name_attacker,
    says_the_same,
    shorten_row,
    taker_named,
    to_entry,
    to_row,
)
from scoring.contract import Contract, DealResult
from scoring.ranking import Line
from tournaments.models import Etui, ResultEntry
from tournaments.rules.entry import AllPassed, Bout, Facts, Fiche, GameSheet

FACTS = Facts(Line.W, DealResult(4, Contract.GARDE, 2, 98))
OF_FIVE = Facts(Line.W, DealResult(5, Contract.GARDE, 2, 98, partner=True), partner="N")
OF_THREE = Facts(Line.W, DealResult(3, Contract.GARDE, 2, 98))
FICHE = Fiche(Line.W, 106)
SHEET = GameSheet((("N", 120), ("E", -40), ("S", -40), ("W", -40)))
EMPTY = dict.fromkeys(FIELDS, "") | {"bouts": None, "half_points": None, "fiche_score": None, "players": 4}


@pytest.mark.parametrize(
    "entry",
    [FACTS, OF_FIVE, OF_THREE, FICHE, replace(FACTS, attacker=7), replace(FICHE, attacker=7), AllPassed(), SHEET],
    ids=["facts", "five", "three", "fiche", "facts of a member", "fiche of a member", "passed", "sheet"],
)
def test_an_entry_comes_back_from_its_row(entry):
    assert to_entry(to_row(entry)) == entry


@pytest.mark.parametrize("named", [frozenset(), frozenset({Bout.PETIT, Bout.EXCUSE})], ids=["no bout", "two bouts"])
def test_named_bouts_come_back_from_their_row(named):
    result = DealResult(4, Contract.GARDE, len(named), 98)
    assert to_entry(to_row(Facts(Line.W, result, named))).attack_bouts == named


def test_columns_of_a_sheet_and_of_a_deal_for_five():
    assert to_row(SHEET) == EMPTY | {"kind": "sheet", "marks": "N120 E-40 S-40 W-40"}
    row = to_row(OF_FIVE)
    assert (row["kind"], row["players"], row["partner"], "attacker_id" in row) == ("facts", 5, "N", False)


def test_attacker_is_named_and_taken_away_again():
    named = name_attacker(FACTS, 7)
    assert named == replace(FACTS, attacker=7)
    assert name_attacker(named, 7) is named
    assert name_attacker(named, None) == FACTS
    assert (name_attacker(AllPassed(), 7), name_attacker(SHEET, 7)) == (AllPassed(), SHEET)


def test_bouts_that_the_entry_does_not_name_make_no_difference():
    named = replace(FACTS, attack_bouts=frozenset({Bout.PETIT, Bout.EXCUSE}))
    others = replace(FACTS, attack_bouts=frozenset({Bout.PETIT, Bout.TRUMP_21}))
    assert says_the_same(FACTS, named)
    assert not says_the_same(named, FACTS)
    assert not says_the_same(named, others)
    assert not says_the_same(FICHE, replace(FICHE, base_score=-106))
    assert says_the_same(FICHE, replace(FICHE))


def test_short_row_leaves_out_what_a_table_with_an_etui_has():
    short = {name: value for name, value in to_row(FACTS).items() if name not in {"partner", "players", "marks"}}
    assert shorten_row(to_row(FACTS)) == short
    assert shorten_row(to_row(OF_FIVE)) == short | {"players": 5, "partner": "N"}


def test_row_of_five_without_a_named_partner_has_no_partner():
    row = to_row(replace(OF_FIVE, partner=None))
    assert (row["players"], row["partner"]) == (5, "")


def test_stored_row_gives_its_entry():
    assert entry_of(ResultEntry(**to_row(OF_FIVE))) == OF_FIVE
    assert entry_of(ResultEntry(**to_row(replace(FICHE, attacker=7)))) == replace(FICHE, attacker=7)


def test_etui_names_its_taker_or_nobody():
    assert taker_named(Etui(taker="S")) is Line.S
    assert taker_named(Etui(taker="")) is None
