"""The score that a table's screen computes without network: it equals the site's for every result that can be typed."""

import csv
import json
from itertools import product
from pathlib import Path

import pytest
from django.urls import reverse

from scoring.contract import Chelem, Contract, DealResult, ScoringError, Side, check_cards, marks, score_deal
from scoring.notation import read_result, result_to_data
from scoring.plausibility import ask_about_result
from tournaments.rules.facing import find_facing

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

SEATED = """async ([names, facing, taker, score]) => {
    const { checkerOf, seatsOf } = await import("/static/table/state/model.js");
    const { markOf } = await import("/static/table/state/score.js");
    const stop = { seats: Object.fromEntries(names.map((name) => [name, { name }])), facing };
    const seats = seatsOf(stop);
    return [
        seats,
        seats.map((line) => checkerOf(stop, taker, line)),
        seats.map((line) => markOf(line, taker, score, seats.length - 1)),
    ];
}"""


def told(result):
    """Return the site's answer to a result: base score, lines, questions, refused cards; or the code of the refusal."""
    try:
        score = score_deal(result)
    except ScoringError as error:
        return error.code
    asked = [question.code for question in ask_about_result(result)]
    return [score.base_score, [line.amount for line in score.lines], asked, refused(result)]


def refused(result):
    try:
        check_cards(result)
    except ScoringError as error:
        return error.code
    return ""


def golden():
    """Yield the results for four players from the regulation and the rule pages, with their base scores."""
    for name in REGULATION:
        with (GOLDEN / name).open() as file:
            for row in csv.DictReader(file):
                if row["players"] == "4":
                    yield read_result(row, extra="ignore"), -int(row.get("defender") or row["defender_score"])


def test_screen_scores_and_refuses_as_the_site_does(phone):
    """Check every contract, number of bouts and of points, petit and chelem; poignées by the golden vectors."""
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


@pytest.mark.parametrize(("names", "taker"), [("NES", "E"), ("NESW", "W"), ("NESWF", "F")])
def test_screen_takes_the_seats_it_is_told_of(phone, names, taker):
    """Check who checks an entry, and everybody's score: three, four or five seats, one taker against the others."""
    facing = find_facing(names)
    phone.goto(reverse("rules"))
    seats, checkers, figures = phone.evaluate(SEATED, [list(names), facing, taker, 60])
    assert seats == list(names)
    assert checkers == [facing[taker] if seat == taker else taker for seat in names]
    mark = marks(60, players=len(names), partner=False if len(names) == 5 else None)
    assert figures == [mark.taker if seat == taker else mark.defender for seat in names]
