"""What made the difference, in words: the examples of docs/difference.md are said to the letter."""

from dataclasses import replace
from pathlib import Path

from django.utils import translation

from scoring.contract import Chelem, Contract, DealResult, Poignee, Side, score_deal
from scoring.ranking import Line
from tournaments.rules.difference import Played, explain
from tournaments.words.difference_sentences import REASONS, say_difference

DOCS = Path(__file__).parents[3] / "docs" / "difference.md"
MADE = DealResult(players=4, contract=Contract.GARDE, bouts=2, half_points=2 * 45)


def played(taker="N", unit=1, points=45, **facts):
    result = replace(MADE, half_points=2 * points, **facts)
    return Played(unit * score_deal(result).base_score, unit, Line(taker), result)


EXAMPLES = [
    [played(points=points) for points in (61, 49, 49, 38, 30)],
    [played(bouts=3, petit_au_bout=Side.ATTACK), played(bouts=1, points=44)],
    [played(unit=3, contract=Contract.GARDE_SANS), played(unit=3)],
    [played(unit=3), played("E", -1, points=47)],
]


def test_examples_of_the_document_are_said_to_the_letter():
    with translation.override("en"):
        said = [sentence for plays in EXAMPLES for sentence in say_difference(explain(plays))]
    told = [line.removeprefix("> ") for line in DOCS.read_text().splitlines() if line.startswith("> ")]
    assert said == told


def test_every_reason_is_said_in_french():
    others = [
        [played(unit=-1), played(unit=-1, points=38)],
        [played(poignees_attack=(Poignee.SIMPLE,)), played(poignees_defence=())],
        [played(bouts=3, points=91, chelem=Chelem.ANNOUNCED_MADE), played()],
        [played(unit=3), Played(0, 3, None, None)],
    ]
    found = [explain(plays) for plays in (*EXAMPLES, *others)]
    assert {reason.code for each in found for reason in each.reasons} == set(REASONS.texts)
    with translation.override("fr"):
        said = [sentence for each in found for sentence in say_difference(each)]
    assert "Chutée à +56, réussie à −58\N{NO-BREAK SPACE}: 100 points (réussie une fois sur 2)." in said
    assert "Poignée simple de l’attaque à +78, pas de poignée à +58\N{NO-BREAK SPACE}: 20 points." in said
    assert "+174\N{NO-BREAK SPACE}: Nord prend\N{NO-BREAK SPACE}; 0\N{NO-BREAK SPACE}: tout le monde a passé." in said
