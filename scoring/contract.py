"""The score of one deal, computed from its result. Sources: FFT 2012 pp. 9, 11, 12.

The types of a result are in `scoring.values`. The checks that refuse a result are in `scoring.bounds`. This module
exports both.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from scoring.bounds import BOUTS, DECK, check_cards, check_figures, check_players
from scoring.errors import ScoringError
from scoring.values import FFT, Chelem, Contract, DealResult, Poignee, ScoringRules, Side, find_rules

__all__ = [
    "FFT",
    "Chelem",
    "Contract",
    "DealResult",
    "DealScore",
    "Marks",
    "Poignee",
    "ScoreLine",
    "ScoringError",
    "ScoringRules",
    "Side",
    "check_cards",
    "check_figures",
    "find_rules",
    "marks",
    "possible_base_scores",
    "score_deal",
]

SIGNS = {Side.ATTACK: 1, Side.DEFENCE: -1}


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One part of a base score: its kind, its points with their sign, and the figures that explain it.

    The kinds, each with its params:

    - contract: contract, bouts, half_points, target, made, difference, base, coefficient
    - petit_au_bout: side, bonus, coefficient
    - poignee: poignee, and the side that showed it
    - chelem: chelem
    """

    kind: str
    amount: int
    params: Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class Marks:
    """The points that the taker, the partner and each defender win or lose.

    The marks of all seats at a table sum to zero. `partner` is None if there is no partner.
    """

    taker: int
    partner: int | None
    defender: int


@dataclass(frozen=True, slots=True)
class DealScore:
    """The base score of a deal, its parts, and the points that each seat wins or loses.

    `base_score` is above 0 if it is good for the taker; the `lines` sum to it. `made`: whether the taker made the
    contract. `target`: the points that the taker needed. `taker`, `partner` and `defender` are as in `Marks`.
    """

    base_score: int
    made: bool
    target: int
    taker: int
    partner: int | None
    defender: int
    lines: tuple[ScoreLine, ...]


def score_deal(result: DealResult, rules: ScoringRules = FFT) -> DealScore:
    """Return the score of a deal. Raise ScoringError if its figures contradict each other.

    Impossible results of published examples are scored too. To refuse them, call `check_cards`.
    """
    check_figures(result, rules)
    target = rules.targets[result.bouts]
    made = result.half_points >= 2 * target
    lines = tuple(_lines(result, rules, target, 1 if made else -1))
    base_score = sum(line.amount for line in lines)
    mark = marks(base_score, result.players, result.partner)
    return DealScore(base_score, made, target, mark.taker, mark.partner, mark.defender, lines)


def _lines(result: DealResult, rules: ScoringRules, target: int, sign: int) -> Iterator[ScoreLine]:
    coefficient = rules.coefficients[result.contract]
    difference = (abs(result.half_points - 2 * target) + 1) // 2  # a half point goes to the winner of the deal
    yield ScoreLine(
        "contract",
        sign * (rules.base + difference) * coefficient,
        {
            "contract": str(result.contract),
            "bouts": result.bouts,
            "half_points": result.half_points,
            "target": target,
            "made": sign > 0,
            "difference": difference,
            "base": rules.base,
            "coefficient": coefficient,
        },
    )
    if result.petit_au_bout != Side.NONE:
        yield ScoreLine(
            "petit_au_bout",
            SIGNS[result.petit_au_bout] * rules.petit_au_bout * coefficient,
            {"side": str(result.petit_au_bout), "bonus": rules.petit_au_bout, "coefficient": coefficient},
        )
    for side, poignees in ((Side.ATTACK, result.poignees_attack), (Side.DEFENCE, result.poignees_defence)):
        for poignee in poignees:  # the winner of the deal gets the bonus, even if a loser showed the poignée
            yield ScoreLine("poignee", sign * rules.poignees[poignee], {"poignee": str(poignee), "side": str(side)})
    if result.chelem != Chelem.NONE:
        yield ScoreLine("chelem", rules.chelems[result.chelem], {"chelem": str(result.chelem)})


def marks(base_score: int, players: int, partner: bool | None = None) -> Marks:
    """Return the points that each seat wins or loses for a base score."""
    check_players(players, partner)
    defenders = players - (2 if partner else 1)
    share = base_score if partner else None
    return Marks(taker=defenders * base_score - (share or 0), partner=share, defender=-base_score)


@cache
def possible_base_scores(
    contract: Contract, players: int = 4, rules: ScoringRules = FFT, chelems: frozenset[Chelem] = frozenset(Chelem)
) -> frozenset[int]:
    """Return every base score that a possible result with this contract and one of these chelems has.

    A poignée is possible with any points and any chelem. So each sum of poignée bonuses is added to each score without
    poignées, or subtracted from it if the contract failed. The returned set is cached.
    """
    partner = True if players == 5 else None  # only a partner may show a second poignée of the attack
    poignees = _poignee_totals(contract, players, partner, rules)
    facts = product(range(BOUTS + 1), range(DECK + 1), Side, sorted(chelems))
    results = (
        DealResult(players, contract, bouts, half_points, petit, chelem=chelem, partner=partner)
        for bouts, half_points, petit, chelem in facts
    )
    return frozenset(
        score.base_score + (total if score.made else -total) for score in _scores(results, rules) for total in poignees
    )


def _poignee_totals(contract: Contract, players: int, partner: bool | None, rules: ScoringRules) -> set[int]:
    """Return the possible sums of the bonuses for all poignées of one deal.

    A deal has at most two poignées: three of the smallest need more than 22 trumps.
    """
    shown = [(), *((poignee,) for poignee in Poignee), *product(Poignee, repeat=2)]
    bare = DealResult(players, contract, bouts=0, half_points=0, partner=partner)
    totals = set()
    for attack, defence in product(shown, repeat=2):
        try:
            check_figures(replace(bare, poignees_attack=attack, poignees_defence=defence), rules)
        except ScoringError:
            continue
        totals.add(sum(rules.poignees[poignee] for poignee in attack + defence))
    return totals


def _scores(results: Iterator[DealResult], rules: ScoringRules) -> Iterator[DealScore]:
    for result in results:
        try:
            check_cards(result)
            yield score_deal(result, rules)
        except ScoringError:
            continue
