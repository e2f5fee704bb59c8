"""The entries that a table may send: scores, marks and questions of each kind of entry, without a database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.contract import Chelem, Contract, DealResult, Poignee, ScoringError, Side
from scoring.formats import FREE_AUCTION, INDIVIDUAL, TEAM_MATCH
from scoring.ranking import Line
from tournaments.rules.entry import (
    AllPassed,
    Bout,
    EntryError,
    Facts,
    Fiche,
    GameSheet,
    ask_about_entry,
    base_score,
    check_entry_rules,
    seat_entry,
    seat_marks,
    taker_of,
)

EXAMPLE = DealResult(4, Contract.GARDE, 2, 98, Side.ATTACK, (Poignee.SIMPLE,))


def test_facts_give_the_federation_score():
    assert base_score(Facts(Line.N, EXAMPLE)) == 106


def test_fiche_gives_its_figure_and_four_passes_give_nothing():
    assert (base_score(Fiche(Line.E, -42)), base_score(AllPassed())) == (-42, 0)


def test_taker_is_named_except_where_all_passed():
    assert (taker_of(Fiche(Line.E, 4)), taker_of(AllPassed())) == (Line.E, None)


@given(st.sampled_from([*Line, None]), st.integers(-2000, 2000))
def test_marks_of_the_four_lines_sum_to_zero(taker, score):
    marks = seat_marks(taker, score)
    assert sum(marks.values()) == 0
    assert [line for line in Line if marks[line] == 3 * score != 0] == ([taker] if taker and score else [])


def test_free_auction_refuses_nothing_but_impossible_facts():
    entries = [*(Facts(Line.W, DealResult(4, contract, 2, 98)) for contract in Contract), Fiche(Line.S, 3), AllPassed()]
    assert [check_entry_rules(entry, format=FREE_AUCTION, etui_taker=Line.N) for entry in entries] == [None] * 6
    with pytest.raises(ScoringError, match="at most"):
        check_entry_rules(Facts(Line.W, DealResult(4, Contract.PRISE, 0, 182)), format=FREE_AUCTION, etui_taker=Line.N)


def test_error_names_its_field_and_figures():
    with pytest.raises(EntryError) as caught:
        check_entry_rules(Fiche(Line.E, 106), format=INDIVIDUAL, etui_taker=Line.N)
    assert (caught.value.field, caught.value.params) == ("taker", {"taker": Line.E, "etui_taker": Line.N})


@pytest.mark.parametrize(
    ("entry", "code", "field", "params"),
    [
        (AllPassed(), "pass_not_allowed", "contract", {}),
        (Fiche(Line.N, 2001), "fiche_range", "base_score", {"most": 2000}),
        (Fiche(Line.N, -2001), "fiche_range", "base_score", {"most": 2000}),
        (Facts(Line.N, DealResult(3, Contract.GARDE, 2, 98)), "four_players_only", "players", {}),
        (Facts(Line.N, DealResult(4, Contract.PRISE, 2, 98)), "contract_not_imposed", "contract", {}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_entry_that_the_format_forbids_is_refused(entry, code, field, params):
    with pytest.raises(EntryError) as caught:
        check_entry_rules(entry, format=INDIVIDUAL, etui_taker=Line.N)
    assert (caught.value.code, caught.value.field, caught.value.params) == (code, field, params)


def test_biggest_fiche_is_accepted():
    for score in (2000, -2000):
        check_entry_rules(Fiche(Line.N, score), format=INDIVIDUAL, etui_taker=Line.N)


@pytest.mark.parametrize(
    ("marks", "code"), [(29_999, None), (-29_999, None), (30_000, "sheet_range"), (-30_000, "sheet_range")]
)
def test_sheet_shows_fewer_than_30_000_marks(marks, code):
    sheet = GameSheet((("N", marks), ("E", -marks)))
    if code is None:
        assert seat_entry(sheet, "NE") == sheet
    else:
        with pytest.raises(EntryError) as caught:
            seat_entry(sheet, "NE")
        assert (caught.value.code, caught.value.params) == (code, {"most": 29_999})


def test_error_of_an_entry_names_its_values_in_a_log():
    assert repr(EntryError("sheet_sum", "marks", sum=10)) == "EntryError('sheet_sum', 'marks', {'sum': 10})"


def asked(entry, played=INDIVIDUAL):
    return [question.code for question in ask_about_entry(entry, format=played)]


def test_plausible_entry_asks_nothing():
    assert asked(Facts(Line.N, EXAMPLE)) == asked(Fiche(Line.N, 106)) == asked(AllPassed(), FREE_AUCTION) == []


def test_figure_that_a_garde_cannot_give_is_questioned():
    assert asked(Fiche(Line.N, 51)) == ["base_score_impossible"]


def test_figure_that_some_contract_gives_is_not_questioned_in_a_free_auction():
    assert asked(Fiche(Line.N, 51), FREE_AUCTION) == []
    (question,) = ask_about_entry(Fiche(Line.N, 3), format=FREE_AUCTION)
    assert (question.code, question.params["contract"]) == ("base_score_impossible", Contract.PRISE)


def test_chelem_is_questioned():
    assert "chelem" in asked(Facts(Line.N, DealResult(4, Contract.GARDE, 2, 174, chelem=Chelem.ANNOUNCED_MADE)))


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (DealResult(4, Contract.GARDE, 0, 98, Side.ATTACK), "petit_without_bout"),
        (DealResult(4, Contract.GARDE, 3, 98, Side.DEFENCE), "petit_without_bout"),
        (DealResult(4, Contract.GARDE, 0, 156), "trick_for_each"),
        (DealResult(4, Contract.GARDE, 2, 24), "trick_for_each"),
    ],
)
def test_entry_refuses_what_the_arithmetic_scores_but_no_cards_give(result, code):
    facts = Facts(Line.N, result)
    assert base_score(facts)  # such results stored earlier still count
    with pytest.raises(ScoringError) as caught:
        check_entry_rules(facts, format=INDIVIDUAL, etui_taker=Line.N)
    assert caught.value.code == code


def named(*bouts, count=None, petit=Side.NONE):
    result = DealResult(4, Contract.GARDE, len(bouts) if count is None else count, 98, petit)
    return Facts(Line.N, result, frozenset(bouts))


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        (named(Bout.TRUMP_21, count=2), "bouts_disagree"),
        (named(Bout.TRUMP_21, Bout.EXCUSE, petit=Side.ATTACK), "petit_elsewhere"),
        (named(Bout.TRUMP_21, Bout.PETIT, petit=Side.DEFENCE), "petit_elsewhere"),
    ],
)
def test_bouts_named_agree_with_their_number_and_with_the_petit_au_bout(facts, code):
    with pytest.raises(EntryError) as caught:
        check_entry_rules(facts, format=INDIVIDUAL, etui_taker=Line.N)
    assert caught.value.code == code


def test_bouts_named_do_not_make_another_result():
    assert named(Bout.TRUMP_21) == named(Bout.EXCUSE) == Facts(Line.N, DealResult(4, Contract.GARDE, 1, 98))
    check_entry_rules(named(Bout.TRUMP_21, Bout.PETIT, petit=Side.ATTACK), format=INDIVIDUAL, etui_taker=Line.N)


def test_taker_of_a_team_match_plays_every_contract_but_a_prise():
    for contract in TEAM_MATCH.contracts:
        check_entry_rules(Facts(Line.S, DealResult(4, contract, 2, 98)), format=TEAM_MATCH, etui_taker=Line.N)
    for entry, code in (
        (Facts(Line.S, DealResult(4, Contract.PRISE, 2, 98)), "contract_barred"),
        (AllPassed(), "pass"),
    ):
        with pytest.raises(EntryError) as caught:
            check_entry_rules(entry, format=TEAM_MATCH, etui_taker=Line.N)
        assert caught.value.code.startswith(code)


def test_figure_that_only_a_prise_gives_is_questioned_in_a_team_match():
    assert asked(Fiche(Line.S, 27), TEAM_MATCH) == ["base_score_impossible"]
    assert asked(Fiche(Line.S, 162), TEAM_MATCH) == asked(Fiche(Line.S, 54), TEAM_MATCH) == []
