"""The score that a table's screen computes without network: it equals the site's for every result that can be typed."""

import csv
import json
from itertools import combinations, product
from pathlib import Path

import pytest
from django.urls import reverse

from scoring.contract import (
    Chelem,
    Contract,
    DealResult,
    Poignee,
    ScoringError,
    Side,
    check_cards,
    marks,
    possible_base_scores,
    score_deal,
)
from scoring.notation import read_result, result_to_data
from scoring.plausibility import ask_about_result
from scoring.teams import find_facing
from tournaments.rules.entry import Bout

pytestmark = pytest.mark.django_db(transaction=True)

SIDES = (Side.ATTACK, Side.DEFENCE)
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

LAST = """async (text) => {
    const { petitCanBeLast } = await import("/static/table/state/score.js");
    return JSON.parse(text).map(petitCanBeLast);
}"""

SHARE = """async ([scores, players, partner]) => {
    const { sharesOf } = await import("/static/table/state/score.js");
    return scores.map((score) => sharesOf(score, players, partner));
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
        score_deal(result)
        check_cards(result)
    except ScoringError as error:
        return error.code
    return ""


def golden(players):
    """Yield the results for so many players from the regulation and the rule pages, with their base scores."""
    for name in REGULATION:
        with (GOLDEN / name).open() as file:
            for row in csv.DictReader(file):
                if row["players"] == str(players):
                    yield read_result(row, extra="ignore"), -int(row.get("defender") or row["defender_score"])


def answers_of(phone, script, results):
    phone.goto(reverse("rules"))
    return json.loads(phone.evaluate(script, json.dumps([result_to_data(result) for result in results])))


def every_result(players):
    """Yield each contract, number of bouts and of half points, petit and chelem, without poignées.

    With four players the half points are whole points, and one odd number that must be refused.
    """
    halves = [*range(0, 183, 2), 81] if players == 4 else range(183)
    for contract, bouts, half_points, petit, chelem in product(Contract, range(4), halves, Side, Chelem):
        for partner in (True, False) if players == 5 else (None,):
            yield DealResult(players, contract, bouts, half_points, petit, chelem=chelem, partner=partner)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(1, marks=pytest.mark.nightly("browser")),
        pytest.param(20, marks=pytest.mark.guard("phones score as the site does")),
    ],
)
@pytest.mark.parametrize(("players", "vectors"), [(3, 2), (4, 20), (5, 2)])
def test_screen_scores_and_refuses_as_the_site_does(phone, players, vectors, step):
    """Check the golden vectors, and every contract, number of bouts and of points, petit and chelem, or each 20th."""
    examples = list(golden(players))
    assert len(examples) >= vectors
    results = [result for result, _ in examples] + list(every_result(players))[::step]
    answers = answers_of(phone, RECKON, results)
    assert [answer[0] for answer in answers[: len(examples)]] == [score for _, score in examples]
    wrong = [(result, answer) for result, answer in zip(results, answers, strict=True) if answer != told(result)]
    assert wrong == []


@pytest.mark.nightly("browser")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_screen_takes_the_poignees_that_the_site_takes(phone, players):
    """Check every pair of poignées of each side, at five with a partner and alone."""
    shown = [(), *product(Poignee), *product(Poignee, repeat=2)]
    partners = (True, False) if players == 5 else (None,)
    results = [
        DealResult(players, contract, bouts, half_points, Side.NONE, attack, defence, Chelem.NONE, partner)
        for contract, bouts, half_points in product(Contract, (0, 3), (12, 60, 100, 170))
        for attack, defence, partner in product(shown, shown, partners)
    ]
    answers = answers_of(phone, RECKON, results)
    assert [answer for answer, result in zip(answers, results, strict=True) if answer != told(result)] == []


@pytest.mark.nightly("browser")
def test_screen_asks_for_the_petit_where_the_site_takes_it(phone):
    """Check each set of bouts with each chelem, where the bouts are named and where they are counted."""
    sets = [list(named) for count in range(4) for named in combinations(Bout, count)]
    cases = [(len(named), known, chelem) for named in sets for known in (named, None) for chelem in Chelem]
    told = [dict(zip(("bouts", "attack_bouts", "chelem"), case, strict=True)) for case in cases]
    phone.goto(reverse("rules"))
    answers = phone.evaluate(LAST, json.dumps(told))
    assert answers == [takes_a_petit(*case) for case in cases]


def takes_a_petit(bouts, named, chelem):
    """Return whether some result with these bouts and this chelem has a petit au bout."""
    sides = [side for side in SIDES if named is None or (side == Side.ATTACK) == (Bout.PETIT in named)]
    results = (
        DealResult(4, contract, bouts, half_points, petit, chelem=chelem)
        for contract, half_points, petit in product(Contract, range(0, 183, 2), sides)
    )
    return any(not refused(result) for result in results)


@pytest.mark.nightly("browser")
@pytest.mark.parametrize(("players", "partner"), [(3, None), (4, None), (5, True), (5, False)])
def test_screen_shares_a_score_as_the_site_does(phone, players, partner):
    """Check every base score that is possible: the marks are the site's, and those of the table sum to zero."""
    scores = sorted({score for contract in Contract for score in possible_base_scores(contract, players)})
    phone.goto(reverse("rules"))
    shared = phone.evaluate(SHARE, [scores, players, partner])
    expected = [marks(score, players, partner) for score in scores]
    assert shared == [{"taker": m.taker, "partner": m.partner, "defender": m.defender} for m in expected]
    defenders = players - (2 if partner else 1)
    assert {m["taker"] + (m["partner"] or 0) + defenders * m["defender"] for m in shared} == {0}


@pytest.mark.nightly("browser")
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
