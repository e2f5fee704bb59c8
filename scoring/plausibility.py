"""The questions about results that are possible but unlikely, asked before they are stored. Nothing is refused here.

A question mentions no card and no other table's result, only what the table itself has entered.
"""

import dataclasses
from collections.abc import Iterator, Mapping

from scoring.bounds import (
    BOUTS,
    DECK,
    least_tricks_of_poignees,
    least_with_poignees,
    most_against_poignees,
    most_leaving_a_trick,
    to_points,
    with_own_cards,
)
from scoring.contract import possible_base_scores
from scoring.values import FFT, Chelem, Contract, DealResult, Poignee, ScoringRules, Side


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """A question about one field that the table should look at again.

    Codes: petit_without_bout, points_below_ecart, poignee_too_few_points, poignee_too_many_points, chelem_not_said,
    points_extreme, chelem, poignee_triple, base_score_chelem, base_score_impossible.
    """

    code: str
    field: str
    params: Mapping[str, object] = dataclasses.field(hash=False)


def ask_about_result(result: DealResult) -> tuple[Question, ...]:
    """Return the questions about a result that `score_deal` accepts."""
    return tuple(_questions(result))


def _questions(result: DealResult) -> Iterator[Question]:
    told = {"points": to_points(result.half_points), "bouts": result.bouts, "contract": result.contract}
    if (result.petit_au_bout, result.bouts) in ((Side.ATTACK, 0), (Side.DEFENCE, BOUTS)):
        yield Question("petit_without_bout", "petit_au_bout", told | {"side": result.petit_au_bout})
    least = with_own_cards(Side.ATTACK, result.contract, result.players, result.bouts)
    if result.contract != Contract.GARDE_CONTRE and result.half_points < least:
        yield Question("points_below_ecart", "points", told | {"least": to_points(least)})
    if least_tricks_of_poignees(result.poignees_attack, result.players):
        least = least_with_poignees(result)
        if result.half_points < least:
            yield Question("poignee_too_few_points", "points", told | {"least": to_points(least)})
    if least_tricks_of_poignees(result.poignees_defence, result.players):
        most = most_against_poignees(result)
        if result.half_points > most:
            yield Question("poignee_too_many_points", "points", told | {"most": to_points(most)})
    if result.chelem == Chelem.NONE and result.half_points > most_leaving_a_trick(result):
        yield Question("chelem_not_said", "chelem", told)
    if result.half_points in (0, DECK):
        yield Question("points_extreme", "points", told)
    if result.chelem != Chelem.NONE:
        yield Question("chelem", "chelem", {"chelem": result.chelem})
    for name, poignees in (("poignees_attack", result.poignees_attack), ("poignees_defence", result.poignees_defence)):
        if Poignee.TRIPLE in poignees:
            yield Question("poignee_triple", name, {"poignee": Poignee.TRIPLE})


def base_score_questions(
    base_score: int, contract: Contract, players: int = 4, rules: ScoringRules = FFT
) -> tuple[Question, ...]:
    """Return the question about the base score on a fiche, or () if a result without a chelem can have that score.

    The score may need a chelem, or no result of the contract may have it at all.
    """
    told = {"value": base_score, "contract": contract}
    if base_score in possible_base_scores(contract, players, rules, frozenset({Chelem.NONE})):
        return ()
    if base_score in possible_base_scores(contract, players, rules):
        return (Question("base_score_chelem", "base_score", told),)
    return (Question("base_score_impossible", "base_score", told),)


MOST_MADE, MOST_FAILED = 55, 56  # 91 points with three bouts, 0 points without a bout


@dataclasses.dataclass(frozen=True, slots=True)
class Margin:
    """The points by which a contract was made or failed. `petit_lost`: the losing side had the petit au bout."""

    points: int
    petit_lost: bool = False


def read_margin(base_score: int, contract: Contract, rules: ScoringRules = FFT) -> Margin | None:
    """Return the simplest result with this base score: without a bonus, or with a petit au bout that lowers it.

    Return None if the score needs more bonuses than that, and for a score of 0.
    """
    coefficient = rules.coefficients[contract]
    for petit_lost in (False, True):
        written = abs(base_score) + petit_lost * rules.petit_au_bout * coefficient
        points, rest = divmod(written - rules.base * coefficient, coefficient)
        least, most = (0, MOST_MADE) if base_score > 0 else (1, MOST_FAILED)
        if base_score and not rest and least <= points <= most:
            return Margin(points, petit_lost)
    return None
