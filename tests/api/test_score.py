"""The address POST /api/v1/score/: each worked example, all of them as one list, each wrong result; no row is read."""

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.api.conftest import Client

GOLDEN = Path(__file__).parents[1] / "golden"
RESULT_COLUMNS = (
    "players", "contract", "bouts", "points", "petit_au_bout", "poignee_attack", "poignee_defence", "chelem", "partner",
)  # fmt: skip
EXAMPLE = {"contract": "garde", "bouts": 2, "points": 49, "petit_au_bout": "attack", "poignees_attack": ["simple"]}


def golden(name: str) -> list[dict[str, str]]:
    with (GOLDEN / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def fields_of(row: dict[str, str]) -> dict[str, Any]:
    return {name: row[name] for name in RESULT_COLUMNS}


def marks_of(answer: dict[str, Any]) -> tuple[int, int | None, int]:
    return answer["taker"], answer["partner"], answer["defender"]


def fft_marks(row: dict[str, str]) -> tuple[int, int | None, int]:
    partner = int(row["partner_score"]) if row["partner"] == "yes" else None
    return int(row["taker_score"]), partner, int(row["defender_score"])


def page_figures(row: dict[str, str]) -> tuple[int, int, int]:
    return int(row["base_score"]), int(row["taker"]), int(row["defender"])


FFT = golden("fft_examples.csv")
PAGE = golden("rule_page_examples.csv")


@pytest.fixture
def score(stranger: Client) -> Any:
    return lambda data, **options: stranger.post("score/", data, **options)


@pytest.mark.parametrize("row", FFT, ids=lambda row: row["source"])
def test_example_of_the_regulation(score: Any, row: dict[str, str]) -> None:
    assert marks_of(score(fields_of(row))) == fft_marks(row)


@pytest.mark.parametrize("row", PAGE, ids=lambda row: row["example"])
def test_example_of_a_rule_page(score: Any, row: dict[str, str]) -> None:
    answer = score(fields_of(row))
    assert (answer["base_score"], answer["taker"], answer["defender"]) == page_figures(row)


def test_all_examples_as_one_list_in_their_order(score: Any) -> None:
    answers = score([fields_of(row) for row in FFT + PAGE])
    assert [marks_of(answer) for answer in answers[: len(FFT)]] == [fft_marks(row) for row in FFT]
    assert [
        (answer["base_score"], answer["taker"], answer["defender"]) for answer in answers[len(FFT) :]
    ] == [page_figures(row) for row in PAGE]  # fmt: skip


def test_answer_explains_itself(score: Any) -> None:
    answer = score(EXAMPLE)
    lines = [(line["kind"], line["amount"], line["text"]) for line in answer.pop("lines")]
    assert answer == {"base_score": 106, "made": True, "target": 41, "taker": 318, "partner": None, "defender": -106}
    assert lines == [
        ("contract", 66, "Garde made by 8 with 2 bouts: (25\u00a0+\u00a08)\u00a0×\u00a02"),
        ("petit_au_bout", 20, "Petit au bout to the attack: 10 × 2"),
        ("poignee", 20, "Simple poignée shown by the attack"),
    ]


def test_partner_is_paid_at_five(score: Any) -> None:
    assert marks_of(score(EXAMPLE | {"players": 5, "partner": True})) == (212, 106, -106)
    assert marks_of(score(EXAMPLE | {"players": 5, "partner": False})) == (424, None, -106)


def test_half_points_at_three(score: Any) -> None:
    answer = score({"players": 3, "contract": "prise", "bouts": 2, "points": 40.5})
    assert (answer["base_score"], answer["made"]) == (-26, False)


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"contract": None}, "required", "contract"),
        ({"contract": "petite"}, "unknown_value", "contract"),
        ({"bouts": "many"}, "not_a_number", "bouts"),
        ({"bouts": 1.5}, "not_whole", "bouts"),
        ({"points": 40.25}, "not_half", "points"),
        ({"points": 40.5}, "points_half", "points"),
        ({"points": 92}, "points_range", "points"),
        ({"bouts": 4}, "bouts", "bouts"),
        ({"players": 6}, "players", "players"),
        ({"partner": True}, "partner", "partner"),
        ({"bouts": 0, "points": 91}, "points_too_high", "points"),
        ({"chelem": "announced_made"}, "chelem_made_points", "points"),
        ({"poignees_defence": ["triple"]}, "poignees_trumps", "poignees_defence"),
        ({"poignee_attack": 1}, "duplicate_field", "poignee_attack"),
        ({"colour": "red"}, "unknown_field", "colour"),
    ],
)
def test_wrong_result_is_told_alone_and_in_a_list(
    stranger: Client, change: dict[str, Any], code: str, field: str
) -> None:
    alone = stranger.post("score/", EXAMPLE | change, status=400)
    assert (alone["error"]["code"], alone["error"]["field"]) == (code, field)
    right, wrong, right_again = stranger.post("score/", [EXAMPLE, EXAMPLE | change, EXAMPLE])
    assert wrong == alone
    assert right == right_again == stranger.post("score/", EXAMPLE)


@pytest.mark.parametrize("item", [None, 5, "garde", [EXAMPLE], True])
def test_item_that_is_no_object_is_told_in_its_place(stranger: Client, item: object) -> None:
    first, second = stranger.post("score/", [item, EXAMPLE])
    assert first["error"]["code"] == "not_a_result"
    assert second["base_score"] == 106


@pytest.mark.parametrize("body", [None, 5, "garde", True])
def test_body_that_is_no_object_is_told(stranger: Client, body: object) -> None:
    # a request without a body is read as an object without fields
    expected = "required" if body is None else "not_a_result"
    assert stranger.refused("POST", "score/", body, status=400) == expected


def test_thousand_results_are_scored_and_one_more_is_refused(stranger: Client) -> None:
    answers = stranger.post("score/", [EXAMPLE] * 1000)
    assert [answer["base_score"] for answer in answers] == [106] * 1000
    error = stranger.post("score/", [EXAMPLE] * 1001, status=400)["error"]
    assert error == {
        "code": "too_many_results",
        "field": "",
        "message": "At most 1000 results can be scored at once, not 1001: send several lists.",
        "params": {"most": 1000, "found": 1001},
    }


def test_empty_list_gives_an_empty_list(stranger: Client) -> None:
    assert stranger.post("score/", []) == []


def test_messages_follow_the_language(stranger: Client) -> None:
    def message(language: str) -> str:
        answer = stranger.post("score/", EXAMPLE | {"points": 40.5}, status=400, **{"Accept-Language": language})
        return str(answer["error"]["message"])

    assert "40.5" in message("en")
    assert "40,5" in message("fr")


@pytest.mark.django_db
def test_no_row_is_read(stranger: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        stranger.post("score/", [EXAMPLE, {}])


def test_figures_of_the_scoring_are_told(stranger: Client) -> None:
    (fft,) = stranger.get("score/rules/")
    assert (fft["name"], fft["base"], fft["targets"], fft["petit_au_bout"]) == ("fft", 25, [56, 51, 41, 36], 10)
    assert (fft["coefficients"]["garde"], fft["poignees"]["double"], fft["poignee_trumps"]["4"]["double"]) == (
        2,
        30,
        13,
    )
    assert stranger.client.get("/api/v1/score/rules/")["ETag"]
