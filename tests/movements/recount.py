"""The second count of a plan's figures, in the plainest way. It shares no code with the computing of figures."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from deals.domain.cards import LINES
from deals.domain.etui import taker_and_dealer
from movements.plan.figures import FIGURES, PlanFigures
from movements.plan.laws import PlanFault, find_faults
from movements.plan.plan import Member, Plan, PlanStop, Seating

Stops = list[PlanStop[Any]]


class FalseFigure(NamedTuple):
    """A figure that is not the one of the plan."""

    name: str
    found: object
    claimed: object


def check_plan(plan: Plan[Member] | Plan[int], claimed: PlanFigures) -> list[PlanFault] | list[FalseFigure]:
    """Return every fault of the plan. If there is none, return each claimed figure that is not true."""
    return find_faults(plan) or find_false_figures(plan, claimed)


def find_false_figures(plan: Plan[Member] | Plan[int], claimed: PlanFigures) -> list[FalseFigure]:
    """Return each claimed figure that is not true. The plan itself must be without faults."""
    counted = _count_figures(plan)
    compared = [FalseFigure(name, counted[name], getattr(claimed, name)) for name in FIGURES[plan.seating]]
    return [figure for figure in compared if figure.found != figure.claimed]


def _count_figures(plan: Plan[Any]) -> dict[str, Any]:
    """Return the true figures by name, also some that the plan's seating does not have."""
    in_games = plan.seating is Seating.TABLES
    full = [stop for stop in plan.stops if None not in stop.seats]
    positions = range(1, plan.positions + 1)
    everyone = _list_everyone(plan)
    ranked = [who for who in everyone if who not in plan.fillers]
    constant = [who for who in ranked if all(who != away for away, _first, _last in plan.stays)]
    met = _list_meetings(plan, full)
    playing = {(position, who) for position, _table, _etuis, seats, *_ in full for who in seats}
    resting = [
        (position, who)
        for who in everyone
        for position in positions
        if (position, who) not in playing and all(a <= position <= b for away, a, b in plan.stays if away == who)
    ]
    asleep = [who for stop in plan.stops for who in stop.rests] if in_games else [who for _position, who in resting]
    rests = [asleep.count(who) for who in (constant if in_games else ranked)] or [0]
    etuis: dict[Any, list[int]] = {who: [] for who in everyone}
    for stop in full:
        for who in stop.seats:
            etuis[who] += stop.etuis
    in_plan = {etui for stop in plan.stops for etui in stop.etuis}
    different = [len({*etuis[who]}) for who in constant] or [0]
    attackers = [] if in_games else [who for stop in full for who in _list_attackers(plan, stop)]
    attacks = [attackers.count(who) for who in constant] or [0]
    usual = {"fives": 5, "all_fives": 5, "all_threes": 3}.get(plan.odd, 4)
    at_odd = {(stop.position, who) for stop in plan.stops if len(stop.seats) != usual for who in stop.seats}
    times_odd = Counter(who for _position, who in at_odd)
    odd = [times_odd[who] for who in constant] or [0]
    return {
        "most_meetings": _count_most(met),
        "repeated": len(met) - len({*met}),
        "bound": _bound_meetings(plan, full, met),
        "exempt": tuple(sum(at == position for at, _who in resting) for position in positions),
        "least_exempt": min(rests),
        "most_exempt": max(rests),
        "rests_bound": _bound_rests(rests, plan.lines[0] if plan.lines else 0),
        "balance": _balance(plan, full, {who: {*etuis[who]} for who in constant}),
        "etuis": len(in_plan),
        "copies": _count_copies(plan, full),
        "least_attacks": min(attacks),
        "most_attacks": max(attacks),
        "attack_gap": max(abs(2 * attackers.count(who) - len(etuis[who])) for who in everyone),
        "gap_bound": max(len(played) % 2 for played in etuis.values()),
        "replays": sum(len(played) - len({*played}) for played in etuis.values()),
        "missing": max((len(in_plan - {*etuis[who]}) for who in constant), default=0),
        "least_played": min(different),
        "most_played": max(different),
        "sizes": tuple(sorted(Counter(len(stop.seats) for stop in plan.stops if stop.etuis[0] == 1).items())),
        "most_odd": max(odd),
        "least_odd": min(odd),
        "mates": sum(
            met.count(frozenset((one, two))) for team in plan.mates for one in team for two in team if one < two
        ),
    }


def _list_everyone(plan: Plan[Any]) -> list[Any]:
    if plan.seating is Seating.LINES:
        return [(line, number) for line, size in enumerate(plan.lines) for number in range(1, size + 1)]
    return [*range(1, plan.competitors + 1)]


def _list_meetings(plan: Plan[Any], full: Stops) -> list[object]:
    """Return each meeting: of two competitors or, in a mirrored plan and by badges, of an attacker and a defender.

    In games, people who sit at one table twice in a game meet once there.
    """
    if plan.seating in (Seating.MIRROR, Seating.BADGES):
        return [stop.seats for stop in full]
    met = [
        (stop.position, frozenset((one, other)))
        for stop in full
        for place, one in enumerate(stop.seats)
        for other in stop.seats[:place]
    ]
    return [pair for _position, pair in ({*met} if plan.seating is Seating.TABLES else met)]


def _list_attackers(plan: Plan[Any], stop: PlanStop[Any]) -> list[Any]:
    """Return who attacks each étui of a table: the first team or, on lines and sides, the one whom its number names."""
    if plan.seating in (Seating.MIRROR, Seating.BADGES):
        return [stop.seats[0]] * len(stop.etuis)
    lines = [LINES.index(taker_and_dealer(etui)[0]) for etui in stop.etuis]
    return [stop.seats[line % len(stop.seats)] for line in lines]  # the lines are in the order N, E, S, W


def _count_copies(plan: Plan[Any], full: Stops) -> int:
    """Return the fewest copies of the étuis with which every table can play all the time.

    Tables of four lines pass their étuis on. Those of teams play them in the listed order, at the same pace.
    """
    if plan.seating is not Seating.LINES:
        turns = [(stop.position, place, etui) for stop in full for place, etui in enumerate(stop.etuis)]
        return _count_most(turns) or 1
    copies = 1
    for position in range(1, plan.positions + 1):
        tables = sum(stop.position == position for stop in full)
        while plan.in_barometer(position) and copies * plan.etuis_per_position < tables:
            copies += 1
    return copies


def _count_most(things: Sequence[object]) -> int:
    """Return how often the most frequent of these things occurs, 0 if there are none."""
    return max(Counter(things).values(), default=0)


def _bound_meetings(plan: Plan[Any], full: Stops, met: list[object]) -> int:
    """Return a number of repeated meetings that no plan can go below.

    Games have as many different meetings as there are pairs of people. Teams that change sides, and four lines with
    rovers, are counted person by person; a meeting has two. Otherwise everybody in a seat meets one of each other seat.
    """
    everyone = _list_everyone(plan)
    if plan.seating is Seating.TABLES:
        return max(0, len(met) - sum(range(len({who for stop in full for who in stop.seats}))))
    if plan.rovers or (plan.seating is Seating.SIDES and not plan.lines):
        twice = 0
        for me in everyone:
            free = plan.seating is not Seating.LINES or me in plan.rovers
            others = [who for who in everyone if free or who[0] != me[0] or who in plan.rovers]
            times = sum(len(stop.seats) - 1 for stop in full if me in stop.seats)
            twice += max(0, times - len({*others} - {me}))
        return (twice + 1) // 2
    sizes = plan.lines or (plan.competitors - 1, plan.competitors - 1)
    at = [Counter(stop.seats[place] for stop in full) for place in range(len(sizes))]
    over = {
        (place, other): sum(times - size for times in at[place].values() if times > size)
        for place in range(len(sizes))
        for other, size in enumerate(sizes)
    }
    return sum(max(over[one, other], over[other, one]) for one, other in over if one < other)


def _bound_rests(rests: list[int], cut: int) -> int:
    """Return the lowest possible number of rests of the team that rests most.

    The teams of each line share the line's rests. `cut`: how many teams the first line has.
    """
    bound = 0
    for line in (rests[:cut], rests[cut:]):
        while line and bound * len(line) < sum(line):
            bound += 1
    return bound


def _balance(plan: Plan[Any], full: Stops, etuis: dict[Any, set[int]]) -> int:
    """Return how equal the numbers of étuis are that two players of one line share: 0 to 100.

    It is the square of the mean divided by the mean of the squares, in per cent. Of teams that change sides: of the
    positions in which two teams sit the same way.
    """
    in_lines = plan.seating is Seating.LINES
    if not in_lines and (plan.seating is not Seating.SIDES or plan.lines):
        return 100
    has: dict[Any, set[Any]] = etuis if in_lines else {team: set() for team in etuis}
    for stop in full if not in_lines else ():
        for side, team in enumerate(stop.seats):
            has[team].add((stop.position, side))
    people = [*has]
    shared = [
        len(has[one] & has[other])
        for place, one in enumerate(people)
        for other in people[:place]
        if not in_lines or one[0] == other[0]
    ]
    squares = sum(count**2 for count in shared)
    if not squares:
        return 0 if shared and in_lines else 100
    mean_square = Fraction(squares, len(shared))
    return round(100 * Fraction(sum(shared), len(shared)) ** 2 / mean_square)
