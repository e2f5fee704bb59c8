"""The questions that the site asks a table before it stores a possible but unlikely result. Nothing is refused.

A question mentions only what the table itself has entered, never a card or the result of another table.
"""

import dataclasses
from collections.abc import Collection, Iterator, Mapping

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
    """A question about one field of a result, which the table should check.

    Codes: petit_without_bout, points_below_ecart, poignee_too_few_points, poignee_too_many_points, chelem_not_said,
    points_extreme, chelem, poignee_triple, base_score_chelem, base_score_impossible, base_score_mark,
    sheet_remainders.
    """

    code: str
    field: str
    params: Mapping[str, object]


def ask_about_result(result: DealResult) -> tuple[Question, ...]:
    """Return the questions about a result. The result has passed `check_figures`."""
    return tuple(_questions(result))


def _questions(result: DealResult) -> Iterator[Question]:
    params = {"points": to_points(result.half_points), "bouts": result.bouts, "contract": result.contract}
    if (result.petit_au_bout, result.bouts) in ((Side.ATTACK, 0), (Side.DEFENCE, BOUTS)):
        yield Question("petit_without_bout", "petit_au_bout", params | {"side": result.petit_au_bout})
    least = with_own_cards(Side.ATTACK, result.contract, result.players, result.bouts)
    if result.contract != Contract.GARDE_CONTRE and result.half_points < least:
        yield Question("points_below_ecart", "points", params | {"least": to_points(least)})
    if least_tricks_of_poignees(result.poignees_attack, result.players):
        least = least_with_poignees(result)
        if result.half_points < least:
            yield Question("poignee_too_few_points", "points", params | {"least": to_points(least)})
    if least_tricks_of_poignees(result.poignees_defence, result.players):
        most = most_against_poignees(result)
        if result.half_points > most:
            yield Question("poignee_too_many_points", "points", params | {"most": to_points(most)})
    if result.chelem == Chelem.NONE and result.half_points > most_leaving_a_trick(result):
        yield Question("chelem_not_said", "chelem", params)
    if result.half_points in (0, DECK):
        yield Question("points_extreme", "points", params)
    if result.chelem != Chelem.NONE:
        yield Question("chelem", "chelem", {"chelem": result.chelem})
    for name, poignees in (("poignees_attack", result.poignees_attack), ("poignees_defence", result.poignees_defence)):
        if Poignee.TRIPLE in poignees:
            yield Question("poignee_triple", name, {"poignee": Poignee.TRIPLE})


def base_score_questions(
    base_score: int, contract: Contract, players: int = 4, rules: ScoringRules = FFT
) -> tuple[Question, ...]:
    """Return the questions about a base score on a fiche: at most one, and () if the score is normal.

    A score is normal if a result without a chelem can have it. The question is base_score_chelem if the score needs a
    chelem, and base_score_impossible if no result with this contract has it. It is base_score_mark if the score is
    rare, and is the taker's mark of a usual result.
    """
    params = {"value": base_score, "contract": contract}
    if base_score in possible_base_scores(contract, players, rules, frozenset({Chelem.NONE})):
        for times in TAKER_TIMES[players]:
            if _is_mark(base_score, times, contract, rules):
                mark = {"times": times, "score": base_score // times}
                return (Question("base_score_mark", "base_score", params | mark),)
        return ()
    if base_score in possible_base_scores(contract, players, rules):
        return (Question("base_score_chelem", "base_score", params),)
    return (Question("base_score_impossible", "base_score", params),)


def sheet_questions(sheet: Collection[int], players: int) -> tuple[Question, ...]:
    """Return the question about the marks of a game's sheet, or () if they are possible.

    Each deal gives a taker, who plays alone, as many base scores as there are others, and each of these loses one. So
    all marks leave the same remainder when divided by the number of `players`. This does not hold at five, or if
    somebody at the table rests.
    """
    alike = players == 5 or len(sheet) != players or len({mark % players for mark in sheet}) == 1
    return () if alike else (Question("sheet_remainders", "marks", {"players": players}),)


# How many base scores the taker may get, by the number of players: at five with a partner and alone.
TAKER_TIMES: Mapping[int, tuple[int, ...]] = {3: (2,), 4: (3,), 5: (2, 4)}
USUAL, RARE = 30, 40  # margins, in points


def _is_mark(figure: int, times: int, contract: Contract, rules: ScoringRules) -> bool:
    """Return whether a figure is rare as a base score, but is so many times a usual one."""
    own, part = read_margin(figure, contract, rules), read_margin(figure // times, contract, rules)
    is_usual = figure % times == 0 and part is not None and part.points <= USUAL
    return is_usual and (own is None or own.petit_lost or own.points > RARE)


MOST_MADE, MOST_FAILED = 55, 56  # 91 points with three bouts, 0 points without a bout


@dataclasses.dataclass(frozen=True, slots=True)
class Margin:
    """The number of points by which a contract was made or failed.

    `petit_lost`: whether the side that lost the deal had the petit au bout.
    """

    points: int
    petit_lost: bool = False


def read_margin(base_score: int, contract: Contract, rules: ScoringRules = FFT) -> Margin | None:
    """Return the margin of the simplest result with this base score: one without any bonus, if there is one.

    Otherwise it is a result in which the losing side had the petit au bout. Return None if the score needs other
    bonuses, or is 0.
    """
    coefficient = rules.coefficients[contract]
    for petit_lost in (False, True):
        written = abs(base_score) + petit_lost * rules.petit_au_bout * coefficient
        points, rest = divmod(written - rules.base * coefficient, coefficient)
        least, most = (0, MOST_MADE) if base_score > 0 else (1, MOST_FAILED)
        if base_score and not rest and least <= points <= most:
            return Margin(points, petit_lost)
    return None
