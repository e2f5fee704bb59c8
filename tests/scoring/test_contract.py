"""The score of a deal: the exact examples of the regulation, then properties of every valid result."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.contract import (
    Chelem,
    Contract,
    DealResult,
    Marks,
    Poignee,
    ScoringError,
    Side,
    check_cards,
    find_rules,
    marks,
    possible_base_scores,
    score_deal,
)
from scoring.notation import read_result
from scoring.values import FFT
from tests.scoring.results import golden_rows, is_valid, result, valid_results

SIMPLE = (Poignee.SIMPLE,)


@pytest.mark.parametrize("row", golden_rows("fft_examples.csv"), ids=lambda row: row["source"])
def test_score_deal_gives_the_regulations_examples(row):
    score = score_deal(read_result(row, extra="ignore"))
    expected = (int(row["taker_score"]), int(row["partner_score"]) or None, int(row["defender_score"]))
    assert (score.taker, score.partner, score.defender) == expected


@pytest.mark.parametrize("row", golden_rows("rule_page_examples.csv"), ids=lambda row: row["example"])
def test_score_deal_gives_the_rule_pages_examples(row):
    score = score_deal(read_result(row, extra="ignore"))
    expected = (int(row["base_score"]), int(row["taker"]), int(row["defender"]))
    assert (score.base_score, score.taker, score.defender) == expected


def test_only_four_published_examples_are_arithmetic_that_no_cards_give():
    impossible = []
    for name in ("fft_examples.csv", "rule_page_examples.csv"):
        for row in golden_rows(name):
            try:
                check_cards(read_result(row, extra="ignore"))
            except ScoringError as error:
                impossible.append((row["example"], error.code))
    assert impossible == [
        ("petit au bout ex.1 cas 2", "petit_without_bout"),
        ("petit au bout ex.1 cas 2", "petit_without_bout"),
        ("petit au bout ex.2 cas 1 (128 garde sans chutée)", "petit_without_bout"),
        ("score final, chuté 88", "petit_without_bout"),
    ]


@pytest.mark.parametrize(
    ("deal", "base_score", "made"),
    [
        (result(petit_au_bout=Side.ATTACK, poignees_attack=SIMPLE), 106, True),
        (result(contract=Contract.GARDE_SANS, half_points=90, petit_au_bout=Side.DEFENCE), 76, True),
        (
            result(contract=Contract.PRISE, half_points=68, petit_au_bout=Side.ATTACK, poignees_attack=SIMPLE),
            -42,
            False,
        ),
        (result(half_points=104, poignees_defence=SIMPLE), 92, True),
        (
            result(
                half_points=174,
                chelem=Chelem.ANNOUNCED_MADE,
                poignees_attack=SIMPLE,
                petit_au_bout=Side.ATTACK,
            ),
            582,
            True,
        ),
    ],
)
def test_score_deal_gives_the_base_scores_of_page_9(deal, base_score, made):
    score = score_deal(deal)
    assert (score.base_score, score.made) == (base_score, made)


@pytest.mark.parametrize(("bouts", "target"), [(0, 56), (1, 51), (2, 41), (3, 36)])
def test_score_deal_is_made_from_the_target_of_the_bouts(bouts, target):
    at, below = (score_deal(result(bouts=bouts, half_points=half)) for half in (2 * target, 2 * target - 2))
    assert (at.target, at.made, at.base_score) == (target, True, 50)
    assert (below.target, below.made, below.base_score) == (target, False, -52)


@pytest.mark.parametrize(
    ("contract", "base_score"),
    [(Contract.PRISE, 43), (Contract.GARDE, 86), (Contract.GARDE_SANS, 172), (Contract.GARDE_CONTRE, 258)],
)
def test_score_deal_multiplies_contract_and_petit_by_the_contract(contract, base_score):
    assert score_deal(result(contract=contract, petit_au_bout=Side.ATTACK)).base_score == base_score


@pytest.mark.parametrize(("half_points", "base_score"), [(81, -26), (83, 26), (82, 25), (80, -26), (84, 26)])
@pytest.mark.parametrize(("players", "partner"), [(3, None), (5, True), (5, False)])
def test_score_deal_gives_a_half_point_to_the_winner(players, partner, half_points, base_score):
    deal = DealResult(players, Contract.PRISE, bouts=2, half_points=half_points, partner=partner)
    assert score_deal(deal).base_score == base_score


@pytest.mark.parametrize(
    ("chelem", "contract", "bouts", "half_points", "base_score"),
    [
        (Chelem.ANNOUNCED_MADE, Contract.PRISE, 3, 182, 25 + 55 + 400),
        (Chelem.UNANNOUNCED_MADE, Contract.PRISE, 3, 182, 25 + 55 + 200),
        (Chelem.UNANNOUNCED_MADE, Contract.GARDE_CONTRE, 3, 176, (25 + 52) * 6 + 200),
        (Chelem.ANNOUNCED_FAILED, Contract.PRISE, 3, 172, 25 + 50 - 200),
        (Chelem.ANNOUNCED_FAILED, Contract.GARDE, 0, 60, (-25 - 26) * 2 - 200),
        (Chelem.SUFFERED, Contract.GARDE, 0, 6, (-25 - 53) * 2 - 200),
        (Chelem.ANNOUNCED_SUFFERED, Contract.GARDE, 0, 6, (-25 - 53) * 2 - 400),
    ],
)
def test_score_deal_adds_the_chelem_unmultiplied(chelem, contract, bouts, half_points, base_score):
    deal = result(contract=contract, bouts=bouts, half_points=half_points, chelem=chelem)
    assert score_deal(deal).base_score == base_score


def test_only_a_deal_without_a_chelem_has_nothing_for_it():
    """Check it because the handbook's table of chelems lists those that are worth something."""
    assert [chelem for chelem in Chelem if not FFT.chelems[chelem]] == [Chelem.NONE]


def test_score_deal_made_with_a_failed_chelem_is_made_and_negative():
    score = score_deal(result(contract=Contract.PRISE, half_points=100, chelem=Chelem.ANNOUNCED_FAILED))
    assert (score.made, score.base_score) == (True, 25 + 9 - 200)


@pytest.mark.parametrize(("half_points", "sign"), [(98, 1), (60, -1)])
def test_score_deal_gives_every_poignee_to_the_winner(half_points, sign):
    plain = score_deal(result(half_points=half_points))
    shown = score_deal(result(half_points=half_points, poignees_attack=SIMPLE, poignees_defence=SIMPLE))
    assert shown.base_score == plain.base_score + sign * 40


def test_score_deal_explains_itself_line_by_line():
    score = score_deal(
        result(half_points=104, petit_au_bout=Side.DEFENCE, poignees_defence=SIMPLE, chelem=Chelem.ANNOUNCED_FAILED)
    )
    assert [(line.kind, line.amount, line.params) for line in score.lines] == [
        (
            "contract",
            72,
            {
                "contract": "garde",
                "bouts": 2,
                "half_points": 104,
                "target": 41,
                "made": True,
                "difference": 11,
                "base": 25,
                "coefficient": 2,
            },
        ),
        ("petit_au_bout", -20, {"side": "defence", "bonus": 10, "coefficient": 2}),
        ("poignee", 20, {"poignee": "simple", "side": "defence"}),
        ("chelem", -200, {"chelem": "announced_failed"}),
    ]


@pytest.mark.parametrize(
    ("players", "partner", "expected"),
    [
        (3, None, Marks(212, None, -106)),
        (4, None, Marks(318, None, -106)),
        (5, True, Marks(212, 106, -106)),
        (5, False, Marks(424, None, -106)),
    ],
)
def test_marks_share_a_base_score_over_the_seats(players, partner, expected):
    assert marks(106, players, partner) == expected


@pytest.mark.parametrize(
    ("players", "partner", "code"),
    [(5, None, "partner"), (4, True, "partner"), (4, False, "partner"), (3, False, "partner"), (2, None, "players")],
)
def test_marks_refuse_a_table_that_cannot_be(players, partner, code):
    with pytest.raises(ScoringError) as caught:
        marks(106, players, partner)
    assert caught.value.code == code


def test_find_rules_gives_the_rules_and_refuses_unknown_names():
    assert find_rules("fft") is FFT
    with pytest.raises(ScoringError, match=r"“house” is not a value of rules\. Use one of these: fft"):
        find_rules("house")


@given(valid_results())
def test_marks_sum_to_zero_over_the_table(deal):
    score = score_deal(deal)
    partners = 0 if score.partner is None else 1
    defenders = deal.players - 1 - partners
    assert score.taker + (score.partner or 0) + defenders * score.defender == 0
    assert (score.partner is not None) == bool(deal.partner)


@given(valid_results())
def test_lines_sum_to_the_base_score(deal):
    score = score_deal(deal)
    assert sum(line.amount for line in score.lines) == score.base_score == -score.defender


@given(valid_results(), st.integers(1, 182))
def test_more_points_never_score_less(deal, more):
    better = replace(deal, half_points=deal.half_points + more)
    if is_valid(better):
        assert score_deal(better).base_score >= score_deal(deal).base_score


@given(valid_results())
def test_one_more_bout_never_scores_less(deal):
    better = replace(deal, bouts=deal.bouts + 1)
    if is_valid(better):
        assert score_deal(better).base_score >= score_deal(deal).base_score


@given(valid_results())
def test_the_petit_au_bout_is_worth_ten_times_the_contract(deal):
    scores = {
        side: score_deal(candidate).base_score
        for side in Side
        if is_valid(candidate := replace(deal, petit_au_bout=side))
    }
    bonus = 10 * FFT.coefficients[deal.contract]
    gains = {Side.ATTACK: bonus, Side.NONE: 0, Side.DEFENCE: -bonus}
    assert {side: score - scores[Side.NONE] for side, score in scores.items()} == {side: gains[side] for side in scores}


@given(valid_results())
def test_a_higher_poignee_never_costs_the_winner(deal):
    made = score_deal(deal).made
    bare = replace(deal, poignees_attack=(), poignees_defence=())
    gain = score_deal(deal).base_score - score_deal(bare).base_score
    assert gain >= 0 if made else gain <= 0


@pytest.mark.nightly("statistics")
@settings(deadline=None)  # the first use of each contract counts all of its results
@given(valid_results())
def test_possible_base_scores_hold_every_score_a_result_of_the_cards_gives(deal):
    try:
        check_cards(deal)
    except ScoringError:
        return
    assert score_deal(deal).base_score in possible_base_scores(deal.contract, deal.players)


def test_possible_base_scores_of_a_garde_are_even():
    assert {score for score in possible_base_scores(Contract.GARDE) if score % 2} == set()


def test_possible_base_scores_without_chelem_begin_at_the_target_less_a_lost_petit():
    possible = possible_base_scores(Contract.GARDE, chelems=frozenset({Chelem.NONE}))
    assert (min(score for score in possible if score > 0), max(score for score in possible if score < 0)) == (30, -32)
    # 89 points with three bouts, the petit and the highest poignées, against 5 with no bout and the same bonuses
    assert (max(possible), min(possible)) == ((25 + 53) * 2 + 20 + 40, -(25 + 51) * 2 - 20 - 40)


def test_possible_base_scores_end_at_91_points_petit_and_announced_chelem():
    possible = possible_base_scores(Contract.GARDE)
    assert max(possible) == (25 + 55) * 2 + 20 + 40 + 400


def test_trumps_of_a_poignee_are_those_of_the_rules_for_three_four_and_five():
    trumps = {players: list(needed.values()) for players, needed in FFT.poignee_trumps.items()}
    assert trumps == {3: [13, 15, 18], 4: [10, 13, 15], 5: [8, 10, 13]}
