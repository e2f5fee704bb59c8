"""The plan of teams after a team has left or come late. The positions that were played stay as they are.

All functions return a whole plan. `after` is the last position that stays.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from movements.plan.bounds import PlanError, turn_set
from movements.plan.plan import Plan, PlanStop, drop_competitor
from movements.teams.triplettes import all_meet, two_lines

Pair = tuple[int, int]
_MAKERS: Mapping[str, Callable[[int, int, int], Plan[int]]] = {
    "two_lines": two_lines,
    "two_lines_barometer": partial(two_lines, barometer=True),
    "all_meet": all_meet,
    "all_meet_moving": partial(all_meet, moving=True),
}


def replan_without(plan: Plan[int], gone: Collection[int], *, there: Collection[int], after: int) -> Plan[int]:
    """Return the plan without the teams in `gone` in the positions after `after`.

    `there`: the teams that play on. In a round robin in barometer, they meet each other in new pairs, so that at most
    one team rests. In other plans, the opponents of a team that left rest.
    """
    if plan.rule == "all_meet":
        return _pair_again(plan, there, after=after)
    for team in sorted(gone):
        plan = drop_competitor(plan, team, after=after)
    return plan


def replan_with(plan: Plan[int], *, there: Collection[int], after: int) -> Plan[int]:
    """Return the plan in which a further team plays after position `after`. Its number is the next one.

    `there`: the other teams that play on. If their number is odd, one of them would rest: the late team plays against
    it. With an even number, a round robin in barometer makes new pairs. Raise PlanError for other plans, because all
    of their places are taken.
    """
    new = plan.competitors + 1
    if plan.rule == "all_meet" and (len(there) < plan.competitors or plan.competitors % 2 == 0):
        return _pair_again(replace(plan, competitors=new), [*there, new], after=after)
    if plan.competitors % 2 == 0 or len(there) < plan.competitors or plan.rule not in _MAKERS:
        raise PlanError("no_place_for_team", teams=plan.competitors)
    made = _MAKERS[plan.rule](new, plan.positions, plan.etuis_per_position)
    stops = [stop for stop in plan.stops if stop.position <= after]
    stops += [stop for stop in made.stops if stop.position > after]
    return replace(made, tables=max(plan.tables, made.tables), stops=tuple(sorted(stops)))


def _pair_again(plan: Plan[int], there: Collection[int], *, after: int) -> Plan[int]:
    """Return the plan with new pairs of these teams in the positions after `after`, all in barometer."""
    played = [stop for stop in plan.stops if stop.position <= after]
    met = Counter(frozenset(stop.people) for stop in played if stop.complete)
    rests: Counter[int] = Counter()
    for position in range(1, after + 1):
        seated = {team for stop in played if stop.position == position and stop.complete for team in stop.people}
        rests.update(team for team in there if team not in seated)
    north = Counter(stop.first for stop in played if stop.complete)
    stops = list(played)
    for position in range(after + 1, plan.positions + 1):
        resting = _choose_rest(there, rests)
        rests.update(resting)
        pairs = _pair(sorted({*there} - {*resting}), met)
        for table, (one, other) in enumerate(pairs):
            met[frozenset((one, other))] += 1
            first, second = (one, other) if north[one] <= north[other] else (other, one)
            north[first] += 1
            etuis = turn_set(position - 1, plan.etuis_per_position, table)
            stops.append(PlanStop(position, table + 1, etuis, (first, second)))
    tables = max(stop.table for stop in stops)
    return replace(plan, tables=tables, stops=tuple(sorted(stops)))


def _choose_rest(there: Collection[int], rests: Counter[int]) -> list[int]:
    """Return a list with the team that rests, or [] if the number of teams is even.

    The team with the fewest rests so far rests.
    """
    return [min(there, key=lambda team: (rests[team], -team))] if len(there) % 2 else []


def _pair(teams: list[int], met: Counter[frozenset[int]]) -> list[Pair]:
    """Return pairs of the teams with few repeated meetings.

    Pairs are chosen one by one. Then two pairs exchange teams as long as this saves a repeated meeting.
    """
    left, pairs = list(teams), []
    while left:
        one = left.pop(0)
        other = min(left, key=lambda team: met[frozenset((one, team))])
        left.remove(other)
        pairs.append((one, other))
    gained = True
    while gained:
        gained = False
        for i in range(len(pairs)):
            for j in range(i):
                best = min(_exchanges(pairs[i], pairs[j]), key=lambda two: _cost(two, met))
                if _cost(best, met) < _cost((pairs[i], pairs[j]), met):
                    (pairs[i], pairs[j]), gained = best, True
    return pairs


def _exchanges(one: Pair, other: Pair) -> list[tuple[Pair, Pair]]:
    (a, b), (c, d) = one, other
    return [((a, c), (b, d)), ((a, d), (b, c))]


def _cost(pairs: Sequence[Pair], met: Counter[frozenset[int]]) -> int:
    """Return the weight of the repeated meetings of these pairs.

    One third meeting weighs more than two second meetings.
    """
    return sum(met[frozenset(pair)] ** 2 for pair in pairs)
