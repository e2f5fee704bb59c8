"""The score that the table's screen reckons without network is the site's, for every result a table can type."""

import csv
import json
from itertools import product
from pathlib import Path

import pytest
from django.urls import reverse

from scoring.contract import Chelem, Contract, DealResult, ScoringError, Side, check_cards, score_deal
from scoring.notation import read_result, result_to_data
from scoring.plausibility import questions

pytestmark = pytest.mark.django_db(transaction=True)

GOLDEN = Path(__file__).parents[1] / "golden"
REGULATION = ("fft_examples.csv", "rule_page_examples.csv")
RECKON = """async (text) => {
    const { checkCards, scoreOf, questionsOf } = await import("/static/table/state/score.js");
    const refused = (facts) => {
        try {
            checkCards(facts);
            return "";
        } catch (error) {
            return error.code;
        }
    };
    return JSON.stringify(JSON.parse(text).map((facts) => {
        try {
            const { base_score, lines } = scoreOf(facts);
            const amounts = lines.map(({ amount }) => amount);
            return [base_score, amounts, questionsOf(facts).map(({ code }) => code), refused(facts)];
        } catch (error) {
            return error.code;
        }
    }));
}"""


def told(result):
    """What the site says of facts: base score, lines, questions, what the cards forbid; or the code of the refusal."""
    try:
        score = score_deal(result)
    except ScoringError as error:
        return error.code
    asked = [question.code for question in questions(result)]
    return [score.base_score, [line.amount for line in score.lines], asked, refused(result)]


def refused(result):
    try:
        check_cards(result)
    except ScoringError as error:
        return error.code
    return ""


def golden():
    """The vectors of the regulation and of the rule pages for four players, with their base scores."""
    for name in REGULATION:
        with (GOLDEN / name).open() as file:
            for row in csv.DictReader(file):
                if row["players"] == "4":
                    yield read_result(row, extra="ignore"), -int(row.get("defender") or row["defender_score"])


def test_screen_scores_and_refuses_as_the_site_does(phone):
    """Every contract, number of bouts and of points, petit and chelem; poignées from the golden vectors."""
    vectors = list(golden())
    assert len(vectors) > 20
    every = [
        DealResult(4, contract, bouts, 2 * points, petit, chelem=chelem)
        for contract, bouts, points, petit, chelem in product(Contract, range(4), range(92), Side, Chelem)
    ]
    results = [result for result, _ in vectors] + every
    phone.goto(reverse("rules"))
    answers = json.loads(phone.evaluate(RECKON, json.dumps([result_to_data(result) for result in results])))
    assert [answer[0] for answer in answers[: len(vectors)]] == [score for _, score in vectors]
    wrong = [(result, answer) for result, answer in zip(results, answers, strict=True) if answer != told(result)]
    assert wrong == []
