"""The computing of a plan's figures.

A plan is perfect if no two competitors meet twice and nobody plays an étui twice.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from deals.domain.cards import LINES
from deals.domain.etui import taker_and_dealer
from movements.plan.figures import PlanFigures
from movements.plan.plan import LinePlan, Member, Plan, PlanStop, Seating

Takers = Mapping[int, int]  # étui → the line that takes it, as its index in LINES
Stops = list[PlanStop[Any]]
FIRST_ATTACKS = (Seating.MIRROR, Seating.BADGES)  # the first team of a table attacks on every étui


def compute_figures(plan: Plan[Member] | Plan[int], *, takers: Takers | None = None) -> PlanFigures:
    """Return the figures of a plan. `takers`: the line that takes an étui, as its index in LINES.

    The number of an étui that is not in `takers` decides who takes it.
    """
    in_games = plan.seating is Seating.TABLES
    full, meetings = _list_full(plan), count_meetings(plan)
    return PlanFigures(
        most_meetings=max(meetings.values(), default=0),
        repeated=meetings.total() - len(meetings),
        bound=_bound_pairs(full, meetings) if in_games else _bound_meetings(plan, full),
        **(_measure_games(plan, meetings) if in_games else _measure_etuis(plan, full, takers)),
    )


def _list_full(plan: Plan[Any]) -> Stops:
    return [stop for stop in plan.stops if stop.complete]


def count_meetings(plan: Plan[Any]) -> Counter[tuple[Any, Any]]:
    """Return how often each pair of competitors meets. Those who sit at one table meet, also if one of them rests.

    The smaller one of a pair comes first or, if the first team of a table attacks, that team. In games, people who sit
    together in two parts of a game meet once there.
    """
    if plan.seating in FIRST_ATTACKS:
        return Counter(stop.people for stop in _list_full(plan))
    if plan.seating is Seating.TABLES:
        met = {(stop.position, *two) for stop in plan.stops for two in combinations(sorted({*stop.people}), 2)}
        return Counter((one, two) for _game, one, two in met)
    meetings: Counter[tuple[Any, Any]] = Counter()
    for stop in _list_full(plan):
        meetings.update(combinations(sorted(stop.people), 2))
    return meetings


def pair(one: int, two: int) -> tuple[int, int]:
    """Return two numbers, the smaller one first."""
    return (one, two) if one < two else (two, one)


def _bound_pairs(full: Stops, meetings: Counter[Any]) -> int:
    people = len({number for stop in full for number in stop.people})
    return max(0, meetings.total() - people * (people - 1) // 2)


def _bound_meetings(plan: Plan[Any], full: Stops) -> int:
    """Return a number of repeated meetings that no plan can go below, found by counting.

    Somebody who has p meetings with m others repeats at least p − m of them. These numbers are added up for each line
    against each other line, and for those who attack against those who defend. The larger of the two sums counts.
    Rovers may sit on any line, and some teams on any side. Then there is one sum, with the meetings with all others
    except those bound to the player's own line. Half of it counts, because each meeting has two competitors.
    """
    if plan.rovers or (plan.seating is Seating.SIDES and not plan.lines):
        bound = {who: who.line for who in plan.everybody() if isinstance(who, Member) and who not in plan.rovers}
        sizes, met = Counter(bound.values()), Counter(who for stop in full for who in stop.people)
        others = {who: plan.competitors - (sizes[bound[who]] if who in bound else 1) for who in met}
        return -(-sum(max(0, times * (plan.usual - 1) - others[who]) for who, times in met.items()) // 2)
    at = [Counter(people) for people in zip(*(stop.people for stop in full), strict=True)]
    sizes_of_lines = plan.lines or (plan.competitors - 1,) * plan.usual

    def repeat(line: int, other: int) -> int:
        return sum(max(0, times - sizes_of_lines[other]) for times in at[line].values())

    return sum(max(repeat(one, two), repeat(two, one)) for one, two in combinations(range(len(at)), 2))


def _list_constant(plan: Plan[Any]) -> list[Any]:
    """Return the ranked competitors who are there from the first position to the last."""
    partly = {stay.competitor for stay in plan.stays}
    return [each for each in plan.list_ranked() if each not in partly]


def attack_range(plan: LinePlan, *, takers: Takers | None = None) -> tuple[int, int]:
    """Return the fewest and the most étuis that a player takes, of all who are there from start to end.

    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    return _find_range(attacks(plan, takers=takers), _list_constant(plan))


def attacks(plan: Plan[Any], *, takers: Takers | None = None) -> Counter[Any]:
    """Return on how many étuis each player or team attacks.

    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    full = _list_full(plan)
    if plan.seating in FIRST_ATTACKS:
        return Counter(stop.seats[0] for stop in full for _etui in stop.etuis)
    # the lines are in the order N, E, S, W, and teams sit North-South and East-West
    seat = {etui: line % plan.usual for etui, line in taking_lines(plan, takers).items()}
    return Counter(people[seat[etui]] for stop in full for people in [stop.people] for etui in stop.etuis)


def taking_lines(plan: LinePlan, takers: Takers | None = None) -> dict[int, int]:
    """Return the line that takes each étui of the plan, as an index in LINES.

    It is that of `takers`. If an étui is not in `takers`, its number decides.
    """
    named, etuis = takers or {}, {etui for stop in plan.stops for etui in stop.etuis}
    return {etui: named[etui] if etui in named else LINES.index(taker_and_dealer(etui)[0]) for etui in etuis}


def _measure_etuis(plan: Plan[Any], full: Stops, takers: Takers | None) -> dict[str, Any]:
    """Return the figures of four lines and of teams about étuis, attacks and rests."""
    resting, constant, etuis = plan.list_resting(), _list_constant(plan), taking_lines(plan, takers)
    rests, attacking = Counter(who for there in resting for who in there), attacks(plan, takers=takers)
    of_lines = plan.seating is Seating.LINES
    own = _measure_lines(plan, full, constant, len(etuis)) if of_lines else _measure_teams(plan, full, rests, attacking)
    least_rests, most_rests = _find_range(rests, plan.list_ranked())
    least_attacks, most_attacks = _find_range(attacking, constant)
    return own | {
        "exempt": tuple(map(len, resting)),
        "least_exempt": least_rests,
        "most_exempt": most_rests,
        "etuis": len(etuis),
        "least_attacks": least_attacks,
        "most_attacks": most_attacks,
    }


def _find_range(times: Counter[Any], people: Sequence[Any]) -> tuple[int, int]:
    counts = [times[who] for who in people] or [0]
    return min(counts), max(counts)


def _measure_lines(plan: LinePlan, full: Stops, constant: list[Member], etuis: int) -> dict[str, Any]:
    played = Counter[Member]()  # the étuis of a member as bits: bit e is étui e
    for stop in full:
        bits = sum(1 << etui for etui in stop.etuis)
        for member in stop.people:
            played[member] |= bits
    counts = [played[member].bit_count() for member in constant] or [0]
    plays = sum(len(stop.people) * len(stop.etuis) for stop in full)
    shared = [(played[one] & played[two]).bit_count() for one, two in combinations(constant, 2) if one.line == two.line]
    # tables that play the same étuis at the same time pass them on
    together = Counter(stop.position for stop in full if plan.in_barometer(stop.position))
    return {
        "balance": _balance(shared, none=0) if shared else 100,
        "copies": -(-max(together.values(), default=1) // plan.etuis_per_position),
        "replays": plays - sum(map(int.bit_count, played.values())),
        "missing": etuis - min(counts) if constant else 0,
        "least_played": min(counts),
        "most_played": max(counts),
    }


def _balance(counts: list[int], none: int) -> int:
    """Return (Σ c)² / (pairs × Σ c²) in per cent: 100 if all numbers are equal, and `none` if all are 0."""
    squares = sum(count * count for count in counts)
    return round(Fraction(100 * sum(counts) ** 2, len(counts) * squares)) if squares else none


def _measure_teams(plan: Plan[int], full: Stops, rests: Counter[int], attacking: Counter[int]) -> dict[str, Any]:
    """Return the figures that only teams have, and those that they count in another way than players of four lines.

    Teams that change sides are compared on the positions in which any two of them sit the same way.
    """
    teams, cut = plan.everybody(), plan.lines[0] if plan.lines else 0
    lines = [line for line in (teams[:cut], teams[cut:]) if line]
    sides, played = Counter[int](), Counter[int]()  # sides: a bit for each position and side
    for stop in full:
        for side, team in enumerate(stop.people):
            sides[team] |= 1 << 2 * stop.position + side
            played[team] += len(stop.etuis)
    changing = plan.seating is Seating.SIDES and not plan.lines
    alike = [(sides[one] & sides[two]).bit_count() for one, two in combinations(teams, 2)] if changing else []
    # all tables play their étuis in turn, at the same pace
    at_once = Counter((stop.position, turn, etui) for stop in full for turn, etui in enumerate(stop.etuis))
    return {
        "balance": _balance(alike, none=100),
        "copies": max(at_once.values(), default=1),
        "rests_bound": max(-(-sum(rests[team] for team in line) // len(line)) for line in lines),
        "attack_gap": max(abs(2 * attacking[team] - played[team]) for team in teams),
        "gap_bound": max(played[team] % 2 for team in teams),
    }


def _measure_games(plan: Plan[Any], meetings: Counter[Any]) -> dict[str, Any]:
    constant, rests = _list_constant(plan), Counter(number for stop in plan.stops for number in stop.rests)
    least_rests, most_rests = _find_range(rests, constant)
    least_odd, most_odd = _find_range(count_odd_tables(plan), constant)
    return {
        "least_exempt": least_rests,
        "most_exempt": most_rests,
        "sizes": tuple(sorted(Counter(len(stop.seats) for stop in plan.stops if stop.start == 1).items())),
        "most_odd": most_odd,
        "least_odd": least_odd,
        "mates": sum(meetings[pair(one, two)] for team in plan.mates for one, two in combinations(team, 2)),
    }


def count_odd_tables(plan: Plan[int]) -> Counter[int]:
    """Return in how many games each person sits at an odd table."""
    odd = {(stop.position, number) for stop in plan.stops if len(stop.seats) != plan.usual for number in stop.people}
    return Counter(number for _game, number in odd)
