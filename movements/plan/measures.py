"""The computing of a plan's figures.

A plan is perfect if no two competitors meet twice and nobody plays an étui twice.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

from deals.domain.cards import LINES
from deals.domain.etui import taker_and_dealer
from movements.plan.figures import PlanFigures
from movements.plan.plan import SEATS, LinePlan, Member, Plan, PlanStop, Seating

Takers = Mapping[int, int]  # étui → the line that takes it, as its index in LINES


def compute_figures(plan: Plan[Member] | Plan[int], *, takers: Takers | None = None) -> PlanFigures:
    """Return the figures of a plan. `takers`: the line that takes an étui, as its index in LINES.

    The number of an étui that is not in `takers` decides who takes it.
    """
    if plan.seating is Seating.TABLES:
        return _measure_games(plan)
    full = [stop for stop in plan.stops if stop.complete]
    return _measure_lines(plan, full, takers) if plan.seating is Seating.LINES else _measure_teams(plan, full, takers)


def _measure_lines(plan: Plan[Any], full: list[PlanStop[Any]], takers: Takers | None) -> PlanFigures:
    meetings: Counter[tuple[Member, Member]] = Counter()
    played: dict[Member, int] = dict.fromkeys(plan.everybody(), 0)  # the étuis of a member as bits: bit e is étui e
    replays = 0
    for stop in full:
        etuis = sum(1 << etui for etui in stop.etuis)
        meetings.update(combinations(sorted(stop.people), 2))
        for member in stop.people:
            replays += (played[member] & etuis).bit_count()
            played[member] |= etuis
    every_etui = {etui for stop in plan.stops for etui in stop.etuis}
    constant = _list_constant(plan)
    counts = [played[member].bit_count() for member in constant] or [0]
    least_attacks, most_attacks = attack_range(plan, takers=takers)
    return PlanFigures(
        **_count_meetings(meetings),
        **_count_rests(plan),
        bound=fewest_repeated(plan),
        replays=replays,
        balance=_compare_etuis({member: played[member] for member in constant}),
        missing=len(every_etui) - min(counts) if constant else 0,
        etuis=len(every_etui),
        copies=copies_needed(plan),
        least_played=min(counts),
        most_played=max(counts),
        least_attacks=least_attacks,
        most_attacks=most_attacks,
    )


def _count_meetings(meetings: Counter[Any]) -> dict[str, Any]:
    return {
        "most_meetings": max(meetings.values(), default=0),
        "repeated": meetings.total() - len(meetings),
    }


def _count_rests(plan: Plan[Any]) -> dict[str, Any]:
    """Return the figures of rests: how many rest in each position, and the fewest and most rests of the ranked."""
    resting = plan.list_resting()
    rests = Counter(chain.from_iterable(resting))
    counts = [rests[each] for each in plan.list_ranked()] or [0]
    return {"exempt": tuple(map(len, resting)), "least_exempt": min(counts), "most_exempt": max(counts)}


def _list_constant(plan: Plan[Any]) -> list[Any]:
    """Return the ranked competitors who are there from the first position to the last."""
    partly = {stay.competitor for stay in plan.stays}
    return [each for each in plan.list_ranked() if each not in partly]


def attack_range(plan: LinePlan, *, takers: Takers | None = None) -> tuple[int, int]:
    """Return the fewest and the most étuis that a player takes, of all who are there from start to end.

    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    taken = attacks(plan, takers=takers)
    counts = [taken[member] for member in _list_constant(plan)] or [0]
    return min(counts), max(counts)


def attacks(plan: LinePlan, *, takers: Takers | None = None) -> Counter[Member]:
    """Return how many étuis each player takes.

    `takers` gives the line that takes an étui. If an étui is not in `takers`, its number decides who takes it.
    """
    seat = taking_lines(plan, takers)
    full = (stop for stop in plan.stops if stop.complete)
    return Counter(people[seat[etui]] for stop in full for people in [stop.people] for etui in stop.etuis)


def taking_lines(plan: LinePlan, takers: Takers | None = None) -> dict[int, int]:
    """Return the line that takes each étui of the plan, as an index in LINES.

    It is that of `takers`. If an étui is not in `takers`, its number decides.
    """
    etuis = {etui for stop in plan.stops for etui in stop.etuis}
    return {etui: _find_taker(etui, takers) for etui in etuis}


def _find_taker(etui: int, takers: Takers | None) -> int:
    return takers[etui] if takers and etui in takers else LINES.index(taker_and_dealer(etui)[0])


def copies_needed(plan: LinePlan) -> int:
    """Return how many copies of each étui are needed so that every table always has an étui to play.

    It is the number of tables that play the same étuis at the same time, divided by the number of those étuis, rounded
    up.
    """
    together = Counter(stop.position for stop in plan.stops if stop.complete and plan.in_barometer(stop.position))
    return -(-max(together.values(), default=1) // plan.etuis_per_position)


def fewest_repeated(plan: LinePlan) -> int:
    """Return a number of repeated meetings that no plan can go below, found by counting.

    A player of p positions has p meetings with each other line. If that line has m players, and m is less than p, at
    least p − m meetings are repeated. These numbers are added up for each line against each other line. For each two
    lines, the larger of the two sums counts. Rovers may sit on any line. With rovers, a player has 3p meetings with m
    players: all others except those bound to the player's own line. Then half of the sum counts, because each meeting
    has two players.
    """
    played = Counter(member for stop in plan.stops if stop.complete for member in stop.people)
    if plan.rovers:
        bound = Counter(member.line for member in plan.everybody() if member not in plan.rovers)
        others = {line: sum(plan.lines) - bound[line] for line in range(SEATS)}
        free = sum(plan.lines) - 1
        met = ((3 * times, free if one in plan.rovers else others[one.line]) for one, times in played.items())
        return -(-sum(max(0, meetings - people) for meetings, people in met) // 2)
    over = [[0] * SEATS for _ in range(SEATS)]
    for member, positions in played.items():
        for line, size in enumerate(plan.lines):
            over[member.line][line] += max(0, positions - size)
    return sum(max(over[one][other], over[other][one]) for one, other in combinations(range(SEATS), 2))


def _compare_etuis(played: dict[Member, int]) -> int:
    """Return how equal the numbers of étuis are that any two players of one line play both: 0 to 100."""
    shared = [(played[one] & played[two]).bit_count() for one, two in combinations(played, 2) if one.line == two.line]
    return _balance(shared, 0) if shared else 100


def _balance(counts: list[int], none: int) -> int:
    """Return (Σ c)² / (pairs × Σ c²) in per cent: 100 if all numbers are equal, and `none` if all are 0."""
    squares = sum(count * count for count in counts)
    return round(Fraction(100 * sum(counts) ** 2, len(counts) * squares)) if squares else none


def _measure_teams(plan: Plan[Any], full: list[PlanStop[Any]], takers: Takers | None) -> PlanFigures:
    on_sides = plan.seating is Seating.SIDES
    attacking, defending = _count_sides(plan, full, takers)
    counts = [(attacking[team], defending[team]) for team in plan.everybody()]
    found = _count_rests(plan)
    at_once = Counter((stop.position, turn, etui) for stop in full for turn, etui in enumerate(stop.etuis))
    rests = Counter(team for there in plan.list_resting() for team in there)
    return PlanFigures(
        # Two teams meet in any order or, if attacks count, an attacker meets a defender.
        **_count_meetings(Counter(tuple(sorted(stop.people)) if on_sides else stop.people for stop in full)),
        **found,
        bound=_bound_meetings(plan, full),
        rests_bound=max(-(-sum(rests[team] for team in line) // len(line)) for line in _list_lines(plan)),
        balance=_compare_sides(plan, full) if on_sides and not plan.lines else 100,
        etuis=len({etui for stop in plan.stops for etui in stop.etuis}),
        copies=max(at_once.values(), default=1),  # if all tables play their étuis in turn, at the same pace
        least_attacks=min(attacks for attacks, _defences in counts),
        most_attacks=max(attacks for attacks, _defences in counts),
        attack_gap=max(abs(attacks - defences) for attacks, defences in counts),
        gap_bound=max((attacks + defences) % 2 for attacks, defences in counts),
    )


def _list_lines(plan: Plan[int]) -> list[range]:
    """Return the teams of each line that has teams, or all teams as one line."""
    if not plan.lines:
        return [range(1, plan.competitors + 1)]
    north_south, east_west = plan.lines
    lines = [range(1, north_south + 1), range(north_south + 1, north_south + east_west + 1)]
    return [line for line in lines if line]


def _bound_meetings(plan: Plan[int], full: list[PlanStop[int]]) -> int:
    """Return a number of repeated meetings that no plan can go below.

    A team that meets `p` times and has `m` possible opponents repeats p − m meetings. Each meeting has two teams. If
    teams are bound to their sides, the side with more repetitions counts. Otherwise half of all repetitions count.
    """
    first, second = (Counter(stop.seats[side] for stop in full) for side in (0, 1))
    if plan.seating is Seating.SIDES and not plan.lines:
        return -(-sum(max(0, times - plan.competitors + 1) for times in (first + second).values()) // 2)
    most = (plan.lines[1], plan.lines[0]) if plan.lines else (plan.competitors - 1, plan.competitors - 1)
    return max(
        sum(max(0, times - opponents) for times in met.values())
        for met, opponents in zip((first, second), most, strict=True)
    )


def _count_sides(
    plan: Plan[int], full: list[PlanStop[int]], takers: Takers | None
) -> tuple[Counter[int], Counter[int]]:
    """Return how many étuis each team attacks, and how many it defends."""
    attacking, defending = Counter[int](), Counter[int]()
    for stop in full:
        sides = stop.people
        for etui in stop.etuis:
            # the lines are in the order N, E, S, W
            attacker = _find_taker(etui, takers) % 2 if plan.seating is Seating.SIDES else 0
            attacking[sides[attacker]] += 1
            defending[sides[1 - attacker]] += 1
    return attacking, defending


def _compare_sides(plan: Plan[int], full: list[PlanStop[int]]) -> int:
    """Return how equal the numbers of positions are in which any two teams sit the same way: 0 to 100."""
    first, second = (dict.fromkeys(plan.everybody(), 0) for _ in range(2))  # positions as bits
    for stop in full:
        one, other = stop.people
        first[one] |= 1 << stop.position
        second[other] |= 1 << stop.position
    alike = [
        (first[one] & first[other]).bit_count() + (second[one] & second[other]).bit_count()
        for one, other in combinations(first, 2)
    ]
    return _balance(alike, 100)


def _measure_games(plan: Plan[Any]) -> PlanFigures:
    meetings = count_meetings(plan.stops)
    odd = count_odd_tables(plan)
    rests = Counter(number for stop in plan.stops for number in stop.rests)
    constant = _list_constant(plan)
    odds = [odd[number] for number in constant] or [0]
    resting = [rests[number] for number in constant] or [0]
    known = {number for stop in plan.stops for number in stop.people}
    return PlanFigures(
        **_count_meetings(meetings),
        bound=max(0, meetings.total() - len(known) * (len(known) - 1) // 2),
        least_exempt=min(resting),
        most_exempt=max(resting),
        sizes=tuple(sorted(Counter(len(stop.seats) for stop in plan.stops if stop.start == 1).items())),
        most_odd=max(odds),
        least_odd=min(odds),
        mates=sum(meetings[pair(one, two)] for team in plan.mates for one, two in combinations(team, 2)),
    )


def pair(one: int, two: int) -> tuple[int, int]:
    """Return two numbers, the smaller one first."""
    return (one, two) if one < two else (two, one)


def count_meetings(stops: Iterable[PlanStop[int]]) -> Counter[tuple[int, int]]:
    """Return in how many games each pair of people sits together. The smaller number of a pair comes first.

    Those who sit at one table meet, also if one of them rests.
    """
    met = {
        (stop.position, *pair(one, two)) for stop in stops for one, two in combinations(stop.people, 2) if one != two
    }
    return Counter((one, two) for _game, one, two in met)


def count_odd_tables(plan: Plan[int]) -> Counter[int]:
    """Return in how many games each person sits at an odd table."""
    odd = {(stop.position, number) for stop in plan.stops if len(stop.seats) != plan.usual for number in stop.people}
    return Counter(number for _game, number in odd)
