"""The check of the figures of a plan of teams. It counts everything again in the plainest way.

This module shares no code with `figures`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from fractions import Fraction

from deals.domain.etui import taker_and_dealer
from movements.plan.laws import PlanFault, find_plan_faults
from movements.plan.tables import PlanStop, TablePlan, TableSeating
from movements.teams.figures import TeamFigures


def find_team_faults(plan: TablePlan, claimed: TeamFigures | None = None) -> list[PlanFault]:
    """Return every fault of the plan. `claimed`: figures that the plan should have; a false figure is a fault."""
    faults = find_plan_faults(plan)
    if claimed is not None and not faults:
        faults += find_false_team_claims(plan, claimed)
    return faults


def find_false_team_claims(plan: TablePlan, claimed: TeamFigures) -> Iterator[PlanFault]:
    """Yield a fault for each claimed figure that is not true. The plan itself must be without faults."""
    full = [stop for stop in plan.stops if stop.first is not None and stop.second is not None]
    everyone = [*range(1, plan.competitors + 1)]
    met = _list_meetings(plan, full)
    there = {(team, stop.position) for stop in full for team in stop.seats}
    positions = range(1, plan.positions + 1)
    per_team = [sum((team, at) not in there for at in positions) for team in everyone]
    attackers = [team for stop in full for team in _list_attackers(plan, stop)]
    attacks = [attackers.count(team) for team in everyone]
    played = [sum(len(stop.etuis) for stop in full if team in stop.seats) for team in everyone]
    found = TeamFigures(
        most_meetings=_count_most(met),
        repeated=len(met) - len({*met}),
        bound=_bound_meetings(plan, full),
        resting=tuple(sum((team, at) not in there for team in everyone) for at in positions),
        least_rests=min(per_team),
        most_rests=max(per_team),
        rests_bound=_bound_rests(plan, per_team),
        balance=_balance_of_sides(plan, full),
        etuis=len({etui for stop in plan.stops for etui in stop.etuis}),
        copies=_most_at_once(full),
        least_attacks=min(attacks),
        most_attacks=max(attacks),
        attack_gap=max(abs(2 * mine - all_of_them) for mine, all_of_them in zip(attacks, played, strict=True)),
        gap_bound=int(any(number % 2 for number in played)),
    )
    for field in fields(TeamFigures):
        true, said = getattr(found, field.name), getattr(claimed, field.name)
        if true != said:
            yield PlanFault("figure", {"figure": field.name, "found": str(true), "claimed": str(said)})


def _list_meetings(plan: TablePlan, full: list[PlanStop]) -> list[object]:
    """Return each meeting: of two teams if they sit on sides, else of an attacking and a defending team."""
    if plan.seating is TableSeating.SIDES:
        return [frozenset(stop.seats) for stop in full]
    return [(stop.first, stop.second) for stop in full]


def _list_attackers(plan: TablePlan, stop: PlanStop) -> list[int | None]:
    """Return the team that attacks each étui of a table. If teams sit on sides, the étui's number says which."""
    if plan.seating is not TableSeating.SIDES:
        return [stop.first] * len(stop.etuis)
    return [stop.first if str(taker_and_dealer(etui)[0]) in "NS" else stop.second for etui in stop.etuis]


def _bound_meetings(plan: TablePlan, full: list[PlanStop]) -> int:
    """Return a number of repeated meetings that no plan can go below."""
    sums = []
    for side in (0, 1):
        opponents = plan.lines[1 - side] if plan.lines else plan.competitors - 1
        times = [sum(stop.seats[side] == team for stop in full) for team in range(1, plan.competitors + 1)]
        sums.append(sum(max(0, count - opponents) for count in times))
    if plan.seating is TableSeating.SIDES and not plan.lines:
        times = [sum(team in stop.seats for stop in full) for team in range(1, plan.competitors + 1)]
        return (sum(max(0, count - plan.competitors + 1) for count in times) + 1) // 2
    return max(sums)


def _bound_rests(plan: TablePlan, per_team: list[int]) -> int:
    """Return the lowest possible number of rests of the team that rests most.

    The teams of each line share the line's rests.
    """
    cut = plan.lines[0] if plan.lines else 0
    bound = 0
    for line in (per_team[:cut], per_team[cut:]):
        while line and bound * len(line) < sum(line):
            bound += 1
    return bound


def _most_at_once(full: list[PlanStop]) -> int:
    """Return the largest number of tables that need the same étui at the same time.

    In each position, all tables play their étuis in the listed order, at the same pace.
    """
    turns = [(stop.position, place, etui) for stop in full for place, etui in enumerate(stop.etuis)]
    return _count_most(turns) or 1


def _count_most(things: Sequence[object]) -> int:
    """Return how often the most frequent of these things occurs, 0 if there are none."""
    times: dict[object, int] = {}
    for thing in things:
        times[thing] = times.get(thing, 0) + 1
    return max(times.values(), default=0)


def _balance_of_sides(plan: TablePlan, full: list[PlanStop]) -> int:
    """Return how equal the numbers of positions are in which two teams sit the same way: 0 to 100."""
    if plan.seating is not TableSeating.SIDES or plan.lines:
        return 100
    way = {(stop.position, team): side for stop in full for side, team in enumerate(stop.seats)}
    alike = [
        sum(way.get((at, one), one) == way.get((at, other), -1) for at in range(1, plan.positions + 1))
        for one in range(2, plan.competitors + 1)
        for other in range(1, one)
    ]
    mean_square = Fraction(sum(count**2 for count in alike), len(alike))
    return round(100 * Fraction(sum(alike), len(alike)) ** 2 / mean_square) if mean_square else 100
