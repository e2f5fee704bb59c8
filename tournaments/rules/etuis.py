"""The odd results of an étui, and the split of an étui whose cards were altered during the evening.

An odd result need not be wrong. Only directors see that a result is odd, because this tells something about the other
tables' results. docs/plausibility.md explains the limits below.

The plays before and the plays after the alteration are compared separately.

A `ResultDoubt` says why a director should look at a result, by figures that only directors may see.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from statistics import median
from typing import NamedTuple, TypeVar

from scoring.values import FFT, Contract, ScoringRules
from tournaments.rules.entry import Entry, Facts, base_score

FEWEST_OTHERS = 3
# A result is not odd if its distance from the median of the others is at most this, in points of the deal.
FAR = 32  # the limit if scores are compared
FAR_POINTS = 19  # the limit if the counted points are compared
A_BOUT = 5  # the value of a bout in points: the points of its card, and the points by which it lowers the target
# A result is not odd either if its distance is at most this many times the spread (median distance) of the others.
SPREADS = 4

Key = TypeVar("Key", bound=Hashable)


def odd_entries(
    entries: Mapping[Key, Entry], contract: Contract = Contract.GARDE, rules: ScoringRules = FFT
) -> set[Key]:
    """Return the keys of the odd plays of an étui.

    Plays whose points are known are compared by points if there are at least four of them. All other plays are compared
    by base scores.
    """
    facts = {key: entry for key, entry in entries.items() if isinstance(entry, Facts)}
    by_scores = odd({key: base_score(entry, rules) for key, entry in entries.items()}, contract, rules)
    return by_scores - set(facts) | odd_points(facts) if len(facts) > FEWEST_OTHERS else by_scores


def odd_points(facts: Mapping[Key, Facts]) -> set[Key]:
    """Return the keys of the plays whose points are far from the others'. A_BOUT is subtracted first for each bout.

    Points are closer together than scores, which also depend on the target, the poignées and the petit au bout.
    """
    points = {key: Fraction(one.result.half_points, 2) - A_BOUT * one.result.bouts for key, one in facts.items()}
    return _far_ones(points, FAR_POINTS)


def odd(
    scores: Mapping[Key, int], contract: Contract = Contract.GARDE, rules: ScoringRules = FFT, far: int = FAR
) -> set[Key]:
    """Return the keys of the plays whose base scores are far from the others'. Return none if there are fewer than 4.

    All these plays have the same taker and contract. Each score is compared with the median of the others. A median
    hardly changes because of a few wrong scores, so these are still found.
    """
    coefficient = rules.coefficients[contract]
    margins = {key: _margin(score, rules.base * coefficient) for key, score in scores.items()}
    return _far_ones(margins, far * coefficient)


def _far_ones(values: Mapping[Key, Fraction], least: int) -> set[Key]:
    """Return the keys of the values that are far from the others, by `_is_far`. Equal values are checked once."""
    kept = list(values.values())
    far = {value for value in set(kept) if _is_far(value, _others(kept, value), least)}
    return {key for key, value in values.items() if value in far}


def _others(values: Sequence[Fraction], value: Fraction) -> list[Fraction]:
    """Return the values, with one of those that equal `value` left out."""
    others = list(values)
    others.remove(value)
    return others


def _margin(score: int, base: int) -> Fraction:
    """Return the score without the base points that every contract has. A score of 0 stays 0.

    So a contract that was just made and a contract that just failed are close together.
    """
    return Fraction(score - base if score > 0 else score + base if score < 0 else 0)


def _is_far(margin: Fraction, others: list[Fraction], least: int) -> bool:
    """Return whether a value is farther from the median of the others than `least` and than SPREADS times their spread.

    The spread is the median of the distances of the others from their median.
    """
    if len(others) < FEWEST_OTHERS:
        return False
    middle = median(others)
    spread = median([abs(other - middle) for other in others])
    return abs(margin - middle) > max(Fraction(least), SPREADS * spread)


BEFORE, AFTER = 1, 2


class EtuiSplit(NamedTuple):
    """The moment of the alteration.

    Plays from `from_position` on came after it, except those of the tables `played_before` in that very position.
    """

    from_position: int
    played_before: tuple[int, ...] = ()

    def part(self, position: int, table: int) -> int:
        """Return whether the play of this table in this position came BEFORE or AFTER the alteration."""
        if position == self.from_position:
            return BEFORE if table in self.played_before else AFTER
        return BEFORE if position < self.from_position else AFTER


def find_etui_part(split: EtuiSplit | None, position: int, table: int) -> int:
    """Return BEFORE or AFTER as `EtuiSplit.part` does. Without a split, every play is BEFORE."""
    return split.part(position, table) if split else BEFORE


class ResultDoubt(NamedTuple):
    """A reason to look at a result: its code, and the figures that show it.

    The `unit` of the figures is "points" or "equal_points" (in halves), "scores" or "bouts", or "" if there are none.
    """

    code: str
    unit: str = ""
    figures: tuple[int, ...] = ()


def doubt_contest(counts: Entry, other: Entry, rules: ScoringRules = FFT) -> ResultDoubt:
    """Return the doubt about a result that another entry contradicts. Its figures are both, in points or in scores."""
    if isinstance(counts, Facts) and isinstance(other, Facts) and counts.result.half_points != other.result.half_points:
        return ResultDoubt("contested", "points", (counts.result.half_points, other.result.half_points))
    scores = base_score(counts, rules), base_score(other, rules)
    return ResultDoubt("contested", "scores", scores) if scores[0] != scores[1] else ResultDoubt("contested")


def doubt_far(own: Entry, others: Sequence[Entry], rules: ScoringRules = FFT) -> ResultDoubt:
    """Return the doubt about a result that is far from the others: its figure, their least and their greatest one.

    The figures are those that `odd_entries` compares. Points of other numbers of bouts are brought to the same number.
    """
    facts = [other.result for other in others if isinstance(other, Facts)]
    if isinstance(own, Facts) and len(facts) >= FEWEST_OTHERS:
        bouts = own.result.bouts
        points = [each.half_points + 2 * A_BOUT * (bouts - each.bouts) for each in facts]
        unit = "points" if all(each.bouts == bouts for each in facts) else "equal_points"
        return ResultDoubt("far", unit, (own.result.half_points, min(points), max(points)))
    scores = [base_score(other, rules) for other in others]
    return ResultDoubt("far", "scores", (base_score(own, rules), min(scores), max(scores)))
