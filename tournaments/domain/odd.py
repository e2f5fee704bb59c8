"""Knows which results of one étui lie far from those of the other tables. Pure; knows no card, and calls nobody wrong.

A mark for the director alone: it comes from other tables' results. docs/plausibility.md derives the figures.
"""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from statistics import median
from typing import TypeVar

from scoring.values import FFT, Contract, ScoringRules

FEWEST_OTHERS = 3
FAR = 25  # points of the deal: nearer to the middle of the others than this, nothing is odd
SPREADS = 4  # times the others' own spread

Key = TypeVar("Key", bound=Hashable)


def odd(scores: Mapping[Key, int], contract: Contract = Contract.GARDE, rules: ScoringRules = FFT) -> set[Key]:
    """The plays of an étui whose base scores are far from the others'; none where a play has fewer than 3 others.

    All have the same taker and contract: in a free auction, plays are compared in such groups. Each score is held
    against the rest alone, and medians are compared, so that wrong scores do not hide one another while they are few.
    """
    coefficient = rules.coefficients[contract]
    margins = {key: _margin(score, rules.base * coefficient) for key, score in scores.items()}
    return {
        key
        for key, margin in margins.items()
        if _is_far(margin, [other for at, other in margins.items() if at != key], FAR * coefficient)
    }


def _margin(score: int, base: int) -> Fraction:
    """The score without the base that every contract has: one point fewer is then one step, made or failed."""
    return Fraction(score - base if score > 0 else score + base if score < 0 else 0)


def _is_far(margin: Fraction, others: list[Fraction], least: int) -> bool:
    if len(others) < FEWEST_OTHERS:
        return False
    middle = median(others)
    spread = median([abs(other - middle) for other in others])
    return abs(margin - middle) > max(Fraction(least), SPREADS * spread)
