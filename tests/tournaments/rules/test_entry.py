"""The entries that a table may send: scores, marks and questions of each kind of entry, without a database."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.contract import Chelem, Contract, DealResult, Poignee, ScoringError, Side
from scoring.formats import FREE_AUCTION, FREE_AUCTION_3, FREE_AUCTION_5, FREE_DEALS, INDIVIDUAL, TEAM_MATCH
from scoring.ranking import Line
from tournaments.rules.entry import (
    AllPassed,
    Bout,
    EntryError,
    Facts,
    Fiche,
    GameSheet,
    ask_about_entry,
    attacker_of,
    base_score,
    check_entry_rules,
    partner_of,
    seat_entry,
    seat_marks,
    taker_of,
)

EXAMPLE = DealResult(4, Contract.GARDE, 2, 98, Side.ATTACK, (Poignee.SIMPLE,))
SHEET = GameSheet((("N", 120), ("E", -40), ("S", -40), ("W", -40)))


def test_facts_give_the_federation_score():
    assert base_score(Facts(Line.N, EXAMPLE)) == 106


def test_fiche_gives_its_figure_and_four_passes_give_nothing():
    assert (base_score(Fiche(Line.E, -42)), base_score(AllPassed())) == (-42, 0)


def test_taker_is_named_except_where_all_passed():
    assert (taker_of(Fiche(Line.E, 4)), taker_of(AllPassed())) == (Line.E, None)


@pytest.mark.parametrize("entry", [Facts("F", EXAMPLE, None, 7, "N"), Fiche("F", 4, 7, "N")], ids=["facts", "fiche"])
def test_partner_and_attacker_are_read_from_facts_and_fiches_only(entry):
    assert (taker_of(entry), partner_of(entry), attacker_of(entry)) == ("F", "N", 7)
    for other in (AllPassed(), SHEET):
        assert (taker_of(other), partner_of(other), attacker_of(other)) == (None, None, None)


@given(st.sampled_from([*Line, None]), st.integers(-2000, 2000))
def test_marks_of_the_four_lines_sum_to_zero(taker, score):
    marks = seat_marks(taker, score)
    assert sum(marks.values()) == 0
    assert [line for line in Line if marks[line] == 3 * score != 0] == ([taker] if taker and score else [])


@pytest.mark.parametrize(
    ("seats", "partner", "score", "marks"),
    [
        ("NES", None, 50, (100, -50, -50)),
        ("NESW", None, 50, (150, -50, -50, -50)),
        ("NESWF", "N", 50, (200, -50, -50, -50, -50)),
        ("NESWF", "F", 50, (100, -50, -50, -50, 50)),
        ("NESWF", "E", -50, (-100, -50, 50, 50, 50)),
        ("NESWF", "F", 0, (0, 0, 0, 0, 0)),
    ],
)
def test_each_defender_pays_the_taker_and_a_partner_wins_as_much_as_one_pays(seats, partner, score, marks):
    assert seat_marks("N", score, seats, partner) == dict(zip(seats, marks, strict=True))


def refusal_of(check, *given, **told):
    with pytest.raises(EntryError) as caught:
        check(*given, **told)
    return caught.value.code, caught.value.field, caught.value.params


@pytest.mark.parametrize(
    "make",
    [
        lambda taker, partner: Facts(taker, EXAMPLE, None, None, partner),
        lambda taker, partner: Fiche(taker, 106, None, partner),
    ],
    ids=["facts", "fiche"],
)
def test_entry_where_tables_deal_names_only_those_who_play(make):
    refused = {
        ("NES", "W", None): ("taker_not_there", "taker", {"taker": "W"}),
        ("NESW", "N", "E"): ("partner_not_five", "partner", {}),
        ("NESWF", "N", None): ("partner_missing", "partner", {}),
        ("NESWF", "N", "G"): ("partner_not_there", "partner", {"partner": "G"}),
    }
    assert {told: refusal_of(seat_entry, make(*told[1:]), told[0]) for told in refused} == refused
    for seats, partner, called in (
        ("NES", None, None),
        ("NESW", None, None),
        ("NESWF", "N", False),
        ("NESWF", "F", True),
    ):
        seated = seat_entry(make("N", partner), seats)
        result = getattr(seated, "result", None)
        assert seated == (replace(make("N", partner), result=result) if result else make("N", partner))
        assert result in (None, replace(EXAMPLE, players=len(seats), partner=called))


def test_deal_that_all_passed_is_seated_as_it_is():
    assert seat_entry(AllPassed(), "NESW") == AllPassed()


def test_sheet_has_each_player_once_and_sums_to_zero():
    assert (seat_entry(SHEET, "NESW"), SHEET.by_seat) == (SHEET, {"N": 120, "E": -40, "S": -40, "W": -40})
    for seats in ("NES", "NESWF", "NESF"):
        assert refusal_of(seat_entry, SHEET, seats) == ("sheet_seats", "marks", {})
    assert refusal_of(seat_entry, GameSheet((*SHEET.marks, ("N", 0))), "NESW") == ("sheet_seats", "marks", {})
    more = GameSheet((("N", 130), *SHEET.marks[1:]))
    assert refusal_of(seat_entry, more, "NESW") == ("sheet_sum", "marks", {"sum": 10})


@pytest.mark.parametrize(
    ("format", "entry", "refusal"),
    [
        (FREE_DEALS, AllPassed(), ("dealt_again", "contract", {})),
        (FREE_AUCTION, SHEET, ("sheet_elsewhere", "marks", {})),
        (FREE_AUCTION, Fiche("N", 106, None, "E"), ("partner_not_five", "partner", {})),
        (FREE_AUCTION_3, Facts("N", EXAMPLE), ("players_of_etui", "players", {"size": 3})),
        (FREE_AUCTION_5, Facts("N", EXAMPLE), ("players_of_etui", "players", {"size": 5})),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_format_refuses_what_only_other_tables_enter(format, entry, refusal):
    assert refusal_of(check_entry_rules, entry, format=format, etui_taker=None) == refusal


@pytest.mark.parametrize("entry", [SHEET, Fiche("N", 106, None, "E"), Fiche("N", 106)], ids=["sheet", "five", "four"])
def test_tables_that_deal_may_enter_a_sheet_and_a_partner(entry):
    check_entry_rules(entry, format=FREE_DEALS, etui_taker=None)


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


def test_error_of_an_entry_names_its_values_in_a_log_and_to_people():
    error = EntryError("sheet_sum", "marks", sum=10)
    assert repr(error) == "EntryError('sheet_sum', 'marks', {'sum': 10})"
    assert str(error) == "The marks of a sheet sum to 0, and here they sum to 10: check the marks."


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
