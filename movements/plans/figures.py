"""The figures of a plan, by which a director compares it with others.

A plan is perfect if no two players meet twice and no player plays an étui twice.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from deals.domain.cards import LINES
from deals.domain.etui import taker_and_dealer
from movements.plans.plan import SEATS, Member, Plan

Takers = Mapping[int, int]  # étui → the line that takes it, as its index in LINES


@dataclass(frozen=True, slots=True)
class PlanFigures:
    """The figures of a whole plan. Fillers count in meetings, but not in rests and comparisons.

    - most_meetings: the largest number of positions in which two players of different lines sit together.
    - repeated: the meetings of each pair of players after its first one, added up.
    - replays: how many times a player plays an étui again, added up over all players.
    - exempt: the number of players who rest, for each position.
    - least_exempt, most_exempt: the fewest and the most positions that a player rests while in the plan.
    - balance: 0 to 100. 100 means that any two players of one line are compared on the same number of étuis.
    - missing: the most étuis of the plan that a player does not play.
    - bound: the least possible number of repeated meetings if everybody plays as often as in this plan
      (docs/movements.md).
    - etuis: the number of different étuis that are played. So many étuis have to be filled with cards.
    - copies: how many copies of each étui are needed if no table is to wait. More than 1 only if tables play the same
      étuis.
    - least_played, most_played: the fewest and the most étuis that a player plays.
    - least_attacks, most_attacks: the fewest and the most étuis that a player takes, if the étui's number names the
      taker.

    For `balance`, `missing`, `…_played` and `…_attacks`, only players who are there from start to end count.
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


def compute_figures(plan: Plan, *, takers: Takers | None = None) -> PlanFigures:
    """Return the figures of a plan. Every seat must hold a member of the plan.

    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    meetings: Counter[tuple[Member, Member]] = Counter()
    played: dict[Member, int] = dict.fromkeys(plan.members(), 0)  # the étuis of a member as bits: bit e is étui e
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
    return PlanFigures(
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
    """Return the ranked players who are there from the first position to the last."""
    partly = {Member(span.line, span.number) for span in plan.spans}
    return [member for member in plan.members() if member not in plan.fillers and member not in partly]


def attack_range(plan: Plan, *, takers: Takers | None = None) -> tuple[int, int]:
    """Return the fewest and the most étuis that a player takes, of all who are there from start to end.

    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    taken = attacks(plan, takers=takers)
    found = [taken[member] for member in _constant(plan)] or [0]
    return min(found), max(found)


def attacks(plan: Plan, *, takers: Takers | None = None) -> Counter[Member]:
    """Return how many étuis each player takes.

    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    seat = taking_lines(plan, takers)
    full = (play for play in plan.plays if play.complete)
    return Counter(members[seat[etui]] for play in full for members in [play.members] for etui in play.etuis)


def taking_lines(plan: Plan, takers: Takers | None = None) -> dict[int, int]:
    """Return the line that takes each étui of the plan, as an index in LINES.

    It is that of `takers`. If an étui is not in `takers`, its number decides.
    """
    etuis = {etui for play in plan.plays for etui in play.etuis}
    return {etui: LINES.index(taker_and_dealer(etui)[0]) for etui in etuis} | {
        etui: line for etui, line in (takers or {}).items() if etui in etuis
    }


def copies_needed(plan: Plan) -> int:
    """Return how many copies of each étui are needed so that every table always has an étui to play.

    It is the number of tables that play the same étuis at the same time, divided by the number of those étuis, rounded
    up.
    """
    together = Counter(play.position for play in plan.plays if play.complete and plan.in_barometer(play.position))
    return -(-max(together.values(), default=1) // plan.etuis_per_position)


def fewest_repeated(plan: Plan) -> int:
    """Return a number of repeated meetings that no plan can go below, found by counting.

    A player of p positions has p meetings with each other line. If that line has m players, and m is less than p, at
    least p − m meetings are repeated. These numbers are added up for each line against each other line. For each two
    lines, the larger of the two sums counts. Rovers may sit on any line. With rovers, a player has 3p meetings with m
    players: all others except those bound to the player's own line. Then half of the sum counts, because each meeting
    has two players.
    """
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
    """Return (Σ c)² / (pairs × Σ c²) in per cent.

    A pair is any two players of one line, and `pairs` the number of pairs. c is how many étuis both players of a pair
    play.
    """
    shared = [(played[one] & played[two]).bit_count() for one, two in combinations(played, 2) if one.line == two.line]
    squares = sum(count * count for count in shared)
    if not shared:
        return 100
    return round(Fraction(100 * sum(shared) ** 2, len(shared) * squares)) if squares else 0
