"""What made the difference between the best and the worst of an étui: named rules on what the tables reported.

Pure. A rule says what it explains in points of the score, or is silent; docs/difference.md tells them with examples.
Of plays whose base score alone is known nothing is said, and nothing of cards: only of what was reported.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from scoring.contract import FFT, DealResult, DealScore, ScoringRules, score_deal
from scoring.ranking import Line

MOST = 3  # sentences
LEAST_SHARE = Fraction(1, 10)  # of the difference: less than that is not what made it
POINTS_APART = 10  # of the 91; fewer are the run of the play

Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Played:
    """One play as it is compared. `score`: the base score, or a seat's mark. `unit`: how often the base score is in it
    (1; of a mark 3 for the taker, −1 for a defender). `result` is None where the base score alone is known, or where
    everyone passed (`taker` is None then)."""

    score: int
    unit: int
    taker: Line | None
    result: DealResult | None


@dataclass(frozen=True, slots=True)
class Reason:
    """What a rule found: `gain` points of the difference, with the two sides as `best` and `worst` in its params."""

    code: str
    gain: Fraction
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Difference:
    """`best` and `worst` are the scores that are compared; the most telling reason comes first."""

    best: int
    worst: int
    reasons: tuple[Reason, ...]

    @property
    def gap(self) -> int:
        """Return the points between the best and the worst."""
        return self.best - self.worst

    @property
    def rest(self) -> Fraction:
        """Return the points that no reason explains; below zero where what else differed favoured the worst."""
        return self.gap - sum((reason.gain for reason in self.reasons), Fraction(0))


class Pair:
    """The best plays and the worst. Those of one score may have come to it in different ways: no rule speaks of what
    they do not share."""

    def __init__(self, plays: Sequence[Played], rules: ScoringRules) -> None:
        self.plays, self.rules = Counter(plays), rules
        self.high, self.low = (end(play.score for play in self.plays) for end in (max, min))
        self.best = [play for play in self.plays if play.score == self.high]
        self.worst = [play for play in self.plays if play.score == self.low]

    @property
    def gap(self) -> int:
        return self.high - self.low

    def share(self, read: Callable[[Played], Value]) -> tuple[Value, Value] | None:
        """What all of the best have, and all of the worst."""
        sides = [{read(play) for play in side} for side in (self.best, self.worst)]
        return None if any(len(side) != 1 for side in sides) else (sides[0].pop(), sides[1].pop())

    @cached_property
    def takers(self) -> tuple[Line | None, Line | None] | None:
        return self.share(lambda play: play.taker)

    @cached_property
    def unit(self) -> int:
        """0 where not one and the same seat takes at all of them: their scores are then not made of the same parts."""
        takers = {play.taker for play in (*self.best, *self.worst)}
        return self.best[0].unit if len(takers) == 1 and None not in takers else 0

    def results(self, read: Callable[[DealResult], Value]) -> tuple[Value, Value] | None:
        """As `share`, of what was reported, where it can be compared."""
        return self.share(lambda play: read(reported(play))) if self.unit else None

    def scores(self, read: Callable[[DealScore], Value]) -> tuple[Value, Value] | None:
        return self.results(lambda result: read(score_deal(result, self.rules)))

    def amounts(self, kind: str) -> tuple[int, int] | None:
        """What the lines of one kind come to in the base scores."""
        return self.scores(lambda score: sum(line.amount for line in score.lines if line.kind == kind))

    @cached_property
    def coefficients(self) -> tuple[int, int] | None:
        return self.results(lambda result: self.rules.coefficients[result.contract])


def reported(play: Played) -> DealResult:
    """Its result, of a play that has one."""
    assert play.result is not None
    return play.result


def explain(plays: Sequence[Played], rules: ScoringRules = FFT) -> Difference | None:
    """Up to three reasons for the difference of these plays, which are compared with one another.

    None where fewer than two of them are known by more than a base score, where these are equal, or where no rule
    speaks.
    """
    known = [play for play in plays if play.result is not None or play.taker is None]
    if len({play.score for play in known}) < 2:
        return None
    pair = Pair(known, rules)
    found = [reason for rule in RULES if (reason := rule(pair)) and reason.gain >= LEAST_SHARE * pair.gap]
    found.sort(key=lambda reason: -reason.gain)
    return Difference(pair.high, pair.low, tuple(found[:MOST])) if found else None


def by_taker(pair: Pair) -> Reason | None:
    """Free auction: another seat took, or nobody did. It is all of the difference: the parts cannot be compared."""
    if pair.takers is None or pair.takers[0] == pair.takers[1]:
        return None
    return tell("taker", Fraction(pair.gap), pair.takers)


def by_contract(pair: Pair) -> Reason | None:
    """Return the reason where another contract was played, in a free auction.

    Its gain is what the best would lack, had it been played for the coefficient of the worst: of the contract's line,
    and of the petit au bout's where both had the same.
    """
    contracts, amounts = pair.results(lambda result: result.contract), pair.amounts("contract")
    if contracts is None or contracts[0] == contracts[1] or amounts is None or pair.coefficients is None:
        return None
    best, worst = pair.coefficients
    at_stake = amounts[0]
    petit, petit_amounts = pair.results(lambda result: result.petit_au_bout), pair.amounts("petit_au_bout")
    if petit is not None and petit_amounts is not None and petit[0] == petit[1]:
        at_stake += petit_amounts[0]
    return tell("contract", pair.unit * at_stake * (1 - Fraction(worst, best)), contracts)


def by_outcome(pair: Pair) -> Reason | None:
    """Made against failed: twice the 25 points that every contract has, at the coefficient of the worst; and the
    poignées, where the same were shown: they go to whoever wins the deal."""
    made = pair.scores(lambda score: score.made)
    if made is None or made[0] == made[1] or pair.coefficients is None:
        return None
    gain = pair.unit * 2 * pair.rules.base * pair.coefficients[1] * (1 if made[0] else -1)
    amounts, shown = pair.amounts("poignee"), pair.results(poignees)
    if amounts is not None and shown is not None and shown[0] == shown[1]:
        gain += pair.unit * (amounts[0] - amounts[1])
    told = {play: times for play, times in pair.plays.items() if play.result is not None}
    count = sum(times for play, times in told.items() if score_deal(reported(play), pair.rules).made)
    return tell("made" if made[0] else "failed", Fraction(gain), made, count=count, plays=sum(told.values()))


def by_bouts(pair: Pair) -> Reason | None:
    """More bouts in the attack's tricks: fewer points to make."""
    bouts, targets = pair.results(lambda result: result.bouts), pair.scores(lambda score: score.target)
    if bouts is None or bouts[0] == bouts[1] or targets is None or pair.coefficients is None:
        return None
    gain = pair.unit * pair.coefficients[1] * (targets[1] - targets[0])
    return tell("bouts", Fraction(gain), bouts, target=targets[0], other=targets[1])


def by_points(pair: Pair) -> Reason | None:
    """Points in the attack's tricks, where ten or more lie between them."""
    points = pair.results(lambda result: result.half_points)
    if points is None or abs(points[0] - points[1]) < 2 * POINTS_APART or pair.coefficients is None:
        return None
    gain = Fraction(pair.unit * pair.coefficients[1] * (points[0] - points[1]), 2)
    return tell("points", gain, points, times=abs(pair.unit) * pair.coefficients[1])


def by_petit(pair: Pair) -> Reason | None:
    """The petit au bout, to the attack, to the defence, or to nobody."""
    return by_line(pair, "petit_au_bout", lambda result: result.petit_au_bout)


def by_poignees(pair: Pair) -> Reason | None:
    """Poignées, where not the same were shown."""
    return by_line(pair, "poignee", poignees)


def by_chelem(pair: Pair) -> Reason | None:
    """A chelem, announced or not, made, failed or suffered."""
    return by_line(pair, "chelem", lambda result: result.chelem)


def by_line(pair: Pair, kind: str, read: Callable[[DealResult], Hashable]) -> Reason | None:
    """What a line of the score is for differs: the gain is the difference of its amounts."""
    told, amounts = pair.results(read), pair.amounts(kind)
    if told is None or told[0] == told[1] or amounts is None:
        return None
    return tell(kind, Fraction(pair.unit * (amounts[0] - amounts[1])), told)


def poignees(result: DealResult) -> tuple[tuple[str, str], ...]:
    """Each poignée that was shown, with the side that showed it."""
    sides = (("attack", result.poignees_attack), ("defence", result.poignees_defence))
    return tuple((str(poignee), side) for side, shown in sides for poignee in sorted(shown))


def tell(code: str, gain: Fraction, sides: tuple[Hashable, Hashable], **more: int) -> Reason:
    """A reason with what the best had and what the worst had."""
    return Reason(code, gain, {"best": sides[0], "worst": sides[1], **more})


RULES: tuple[Callable[[Pair], Reason | None], ...] = (
    by_taker,
    by_contract,
    by_outcome,
    by_chelem,
    by_petit,
    by_poignees,
    by_bouts,
    by_points,
)
