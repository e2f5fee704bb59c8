"""The odd results of an étui: those far from the results of the other tables.

Pure; knows no card, and calls nobody wrong.

The mark is for the director alone, since it comes from other tables' results. docs/plausibility.md derives the figures.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import TypeVar

from scoring.values import FFT, Contract, ScoringRules
from tournaments.rules.entry import Entry, Facts, base_score

FEWEST_OTHERS = 3
# In points of the deal: a result nearer to the median of the others than this is not odd.
FAR = 32  # between scores
FAR_POINTS = 19  # between counted points
A_BOUT = 5  # points that a bout brings its side: the points of the card, and the points that it takes off the target
SPREADS = 4  # times the others' own spread

Key = TypeVar("Key", bound=Hashable)


def odd_entries(
    entries: Mapping[Key, Entry], contract: Contract = Contract.GARDE, rules: ScoringRules = FFT
) -> set[Key]:
    """Return the odd plays of an étui: by points if these are known, for enough others too, else by scores."""
    facts = {key: entry for key, entry in entries.items() if isinstance(entry, Facts)}
    by_scores = odd({key: base_score(entry, rules) for key, entry in entries.items()}, contract, rules)
    return by_scores - set(facts) | odd_points(facts) if len(facts) > FEWEST_OTHERS else by_scores


def odd_points(facts: Mapping[Key, Facts]) -> set[Key]:
    """Return the plays whose points are far from the others'. Points that come from bouts are taken off first.

    Points scatter less than scores: no target, poignée or petit au bout makes a step in them.
    """
    points = {key: Fraction(one.result.half_points, 2) - A_BOUT * one.result.bouts for key, one in facts.items()}
    return _far_ones(points, FAR_POINTS)


def odd(
    scores: Mapping[Key, int], contract: Contract = Contract.GARDE, rules: ScoringRules = FFT, far: int = FAR
) -> set[Key]:
    """Return the plays of an étui whose base scores are far from the others'; none if a play has fewer than 3 others.

    All have the same taker and contract: in a free auction, plays are compared in such groups. Each score is compared
    with the median of the others alone, so a few wrong scores do not hide one another.
    """
    coefficient = rules.coefficients[contract]
    margins = {key: _margin(score, rules.base * coefficient) for key, score in scores.items()}
    return _far_ones(margins, far * coefficient)


def _far_ones(values: Mapping[Key, Fraction], least: int) -> set[Key]:
    """Return the keys of the values that are far from all others.

    Equal values have the same others: each is checked once.
    """
    kept = list(values.values())
    far = {value for value in set(kept) if _is_far(value, _others(kept, value), least)}
    return {key for key, value in values.items() if value in far}


def _others(values: Sequence[Fraction], value: Fraction) -> list[Fraction]:
    others = list(values)
    others.remove(value)
    return others


def _margin(score: int, base: int) -> Fraction:
    """Return the score without the base of every contract, so that one point less is one step, made or failed."""
    return Fraction(score - base if score > 0 else score + base if score < 0 else 0)


def _is_far(margin: Fraction, others: list[Fraction], least: int) -> bool:
    if len(others) < FEWEST_OTHERS:
        return False
    middle = median(others)
    spread = median([abs(other - middle) for other in others])
    return abs(margin - middle) > max(Fraction(least), SPREADS * spread)
