"""The questions about results that are possible but unlikely: each is asked in its case, and not in others."""

import random

import pytest

from scoring.contract import FFT, Chelem, Contract, DealResult, Poignee, Side, score_deal
from scoring.plausibility import Margin, ask_about_result, base_score_questions, read_margin, sheet_questions
from tests.scoring.results import result


def asked(**changes: object) -> list[tuple[str, str]]:
    return [(question.code, question.field) for question in ask_about_result(result(**changes))]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"petit_au_bout": Side.ATTACK, "poignees_attack": (Poignee.DOUBLE,)}, []),
        ({"bouts": 0, "petit_au_bout": Side.DEFENCE}, []),
        ({"bouts": 0, "petit_au_bout": Side.ATTACK}, [("petit_without_bout", "petit_au_bout")]),
        ({"bouts": 3, "petit_au_bout": Side.DEFENCE}, [("petit_without_bout", "petit_au_bout")]),
        ({"bouts": 0, "half_points": 6}, []),
        ({"bouts": 0, "half_points": 4}, [("points_below_ecart", "points")]),
        ({"bouts": 1, "half_points": 12}, [("points_below_ecart", "points")]),
        ({"bouts": 1, "half_points": 14}, []),
        ({"contract": Contract.GARDE_CONTRE, "bouts": 1, "half_points": 8}, []),
        ({"players": 5, "partner": True, "bouts": 0, "half_points": 3}, []),
        ({"players": 5, "partner": True, "bouts": 0, "half_points": 2}, [("points_below_ecart", "points")]),
        ({"bouts": 0, "half_points": 0}, [("points_below_ecart", "points"), ("points_extreme", "points")]),
        ({"contract": Contract.GARDE_CONTRE, "bouts": 0, "half_points": 0}, [("points_extreme", "points")]),
        ({"bouts": 3, "half_points": 182}, [("chelem_not_said", "chelem"), ("points_extreme", "points")]),
        ({"half_points": 174}, [("chelem_not_said", "chelem")]),
        ({"half_points": 170}, []),
        ({"contract": Contract.GARDE_CONTRE, "bouts": 3, "half_points": 176}, [("chelem_not_said", "chelem")]),
        ({"half_points": 174, "chelem": Chelem.ANNOUNCED_MADE}, [("chelem", "chelem")]),
        ({"chelem": Chelem.ANNOUNCED_FAILED}, [("chelem", "chelem")]),
        ({"poignees_attack": (Poignee.DOUBLE,), "bouts": 0, "half_points": 16}, [("poignee_too_few_points", "points")]),
        ({"poignees_attack": (Poignee.DOUBLE,), "bouts": 0, "half_points": 18}, []),
        ({"poignees_attack": (Poignee.SIMPLE,), "bouts": 0, "half_points": 12}, []),
        ({"poignees_defence": (Poignee.DOUBLE,), "half_points": 164}, [("poignee_too_many_points", "points")]),
        ({"poignees_defence": (Poignee.DOUBLE,), "half_points": 162}, []),
        (
            {"poignees_defence": (Poignee.DOUBLE,), "contract": Contract.GARDE_CONTRE, "half_points": 158},
            [("poignee_too_many_points", "points")],
        ),
        ({"poignees_attack": (Poignee.TRIPLE,)}, [("poignee_triple", "poignees_attack")]),
        ({"poignees_defence": (Poignee.TRIPLE,)}, [("poignee_triple", "poignees_defence")]),
    ],
)
def test_questions_ask_about_the_unlikely_and_nothing_else(changes, expected):
    assert asked(**changes) == expected


def test_questions_carry_the_figures_they_ask_about():
    (question,) = ask_about_result(result(bouts=1, half_points=12))
    told = {key: str(value) for key, value in question.params.items()}
    assert told == {"points": "6", "bouts": "1", "contract": "garde", "least": "7"}


@pytest.mark.parametrize(
    ("base_score", "contract", "code"),
    [
        (106, Contract.GARDE, None),
        (-62, Contract.GARDE, None),
        (107, Contract.GARDE, "base_score_impossible"),
        (1000, Contract.GARDE, "base_score_impossible"),
        (318, Contract.GARDE, "base_score_impossible"),
        (12, Contract.GARDE, "base_score_chelem"),
        (582, Contract.GARDE, "base_score_chelem"),
        (107, Contract.PRISE, None),
        (0, Contract.PRISE, "base_score_impossible"),
    ],
)
def test_base_score_questions_ask_about_a_figure_the_contract_hardly_gives(base_score, contract, code):
    found = base_score_questions(base_score, contract)
    assert [question.code for question in found] == ([code] if code else [])
    assert [question.field for question in found] == (["base_score"] if code else [])
    assert [question.params for question in found] == ([{"value": base_score, "contract": contract}] if code else [])


def test_base_score_with_poignees_of_taker_and_partner_is_normal_at_five_only():
    assert base_score_questions(-234, Contract.GARDE, players=5) == ()
    assert [question.code for question in base_score_questions(-234, Contract.GARDE)] == ["base_score_chelem"]


@pytest.mark.parametrize(
    ("mark", "contract", "players", "times"),
    [
        (150, Contract.GARDE, 4, 3),
        (198, Contract.GARDE, 4, 3),
        (-156, Contract.GARDE, 4, 3),
        (81, Contract.PRISE, 4, 3),
        (148, Contract.GARDE, 3, 2),
        (200, Contract.GARDE, 5, 2),
        (232, Contract.GARDE, 5, 4),
    ],
)
def test_mark_of_a_usual_result_in_place_of_its_base_score_is_asked_about(mark, contract, players, times):
    (question,) = base_score_questions(mark, contract, players)
    assert (question.code, question.field) == ("base_score_mark", "base_score")
    told = {"value": mark, "contract": contract, "times": times, "score": mark // times}
    assert question.params == told


@pytest.mark.parametrize(("base_score", "players"), [(130, 4), (120, 4), (-158, 4), (140, 4), (110, 3), (130, 5)])
def test_base_score_that_is_no_rare_multiple_of_three_is_not_asked_about(base_score, players):
    assert base_score_questions(base_score, Contract.GARDE, players) == ()


def sheet_of(rng, players, deals):
    """Return the marks of so many deals, each with another taker and base score."""
    sheet = [0] * players
    for _ in range(deals):
        score, taker = rng.randint(-400, 400), rng.randrange(players)
        sheet = [mark + (score * (players - 1) if place == taker else -score) for place, mark in enumerate(sheet)]
    return sheet


@pytest.mark.parametrize("players", [3, 4])
def test_sheet_with_one_mark_too_high_and_one_too_low_is_asked_about(players):
    rng = random.Random(players)
    for _ in range(100):
        sheet, slip = sheet_of(rng, players, rng.randint(1, 12)), rng.choice([1, 2, 10, 50])
        assert sheet_questions(sheet, players) == ()
        high, low = rng.sample(range(players), 2)
        wrong = [mark + slip * ((place == high) - (place == low)) for place, mark in enumerate(sheet)]
        asked = [(question.code, question.params) for question in sheet_questions(wrong, players)]
        assert asked == [("sheet_remainders", {"players": players})] * (slip % players != 0)


@pytest.mark.parametrize(("sheet", "players"), [((1, 0, 0, -1, 0), 5), ((5, -5, 0, 0, 0), 4), ((1, -1, 0, 0), 3)])
def test_sheet_of_five_or_of_a_table_at_which_somebody_rests_is_not_asked_about(sheet, players):
    assert sheet_questions(sheet, players) == ()


@pytest.mark.parametrize(
    ("score", "points", "petit_lost"),
    [
        (74, 12, False),
        (-74, 12, False),
        (50, 0, False),
        (-52, 1, False),
        (30, 0, True),
        (-48, 9, True),
        (160, 55, False),  # 91 points with three bouts
        (-162, 56, False),  # 0 points without a bout
    ],
)
def test_margin_of_a_garde_is_the_plainest_reading_of_its_figure(score, points, petit_lost):
    assert read_margin(score, Contract.GARDE) == Margin(points, petit_lost)


@pytest.mark.parametrize("score", [0, 10, 51, 162, -164, -50 - 2 * 60, 450])
def test_figure_that_takes_more_than_points_and_petit_has_no_margin(score):
    assert read_margin(score, Contract.GARDE) is None


@pytest.mark.parametrize("contract", Contract)
def test_margin_is_that_of_every_result_without_a_bonus(contract):
    for bouts in range(4):
        for half_points in range(30, 145, 2):
            result = DealResult(4, contract, bouts, half_points)
            score = score_deal(result)
            points = abs(half_points // 2 - FFT.targets[bouts])
            assert read_margin(score.base_score, contract) == Margin(points)
