"""What a plan achieves, in numbers that a director can compare.

Pure. Knows the plan only. A perfect plan has no repeated meeting and no replayed étui.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from deals.domain.board import taker_and_dealer
from deals.domain.cards import LINES
from movements.plans.plan import SEATS, Member, Plan

Takers = Mapping[int, int]  # by étui of the plan, the place of its taker's line in LINES


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
    bound: the fewest meetings that counting allows to be repeated, when everybody plays as often (docs/movements.md).
    etuis: how many different étuis are played, and so have to be filled.
    copies: how many of each étui let no table wait for it: more than 1 only where tables play the same ones.
    least_played, most_played: the fewest and the most étuis that anybody there all through plays.
    least_attacks, most_attacks: the same of those he takes, where the étui's number names the taker.
    """

    most_meetings: int
    repeated: int
    replays: int
    exempt: tuple[int, ...]
    least_exempt: int
    most_exempt: int
    balance: int
    missing: int
    bound: int
    etuis: int
    copies: int
    least_played: int
    most_played: int
    least_attacks: int
    most_attacks: int

    @property
    def perfect(self) -> bool:
        return not self.repeated and not self.replays

    @property
    def exemption_gap(self) -> int:
        return self.most_exempt - self.least_exempt


def figures(plan: Plan, *, takers: Takers | None = None) -> Figures:
    """Of any plan whose seats hold members of it; `takers` as for `attacks`."""
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
        meetings.update(combinations(sorted(members), 2))
        for member in members:
            replays += (played[member] & etuis).bit_count()
            played[member] |= etuis
    exempt = plan.exempt()
    rests = Counter(member for resting in exempt for member in resting)
    ranked = [member for member in plan.members() if member not in plan.fillers]
    constant = _constant(plan)
    least_attacks, most_attacks = attack_range(plan, takers=takers)
    return Figures(
        most_meetings=max(meetings.values(), default=0),
        repeated=meetings.total() - len(meetings),
        replays=replays,
        exempt=tuple(map(len, exempt)),
        least_exempt=min((rests[member] for member in ranked), default=0),
        most_exempt=max((rests[member] for member in ranked), default=0),
        balance=_balance({member: played[member] for member in constant}),
        missing=max(((every_etui & ~played[member]).bit_count() for member in constant), default=0),
        bound=fewest_repeated(plan),
        etuis=every_etui.bit_count(),
        copies=copies_needed(plan),
        least_played=min((played[member].bit_count() for member in constant), default=0),
        most_played=max((played[member].bit_count() for member in constant), default=0),
        least_attacks=least_attacks,
        most_attacks=most_attacks,
    )


def _constant(plan: Plan) -> list[Member]:
    """Who is there all through and ranked."""
    partly = {Member(span.line, span.number) for span in plan.spans}
    return [member for member in plan.members() if member not in plan.fillers and member not in partly]


def attack_range(plan: Plan, *, takers: Takers | None = None) -> tuple[int, int]:
    """The fewest and the most étuis that anybody there all through takes; `takers` as for `attacks`."""
    taken = attacks(plan, takers=takers)
    found = [taken[member] for member in _constant(plan)] or [0]
    return min(found), max(found)


def attacks(plan: Plan, *, takers: Takers | None = None) -> Counter[Member]:
    """How many étuis each takes; whose `takers` are not given name them by their numbers."""
    seat = taking_lines(plan, takers)
    full = (play for play in plan.plays if play.complete)
    return Counter(members[seat[etui]] for play in full for members in [play.members] for etui in play.etuis)


def taking_lines(plan: Plan, takers: Takers | None = None) -> dict[int, int]:
    """The line that takes each étui of the plan."""
    etuis = {etui for play in plan.plays for etui in play.etuis}
    return {etui: LINES.index(taker_and_dealer(etui)[0]) for etui in etuis} | {
        etui: line for etui, line in (takers or {}).items() if etui in etuis
    }


def copies_needed(plan: Plan) -> int:
    """The tables that play the same étuis at one time over those étuis, so that each table has one in hand."""
    together = Counter(play.position for play in plan.plays if play.complete and plan.in_barometer(play.position))
    return -(-max(together.values(), default=1) // plan.etuis_per_position)


def fewest_repeated(plan: Plan) -> int:
    """How many meetings are repeated at least, by counting: whoever plays p positions meets p of each other line, which
    has so many members. Of two lines, the one for which more are repeated counts. With rovers on any line he meets
    3p of all those who are not bound to his own line."""
    played = Counter(member for play in plan.plays if play.complete for member in play.members)
    if plan.rovers:
        bound = Counter(member.line for member in plan.members() if member not in plan.rovers)
        others = {line: sum(plan.lines) - bound[line] for line in range(SEATS)}
        free = sum(plan.lines) - 1
        met = ((3 * times, free if one in plan.rovers else others[one.line]) for one, times in played.items())
        return -(-sum(max(0, meetings - people) for meetings, people in met) // 2)
    over = [[0] * SEATS for _ in range(SEATS)]
    for member, positions in played.items():
        for line, size in enumerate(plan.lines):
            over[member.line][line] += max(0, positions - size)
    return sum(max(over[one][other], over[other][one]) for one, other in combinations(range(SEATS), 2))


def _balance(played: dict[Member, int]) -> int:
    """(Σ c)² / (pairs × Σ c²) in per cent, c the étuis that two players of one line share."""
    shared = [(played[one] & played[two]).bit_count() for one, two in combinations(played, 2) if one.line == two.line]
    squares = sum(count * count for count in shared)
    if not shared:
        return 100
    return round(Fraction(100 * sum(shared) ** 2, len(shared) * squares)) if squares else 0
