"""Knows how the result of one deal becomes its score; no card, no tournament. Sources: FFT 2012 pp. 9, 11, 12.

The values it works on live in `scoring.values` and what it refuses in `scoring.bounds`; both are offered here too.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product

from scoring.bounds import BOUTS, DECK, check, check_cards, check_players
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
    "check",
    "check_cards",
    "find_rules",
    "marks",
    "possible_base_scores",
    "score_deal",
]

SIGNS = {Side.ATTACK: 1, Side.DEFENCE: -1, Side.NONE: 0}


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One part of a base score: what it is for, its signed amount, and the figures that explain it.

    Kinds and params: contract (contract, bouts, half_points, target, made, difference, base, coefficient),
    petit_au_bout (side, bonus, coefficient), poignee (poignee, side that showed it), chelem (chelem).
    """

    kind: str
    amount: int
    params: Mapping[str, int | str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Marks:
    """What each seat scores; every defender the same. They sum to zero over the table. `partner` at five only."""

    taker: int
    partner: int | None
    defender: int


@dataclass(frozen=True, slots=True)
class DealScore:
    """The base score, signed for the taker, with the lines that sum to it and the mark of each seat."""

    base_score: int
    made: bool
    target: int
    taker: int
    partner: int | None
    defender: int
    lines: tuple[ScoreLine, ...]


def score_deal(result: DealResult, rules: ScoringRules = FFT) -> DealScore:
    """The score of a deal; raises ScoringError where its figures contradict each other.

    Published examples score as printed, those too that no play of cards gives: `check_cards` tells which these are.
    """
    check(result, rules)
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
        for poignee in poignees:  # to the winner of the deal, whoever showed it
            yield ScoreLine("poignee", sign * rules.poignees[poignee], {"poignee": str(poignee), "side": str(side)})
    if result.chelem != Chelem.NONE:
        yield ScoreLine("chelem", rules.chelems[result.chelem], {"chelem": str(result.chelem)})


def marks(base_score: int, players: int = 4, partner: bool | None = None) -> Marks:
    """The mark of each seat for a base score, which may come from a fiche that holds nothing else."""
    check_players(players, partner)
    defenders = players - (2 if partner else 1)
    share = base_score if partner else None
    return Marks(taker=defenders * base_score - (share or 0), partner=share, defender=-base_score)


@cache
def possible_base_scores(
    contract: Contract, players: int = 4, rules: ScoringRules = FFT, chelems: frozenset[Chelem] = frozenset(Chelem)
) -> frozenset[int]:
    """Every base score that some result of the cards gives with the contract and one of the chelems named. Cached.

    Poignées bar no points and no chelem, so they are added to the scores of the other facts, made or failed.
    """
    partners = (True, False) if players == 5 else (None,)
    poignees = {total for partner in partners for total in _poignee_totals(contract, players, partner, rules)}
    facts = product(range(BOUTS + 1), range(DECK + 1), Side, sorted(chelems))
    results = (
        DealResult(players, contract, bouts, half_points, petit, chelem=chelem, partner=partners[0])
        for bouts, half_points, petit, chelem in facts
    )
    return frozenset(
        score.base_score + (total if score.made else -total) for score in _scores(results, rules) for total in poignees
    )


def _poignee_totals(contract: Contract, players: int, partner: bool | None, rules: ScoringRules) -> set[int]:
    """What the poignées of a deal can add up to. Never three: three times the least is more than 22 trumps."""
    shown = [(), *((poignee,) for poignee in Poignee), *product(Poignee, repeat=2)]
    bare = DealResult(players, contract, bouts=0, half_points=0, partner=partner)
    totals = set()
    for attack, defence in product(shown, repeat=2):
        try:
            check(replace(bare, poignees_attack=attack, poignees_defence=defence), rules)
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
