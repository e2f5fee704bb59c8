"""The public calculator: the API's answers as a page; what was typed stays, and errors stand at their fields."""

import csv
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from pages.public.calculator import CalculatorForm
from tests.pages.reading import words
from tournaments.words.messages import show_signed

GOLDEN = Path(__file__).parents[2] / "golden" / "rule_page_examples.csv"
BY_COUNT = ("", "simple", "double", "triple")


@pytest.fixture
def reader():
    return Client(headers={"accept-language": "en"})


def typed(**more):
    return CalculatorForm.EXAMPLE | more


def test_page_shows_the_worked_example_of_the_regulation(reader):
    page = words(reader.get(reverse("rules")))
    assert "Fiche: +106" in page
    assert "Contract made" in page
    assert "41 points to make" in page


def test_score_works_without_script_and_keeps_what_was_typed(reader):
    response = reader.get(reverse("rules"), typed(points="30", contract="garde_sans"))
    assert "Fiche: −124" in words(response)
    html = response.content.decode()
    assert 'name="points" value="30"' in html
    assert [choice for choice in re.findall(r"<input[^>]*>", html) if "checked" in choice and "garde_" in choice] == [
        '<input type="radio" name="contract" value="garde_sans" id="id_contract_2" required checked>'
    ]


def test_score_is_the_one_of_the_given_examples():
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    shown, expected = [], []
    for row in rows:
        form = CalculatorForm(
            {
                **{name: row[name] for name in ("players", "contract", "bouts", "points", "petit_au_bout", "chelem")},
                "attack_first": BY_COUNT[int(row["poignee_attack"])],
                "defence_first": BY_COUNT[int(row["poignee_defence"])],
                "partner": {"yes": "true", "no": "false", "na": ""}[row["partner"]],
            }
        )
        assert form.is_valid(), (row["example"], form.errors)
        shown.append((form.score.base_score, form.score.taker, form.score.defender))
        expected.append(tuple(int(row[name]) for name in ("base_score", "taker", "defender")))
    assert shown == expected


def test_partial_gives_marks_of_taker_partner_and_defenders(reader):
    given = typed(players="5", partner="true", points="41,5", petit_au_bout="none", attack_first="")
    page = words(reader.get(reverse("calculator"), given))
    assert "Fiche: +52" in page
    assert "Taker +104 Partner +52 Each defender −52" in page


def test_lines_add_up_to_the_base_score(reader):
    form = CalculatorForm(typed(defence_first="simple", chelem="announced_failed"))
    assert form.is_valid()
    assert sum(line.amount for line in form.score.lines) == form.score.base_score
    page = words(reader.get(reverse("calculator"), typed(defence_first="simple", chelem="announced_failed")))
    assert [show_signed(line.amount) in page for line in form.score.lines] == [True] * 5


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"points": ""}, "points"),
        ({"points": "many"}, "points"),
        ({"points": "40.25"}, "points"),
        ({"points": "40.5"}, "points"),
        ({"points": "92"}, "points"),
        ({"contract": "petite"}, "contract"),
        ({"players": "6"}, "players"),
        ({"bouts": ""}, "bouts"),
        ({"attack_first": "triple", "defence_first": "simple"}, "defence_first"),
        ({"chelem": "announced_made", "points": "50"}, "points"),
        ({"chelem": "suffered", "points": "40"}, "points"),
        ({"chelem": "announced_made", "points": "91", "bouts": "3", "petit_au_bout": "defence"}, "petit_au_bout"),
    ],
)
def test_error_stands_at_its_field(reader, changed, field):
    form = CalculatorForm(typed(**changed))
    assert list(form.errors) == [field]
    html = reader.get(reverse("rules"), typed(**changed)).content.decode()
    assert re.search(rf'id="id_{field}_errors">\s*<ul class="errorlist"', html)
    live = reader.get(reverse("calculator"), typed(**changed)).content.decode()
    if form.unfinished:
        return
    assert re.search(rf'id="id_{field}_errors" hx-swap-oob="true">\s*<ul class="errorlist"', live)
    assert live.count('class="errorlist"') == 1


@pytest.mark.parametrize("field", ["points", "bouts"])
def test_field_that_is_being_filled_in_is_not_said_to_be_required(reader, field):
    live = reader.get(reverse("calculator"), typed(**{field: ""}))
    assert "The score appears here once the form is filled in." in words(live)
    assert "errorlist" not in live.content.decode()


def test_partner_is_left_aside_where_there_is_none(reader):
    assert CalculatorForm(typed(partner="false", attack_second="simple")).is_valid()


def test_unlikely_result_is_scored_and_questioned(reader):
    form = CalculatorForm(typed(points="91", bouts="3", petit_au_bout="none"))
    assert form.is_valid()
    assert [question.code for question in form.questions] == ["chelem_not_said", "points_extreme"]
    assert words(reader.get(reverse("calculator"), typed(points="91", bouts="3"))).count("is that right?") == 1


def test_nothing_typed_in_the_partial_asks_for_every_needed_field(reader):
    assert list(CalculatorForm({}).errors) == ["players", "contract", "bouts", "points"]
