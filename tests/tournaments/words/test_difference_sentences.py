"""The sentences about what made the difference: the examples of docs/difference.md, word for word."""

import re
from dataclasses import replace
from pathlib import Path

from django.utils import translation
from hypothesis import example, given
from hypothesis import strategies as st

from scoring.contract import Chelem, Contract, DealResult, Poignee, Side, score_deal
from scoring.ranking import Line
from tournaments.rules.difference import ComparedPlay, explain
from tournaments.words.difference_sentences import REASONS, say_difference

DOCS = Path(__file__).parents[3] / "docs" / "difference.md"
MADE = DealResult(players=4, contract=Contract.GARDE, bouts=2, half_points=2 * 45)


def played(taker="N", unit=1, points=45, **facts):
    result = replace(MADE, half_points=2 * points, **facts)
    return ComparedPlay(unit * score_deal(result).base_score, unit, Line(taker), result)


EXAMPLES = [
    [played(points=points) for points in (61, 49, 49, 38, 30)],
    [played(bouts=3, petit_au_bout=Side.ATTACK), played(bouts=1, points=44)],
    [played(unit=3, contract=Contract.GARDE_SANS), played(unit=3)],
    [played(unit=3), played("E", -1, points=47)],
    [played(points=28), played(points=14)],
    [played(points=28), played(points=14, petit_au_bout=Side.ATTACK)],
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
        [played(unit=3), ComparedPlay(0, 3, None, None)],
    ]
    found = [explain(plays) for plays in (*EXAMPLES, *others)]
    assert {reason.code for each in found for reason in each.reasons} == set(REASONS.texts)
    with translation.override("fr"):
        said = [sentence for each in found for sentence in say_difference(each)]
    assert "Chutée à +56, réussie à −58\N{NO-BREAK SPACE}: 100 points (réussie une fois sur 2)." in said
    assert "Poignée simple de l’attaque à +78, pas de poignée à +58\N{NO-BREAK SPACE}: toute la différence." in said
    assert "+174\N{NO-BREAK SPACE}: Nord prend\N{NO-BREAK SPACE}; 0\N{NO-BREAK SPACE}: tout le monde a passé." in said
    rest = "2 points, dû à des causes plus petites ou à ce que ces donnes n’ont pas en commun."
    assert f"Reste inexpliqué\N{NO-BREAK SPACE}: {rest}" in said
    assert any(each.endswith("l’écart compte 2 fois.") for each in said)


RESULTS = st.builds(
    DealResult,
    players=st.just(4),
    contract=st.sampled_from(Contract),
    bouts=st.integers(0, 3),
    half_points=st.integers(20, 74).map(lambda points: 2 * points),
    petit_au_bout=st.just(Side.NONE) | st.sampled_from([Side.ATTACK, Side.DEFENCE]),
    poignees_attack=st.sampled_from([(), (Poignee.SIMPLE,), (Poignee.DOUBLE,)]),
)


@given(RESULTS, RESULTS, st.sampled_from([1, 3, -1]))
@example(replace(MADE, half_points=56), replace(MADE, half_points=28, petit_au_bout=Side.ATTACK), 1)
def test_no_sentence_has_as_many_points_twice_and_all_of_them_add_up(one, other, unit):
    found = explain([ComparedPlay(unit * score_deal(each).base_score, unit, Line("N"), each) for each in (one, other)])
    if found is None:
        return
    with translation.override("en"):
        said = say_difference(found)
    for each in said:
        figures = re.findall(r"([\d.]+)(?= points?\b)", each) + re.findall(r"([\d.]+) at [+−]", each)
        assert len(figures) == len(set(figures)), each
    assert sum((reason.gain for reason in found.reasons), found.rest) == found.best - found.worst
    assert len(said) == len(found.reasons) + (found.rest != 0)
