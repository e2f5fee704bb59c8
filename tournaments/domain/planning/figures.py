"""What a plan achieves, in numbers that a director can compare.

Pure. Knows the plan only. A perfect plan has no repeated meeting and no replayed étui.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from tournaments.domain.planning.plan import Member, Plan


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts over the whole plan; fillers meet and are met, but rest and are compared for nobody.

    most_meetings: the most positions that two players of different lines sit together.
    repeated: meetings beyond the first, of all of them.
    replays: étuis that somebody plays again, over all players.
    exempt: how many rest in each position.
    least_exempt, most_exempt: the fewest and the most positions that anybody rests, of those he is there.
    balance: 0 to 100; 100 when any two players of one line are compared on the same number of étuis.
    missing: the most étuis of the plan that somebody there all through does not play.
    """

    most_meetings: int
    repeated: int
    replays: int
    exempt: tuple[int, ...]
    least_exempt: int
    most_exempt: int
    balance: int
    missing: int

    @property
    def perfect(self) -> bool:
        return not self.repeated and not self.replays

    @property
    def exemption_gap(self) -> int:
        return self.most_exempt - self.least_exempt


def figures(plan: Plan) -> Figures:
    """Of any plan whose seats hold members of it."""
    meetings: Counter[tuple[Member, Member]] = Counter()
    played: dict[Member, int] = dict.fromkeys(plan.members(), 0)  # étui e is bit e
    replays = 0
    every_etui = 0
    for play in plan.plays:
        etuis = sum(1 << etui for etui in play.etuis)
        every_etui |= etuis
        if not play.complete:
            continue
        members = play.members
        meetings.update(combinations(members, 2))
        for member in members:
            replays += (played[member] & etuis).bit_count()
            played[member] |= etuis
    exempt = plan.exempt()
    rests = Counter(member for resting in exempt for member in resting)
    ranked = [member for member in plan.members() if member not in plan.fillers]
    partly = {Member(span.line, span.number) for span in plan.spans}
    return Figures(
        most_meetings=max(meetings.values(), default=0),
        repeated=meetings.total() - len(meetings),
        replays=replays,
        exempt=tuple(map(len, exempt)),
        least_exempt=min((rests[member] for member in ranked), default=0),
        most_exempt=max((rests[member] for member in ranked), default=0),
        balance=_balance({member: played[member] for member in ranked if member not in partly}),
        missing=max(
            ((every_etui & ~played[member]).bit_count() for member in ranked if member not in partly), default=0
        ),
    )


def _balance(played: dict[Member, int]) -> int:
    """(Σ c)² / (pairs × Σ c²) in per cent, c the étuis that two players of one line share."""
    shared = [(played[one] & played[two]).bit_count() for one, two in combinations(played, 2) if one.line == two.line]
    squares = sum(count * count for count in shared)
    if not shared:
        return 100
    return round(Fraction(100 * sum(shared) ** 2, len(shared) * squares)) if squares else 0
