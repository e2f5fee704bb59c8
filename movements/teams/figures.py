"""The figures of a plan of teams, by which a director compares plans, and the best figures that are possible."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from deals.domain.etui import taker_and_dealer
from movements.plan.tables import PlanStop, TablePlan, TableSeating
from movements.plans.figures import Takers

_NORTH_SOUTH = "NS"


@dataclass(frozen=True, slots=True)
class TeamFigures:
    """The figures of a whole plan of teams.

    - most_meetings: the largest number of meetings of two teams. In a mirrored plan, and in Emmanuel 16, the largest
      number of attacks of one team on another.
    - repeated: the meetings after the first one of each pair, added up. `bound`: the least possible number of these if
      every team plays as often as here.
    - resting: the number of teams that rest, for each position.
    - least_rests, most_rests: the fewest and the most positions that a team rests. `rests_bound`: the least possible
      value of `most_rests`, because the teams of the line that rests have to share the rests.
    - balance: 0 to 100. 100 means that any two teams sit the same way (North-South or East-West) equally often. It is
      100 if teams do not sit on sides.
    - etuis, copies: the étuis to fill, and the number of copies of each with which no table has to wait.
    - least_attacks, most_attacks: the fewest and the most étuis that a team attacks.
    - attack_gap: the largest difference between the numbers of étuis that a team attacks and defends. `gap_bound`: the
      least possible difference, 1 if a team plays an odd number of étuis.
    """

    most_meetings: int
    repeated: int
    bound: int
    resting: tuple[int, ...]
    least_rests: int
    most_rests: int
    rests_bound: int
    balance: int
    etuis: int
    copies: int
    least_attacks: int
    most_attacks: int
    attack_gap: int
    gap_bound: int

    @property
    def perfect(self) -> bool:
        """True if no two teams meet twice."""
        return not self.repeated


def compute_team_figures(plan: TablePlan, *, takers: Takers | None = None) -> TeamFigures:
    """Return the figures of a plan of teams. `takers`: the line that takes an étui, as its index in LINES.

    The number of an étui that is not in `takers` decides who takes it.
    """
    full = [stop for stop in plan.stops if stop.complete]
    meetings = Counter(_meeting(plan, stop) for stop in full)
    resting = plan.list_resting()
    rests = Counter(team for there in resting for team in there)
    attacks, defences = _count_sides(plan, full, takers)
    teams = range(1, plan.competitors + 1)
    return TeamFigures(
        most_meetings=max(meetings.values(), default=0),
        repeated=meetings.total() - len(meetings),
        bound=_bound_repeated(plan, full),
        resting=tuple(map(len, resting)),
        least_rests=min((rests[team] for team in teams), default=0),
        most_rests=max((rests[team] for team in teams), default=0),
        rests_bound=max(-(-sum(rests[team] for team in line) // len(line)) for line in _lines(plan)),
        balance=_balance(plan, full),
        etuis=len({etui for stop in plan.stops for etui in stop.etuis}),
        copies=_count_copies(full),
        least_attacks=min((attacks[team] for team in teams), default=0),
        most_attacks=max((attacks[team] for team in teams), default=0),
        attack_gap=max((abs(attacks[team] - defences[team]) for team in teams), default=0),
        gap_bound=max(((attacks[team] + defences[team]) % 2 for team in teams), default=0),
    )


def _meeting(plan: TablePlan, stop: PlanStop) -> tuple[int, ...]:
    """Return the key of a meeting: two teams in any order or, if attacks count, the attacker and the defender."""
    return tuple(sorted(stop.people)) if plan.seating is TableSeating.SIDES else stop.people


def _lines(plan: TablePlan) -> list[range]:
    """Return the teams of each line that has teams, or all teams as one line."""
    if not plan.lines:
        return [range(1, plan.competitors + 1)]
    north_south, east_west = plan.lines
    lines = [range(1, north_south + 1), range(north_south + 1, north_south + east_west + 1)]
    return [line for line in lines if line]


def _bound_repeated(plan: TablePlan, full: list[PlanStop]) -> int:
    """Return a number of repeated meetings that no plan can go below.

    A team that meets `p` times and has `m` possible opponents repeats p − m meetings. Each meeting has two teams. If
    teams are bound to their sides, the side with more repetitions counts. Otherwise half of all repetitions count.
    """
    first, second = (Counter(stop.seats[side] for stop in full) for side in (0, 1))
    if plan.seating is TableSeating.SIDES and not plan.lines:
        return -(-sum(max(0, times - plan.competitors + 1) for times in (first + second).values()) // 2)
    most = (plan.lines[1], plan.lines[0]) if plan.lines else (plan.competitors - 1, plan.competitors - 1)
    return max(
        sum(max(0, times - opponents) for times in met.values())
        for met, opponents in zip((first, second), most, strict=True)
    )


def _count_sides(plan: TablePlan, full: list[PlanStop], takers: Takers | None) -> tuple[Counter[int], Counter[int]]:
    """Return how many étuis each team attacks, and how many it defends."""
    attacks, defences = Counter[int](), Counter[int]()
    for stop in full:
        first, second = stop.people
        for etui in stop.etuis:
            by_first = plan.seating is not TableSeating.SIDES or _first_takes(etui, takers)
            attacks[first if by_first else second] += 1
            defences[second if by_first else first] += 1
    return attacks, defences


def _first_takes(etui: int, takers: Takers | None) -> bool:
    """Return whether North or South takes an étui."""
    if takers is not None and etui in takers:
        return takers[etui] % 2 == 0  # the lines are in the order N, E, S, W
    return taker_and_dealer(etui)[0] in _NORTH_SOUTH


def _count_copies(full: list[PlanStop]) -> int:
    """Return how many copies of an étui are needed if all tables play their étuis in turn, at the same pace."""
    at_once = Counter((stop.position, turn, etui) for stop in full for turn, etui in enumerate(stop.etuis))
    return max(at_once.values(), default=1)


def _balance(plan: TablePlan, full: list[PlanStop]) -> int:
    """Return (Σ c)² / (pairs × Σ c²) in per cent. c is the number of positions in which two teams sit the same way.

    On fixed lines, two teams always or never sit the same way. So only plans in which teams change sides have a
    balance.
    """
    if plan.seating is not TableSeating.SIDES or plan.lines:
        return 100
    first, second = (dict.fromkeys(range(1, plan.competitors + 1), 0) for _ in range(2))  # positions as bits
    for stop in full:
        one, other = stop.people
        first[one] |= 1 << stop.position
        second[other] |= 1 << stop.position
    alike = [
        (first[one] & first[other]).bit_count() + (second[one] & second[other]).bit_count()
        for one, other in combinations(first, 2)
    ]
    squares = sum(count * count for count in alike)
    return round(Fraction(100 * sum(alike) ** 2, len(alike) * squares)) if squares else 100
