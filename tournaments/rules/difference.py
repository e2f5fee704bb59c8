"""The reasons for the difference between the best and the worst scores of an étui. The functions are pure.

Each rule (`by_taker`, `by_contract`...) compares what the best and the worst tables reported. It returns a reason with
the number of points that it explains, or None. docs/difference.md describes the rules with examples. Plays of which
only the base score is known are left out. The rules know no cards.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from scoring.contract import FFT, DealResult, DealScore, ScoringRules, score_deal

MOST = 3  # the most reasons that are returned
LEAST_SHARE = Fraction(1, 10)  # a reason must explain at least this share of the difference
POINTS_APART = 10  # in points, of 91 in a deal: a smaller difference is normal

Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ComparedPlay:
    """A play to compare. `score` is the base score times `unit`.

    `unit` is 1 to compare base scores. To compare the marks of a seat it is 3 if the seat is the taker's, and −1 if it
    is a defender's. `result` is None if only the base score is known, or if everyone passed (then `taker` is None too).
    """

    score: int
    unit: int
    taker: str | None
    result: DealResult | None
    partner: str = ""


@dataclass(frozen=True, slots=True)
class DifferenceReason:
    """A reason found by a rule: it explains `gain` points of the difference.

    `params` has the compared value, such as the contract, of the best plays (`best`) and of the worst plays (`worst`).
    """

    code: str
    gain: Fraction
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """The difference of two scores, `best` and `worst`, with its reasons, ordered by gain, the greatest first."""

    best: int
    worst: int
    reasons: tuple[DifferenceReason, ...]

    @property
    def gap(self) -> int:
        """The difference between the best and the worst score, in points."""
        return self.best - self.worst

    @property
    def rest(self) -> Fraction:
        """The points that the reasons leave unexplained. Below 0 if they explain more points than there are."""
        return self.gap - sum((reason.gain for reason in self.reasons), Fraction(0))


class Pair:
    """The plays with the best score and the plays with the worst score of an étui.

    Plays may have the same score for different reasons. Rules therefore use only values that are equal in all the best
    plays, and equal in all the worst plays.
    """

    def __init__(self, plays: Sequence[ComparedPlay], rules: ScoringRules) -> None:
        self.plays, self.rules = Counter(plays), rules
        self.high, self.low = (end(play.score for play in self.plays) for end in (max, min))
        self.best = [play for play in self.plays if play.score == self.high]
        self.worst = [play for play in self.plays if play.score == self.low]

    @property
    def gap(self) -> int:
        return self.high - self.low

    def share(self, read: Callable[[ComparedPlay], Value]) -> tuple[Value, Value] | None:
        """Return a pair: the value that `read` finds in all the best plays, and the one in all the worst plays.

        Return None if the best plays have different values, or the worst plays have.
        """
        sides = [{read(play) for play in side} for side in (self.best, self.worst)]
        return None if any(len(side) != 1 for side in sides) else (sides[0].pop(), sides[1].pop())

    @cached_property
    def takers(self) -> tuple[str | None, str | None] | None:
        """The taker of the best plays and that of the worst plays, as `share` returns them."""
        return self.share(lambda play: play.taker)

    @cached_property
    def unit(self) -> int:
        """The `unit` of the plays, or 0 if different seats took: such scores cannot be compared part by part."""
        plays = (*self.best, *self.worst)
        takers, units = {play.taker for play in plays}, {play.unit for play in plays}
        return self.best[0].unit if len(takers) == len(units) == 1 and None not in takers else 0

    def results(self, read: Callable[[DealResult], Value]) -> tuple[Value, Value] | None:
        """Return the pair of `share` for a value of the reported results. Return None if different seats took."""
        return self.share(lambda play: read(read_reported_result(play))) if self.unit else None

    def scores(self, read: Callable[[DealScore], Value]) -> tuple[Value, Value] | None:
        """Return the pair of `share` for a value of the computed scores. Return None if different seats took."""
        return self.results(lambda result: read(score_deal(result, self.rules)))

    def amounts(self, kind: str) -> tuple[int, int] | None:
        """Return the pair of `share` for the points that lines of this kind give in the base score."""
        return self.scores(lambda score: sum(line.amount for line in score.lines if line.kind == kind))

    @cached_property
    def coefficients(self) -> tuple[int, int] | None:
        """The coefficients of the contract in the best plays and in the worst plays, as `share` returns them."""
        return self.results(lambda result: self.rules.coefficients[result.contract])


def read_reported_result(play: ComparedPlay) -> DealResult:
    """Return the result of a play of which more than the base score is known."""
    assert play.result is not None
    return play.result


def explain(plays: Sequence[ComparedPlay], rules: ScoringRules = FFT) -> ScoreDifference | None:
    """Return the difference between the best and the worst of these plays, with up to three reasons.

    Plays of which only the base score is known are left out. Return None if the other plays have no two different
    scores, or if no rule finds a reason.
    """
    scored = [play for play in plays if play.result is not None or play.taker is None]
    if len({play.score for play in scored}) < 2:
        return None
    pair = Pair(scored, rules)
    reasons = [reason for rule in RULES if (reason := rule(pair)) and reason.gain >= LEAST_SHARE * pair.gap]
    reasons.sort(key=lambda reason: -reason.gain)
    return ScoreDifference(pair.high, pair.low, tuple(reasons[:MOST])) if reasons else None


def by_taker(pair: Pair) -> DifferenceReason | None:
    """Return a reason if different seats took, or if in one case everyone passed, in a free auction.

    The reason explains the whole difference, because parts of such scores cannot be compared.
    """
    if pair.takers is None or pair.takers[0] == pair.takers[1]:
        return None
    return make_reason("taker", Fraction(pair.gap), pair.takers)


def by_contract(pair: Pair) -> DifferenceReason | None:
    """Return a reason if the contracts were different, in a free auction.

    Its gain is the points that the best plays would lose with the coefficient of the worst plays. These points are lost
    in the line of the contract. If the petit au bout was the same in both cases, they are also lost in its line.
    """
    contracts, amounts = pair.results(lambda result: result.contract), pair.amounts("contract")
    if contracts is None or contracts[0] == contracts[1] or amounts is None or pair.coefficients is None:
        return None
    best, worst = pair.coefficients
    at_stake = amounts[0]
    petit, petit_amounts = pair.results(lambda result: result.petit_au_bout), pair.amounts("petit_au_bout")
    if petit is not None and petit_amounts is not None and petit[0] == petit[1]:
        at_stake += petit_amounts[0]
    return make_reason("contract", pair.unit * at_stake * (1 - Fraction(worst, best)), contracts)


def by_outcome(pair: Pair) -> DifferenceReason | None:
    """Return a reason if the contract was made in one case and failed in the other.

    It explains twice the 25 base points of every contract, times the coefficient of the worst plays. If both showed the
    same poignées, it also explains their points, because poignées count for the side that wins the deal.
    """
    made = pair.scores(lambda score: score.made)
    if made is None or made[0] == made[1] or pair.coefficients is None:
        return None
    gain = pair.unit * 2 * pair.rules.base * pair.coefficients[1] * (1 if made[0] else -1)
    amounts, shown = pair.amounts("poignee"), pair.results(poignees)
    if amounts is not None and shown is not None and shown[0] == shown[1]:
        gain += pair.unit * (amounts[0] - amounts[1])
    scored = {play: times for play, times in pair.plays.items() if play.result is not None}
    count = sum(times for play, times in scored.items() if score_deal(read_reported_result(play), pair.rules).made)
    return make_reason("made" if made[0] else "failed", Fraction(gain), made, count=count, plays=sum(scored.values()))


def by_bouts(pair: Pair) -> DifferenceReason | None:
    """Return a reason if the attack has more bouts in one case, because it then needs fewer points."""
    bouts, targets = pair.results(lambda result: result.bouts), pair.scores(lambda score: score.target)
    if bouts is None or bouts[0] == bouts[1] or targets is None or pair.coefficients is None:
        return None
    gain = pair.unit * pair.coefficients[1] * (targets[1] - targets[0])
    return make_reason("bouts", Fraction(gain), bouts, target=targets[0], other=targets[1])


def by_points(pair: Pair) -> DifferenceReason | None:
    """Return a reason if the attack's points in tricks differ by ten or more."""
    points = pair.results(lambda result: result.half_points)
    if points is None or abs(points[0] - points[1]) < 2 * POINTS_APART or pair.coefficients is None:
        return None
    gain = Fraction(pair.unit * pair.coefficients[1] * (points[0] - points[1]), 2)
    return make_reason("points", gain, points, times=abs(pair.unit) * pair.coefficients[1])


def by_petit(pair: Pair) -> DifferenceReason | None:
    """Return a reason if the petit au bout was won by different sides, or by nobody in only one of the two cases."""
    return by_line(pair, "petit_au_bout", lambda result: result.petit_au_bout)


def by_poignees(pair: Pair) -> DifferenceReason | None:
    """Return a reason if different poignées were shown."""
    return by_line(pair, "poignee", poignees)


def by_chelem(pair: Pair) -> DifferenceReason | None:
    """Return a reason if a chelem was announced, made, failed or suffered in one case only."""
    return by_line(pair, "chelem", lambda result: result.chelem)


def by_line(pair: Pair, kind: str, read: Callable[[DealResult], Hashable]) -> DifferenceReason | None:
    """Return a reason if the value of `read` differs. Its gain is the difference of the score lines of this `kind`."""
    results, amounts = pair.results(read), pair.amounts(kind)
    if results is None or results[0] == results[1] or amounts is None:
        return None
    return make_reason(kind, Fraction(pair.unit * (amounts[0] - amounts[1])), results)


def poignees(result: DealResult) -> tuple[tuple[str, str], ...]:
    """Return each poignée that was shown as a pair (poignée, side), such as ("simple", "attack")."""
    sides = (("attack", result.poignees_attack), ("defence", result.poignees_defence))
    return tuple((str(poignee), side) for side, shown in sides for poignee in sorted(shown))


def make_reason(code: str, gain: Fraction, sides: tuple[Hashable, Hashable], **more: int) -> DifferenceReason:
    """Return a reason. `sides` is a pair: the value in the best plays, and the value in the worst plays."""
    return DifferenceReason(code, gain, {"best": sides[0], "worst": sides[1], **more})


RULES: tuple[Callable[[Pair], DifferenceReason | None], ...] = (
    by_taker,
    by_contract,
    by_outcome,
    by_chelem,
    by_petit,
    by_poignees,
    by_bouts,
    by_points,
)
