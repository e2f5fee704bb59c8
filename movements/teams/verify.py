"""The check of a plan of teams. It finds every fault, however the plan was made.

This module shares no code with those that make plans, nor with `figures`: it counts everything again in the plainest
way.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import ClassVar

from deals.domain.etui import taker_and_dealer
from movements.plans.verify import Fault
from movements.teams.figures import TeamFigures
from movements.teams.plan import TeamPlan, TeamSeating, TeamStop
from wording import CodedText, Texts
from wording import gettext_noop as _

BADGES = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class TeamFault(CodedText):
    """A fault of a plan of teams. `params` are the figures of its message.

    `str(fault)` describes the fault in English, as a part of a sentence.
    """

    code: str
    params: dict[str, int | str]

    messages: ClassVar[Texts] = {
        "position": Fault.messages["position"],
        "etuis": Fault.messages["etuis"],
        "etui_twice": Fault.messages["etui_twice"],
        "barometer": Fault.messages["barometer"],
        "figure": Fault.messages["figure"],
        "stranger": _("position %(position)s, table %(table)s: there is no team %(team)s"),
        "itself": _("position %(position)s, table %(table)s: team %(team)s meets itself"),
        "seated_twice": _("position %(position)s: team %(team)s sits at tables %(first)s and %(table)s"),
        "line": _("position %(position)s, table %(table)s: team %(team)s sits on the other line"),
        "badge": _(
            "position %(position)s, table %(table)s: the player with whom team %(team)s attacks is not named, or sits "
            "at two tables"
        ),
        "replayed": _("team %(team)s plays étui %(etui)s in positions %(first)s and %(position)s"),
        "mirror": _(
            "team %(team)s attacks team %(other)s on étui %(etui)s, but team %(other)s does not attack team %(team)s "
            "on it"
        ),
        "apart": _(
            "teams %(team)s and %(other)s play étui %(etui)s in positions %(first)s and %(position)s, with a break "
            "between"
        ),
    }


def find_team_faults(plan: TeamPlan, claimed: TeamFigures | None = None) -> list[TeamFault]:
    """Return every fault of the plan. `claimed`: figures that the plan should have; a false figure is a fault.

    An empty list means no fault. Repeated meetings and uneven rests are not faults, but figures.
    """
    faults = [*_shape(plan)]
    if faults:
        return faults
    faults = [*_seats(plan), *_etuis(plan), *_replays(plan)]
    if plan.seating is TeamSeating.MIRROR:
        faults += _mirror(plan)
    if claimed is not None and not faults:
        faults += find_false_team_claims(plan, claimed)
    return faults


def _shape(plan: TeamPlan) -> Iterator[TeamFault]:
    tables: defaultdict[int, list[int]] = defaultdict(list)
    for stop in plan.stops:
        tables[stop.position].append(stop.table)
        where: dict[str, int | str] = {"position": stop.position, "table": stop.table}
        if len({*stop.etuis}) != len(stop.etuis) or len(stop.etuis) != plan.etuis_per_position or min(stop.etuis) < 1:
            yield TeamFault("etuis", {**where, "expected": plan.etuis_per_position})
        for team in (stop.first, stop.second):
            if team is not None and not 1 <= team <= plan.teams:
                yield TeamFault("stranger", {**where, "team": team})
        if stop.first is not None and stop.first == stop.second:
            yield TeamFault("itself", {**where, "team": stop.first})
    for position in sorted({*tables, *range(1, plan.positions + 1)}):
        found = sorted(tables[position])
        planned = 1 <= position <= plan.positions and 1 <= len(found) <= plan.tables
        if not planned or found != list(range(1, len(found) + 1)):
            yield TeamFault("position", {"position": position, "most": plan.tables})


def _seats(plan: TeamPlan) -> Iterator[TeamFault]:
    """Yield a fault for each team that is at more tables than the seating allows, or on the other line."""
    attacks: defaultdict[tuple[int, int], list[TeamStop]] = defaultdict(list)  # position and team → where it is first
    defences: defaultdict[tuple[int, int], list[TeamStop]] = defaultdict(list)
    for stop in plan.stops:
        for team, seats in ((stop.first, attacks), (stop.second, defences)):
            if team is None:
                continue
            seats[stop.position, team].append(stop)
            if plan.lines and (team <= plan.lines[0]) != (seats is attacks):
                yield TeamFault("line", {"position": stop.position, "table": stop.table, "team": team})
    for position, team in sorted({*attacks, *defences}):
        here, there = attacks[position, team], defences[position, team]
        who: dict[str, int | str] = {"position": position, "team": team}
        if plan.seating is TeamSeating.MIRROR:
            allowed = len(here) <= 1 and len(there) <= 1
        elif plan.seating is TeamSeating.BADGES:
            allowed = (len(here) <= len(BADGES) and not there) or (not here and len(there) == 1)
        else:
            allowed = len(here) + len(there) == 1
        if not allowed:
            mirrored = plan.seating is TeamSeating.MIRROR
            stops = (there if len(there) > 1 else here) if mirrored else here + there
            tables = sorted(stop.table for stop in stops)
            yield TeamFault("seated_twice", {**who, "first": tables[0], "table": tables[-1]})
        badges = [stop.badge for stop in here]
        if plan.seating is TeamSeating.BADGES and (len({*badges}) < len(badges) or {*badges} - {*BADGES}):
            yield TeamFault("badge", {**who, "table": here[0].table})


def _etuis(plan: TeamPlan) -> Iterator[TeamFault]:
    """Yield a fault for each étui that lies on two tables in a position although the seating allows only one copy.

    If teams sit on sides, either all tables of a position play the same étuis, or each étui lies on one. In Emmanuel 16
    all tables play the same. In a mirrored plan there may be copies.
    """
    if plan.seating is TeamSeating.MIRROR:
        return
    for position in range(1, plan.positions + 1):
        stops = [stop for stop in plan.stops if stop.position == position]
        together = len({frozenset(stop.etuis) for stop in stops}) == 1
        if together:
            continue
        lying: dict[int, int] = {}
        for stop in stops:
            where: dict[str, int | str] = {"position": position, "table": stop.table}
            if plan.seating is TeamSeating.BADGES and {*stop.etuis} != {*stops[0].etuis}:
                yield TeamFault("barometer", where)
            elif plan.seating is TeamSeating.SIDES:
                for etui in stop.etuis:
                    if lying.setdefault(etui, stop.table) != stop.table:
                        yield TeamFault("etui_twice", {**where, "etui": etui, "first": lying[etui]})


def _replays(plan: TeamPlan) -> Iterator[TeamFault]:
    """Yield a fault for each étui that the same people of a team play in two positions.

    In a mirrored plan, the attacker of a team and its three defenders are different people.
    """
    played: dict[tuple[int, int, str], int] = {}
    for stop in plan.stops:
        if stop.first is None or stop.second is None:
            continue
        for team, part in ((stop.first, "attack"), (stop.second, "defence")):
            people = part if plan.seating is TeamSeating.MIRROR else "team"
            for etui in stop.etuis:
                first = played.setdefault((team, etui, people), stop.position)
                if first != stop.position:
                    yield TeamFault("replayed", {"team": team, "etui": etui, "first": first, "position": stop.position})


def _mirror(plan: TeamPlan) -> Iterator[TeamFault]:
    """Yield a fault for each attack that the other team does not return on the same étui.

    It may return the attack in this position or in the next one.

    A team knows the cards after the first half, so no break may lie between the two positions.
    """
    halves: dict[tuple[int, int, int], int] = {}
    for stop in plan.stops:
        if stop.first is not None and stop.second is not None:
            for etui in stop.etuis:
                halves[stop.first, stop.second, etui] = stop.position
    for (one, other, etui), position in halves.items():
        returned = halves.get((other, one, etui))
        who: dict[str, int | str] = {"team": one, "other": other, "etui": etui}
        if returned is None:
            yield TeamFault("mirror", who)
        elif returned - position > 1:
            yield TeamFault("apart", {**who, "first": position, "position": returned})


def find_false_team_claims(plan: TeamPlan, claimed: TeamFigures) -> Iterator[TeamFault]:
    """Yield a fault for each claimed figure that is not true. The plan itself must be without faults."""
    full = [stop for stop in plan.stops if stop.first is not None and stop.second is not None]
    everyone = [*range(1, plan.teams + 1)]
    met = _list_meetings(plan, full)
    there = {(team, stop.position) for stop in full for team in stop[3:5]}
    positions = range(1, plan.positions + 1)
    per_team = [sum((team, at) not in there for at in positions) for team in everyone]
    attackers = [team for stop in full for team in _list_attackers(plan, stop)]
    attacks = [attackers.count(team) for team in everyone]
    played = [sum(len(stop.etuis) for stop in full if team in stop[3:5]) for team in everyone]
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
            yield TeamFault("figure", {"figure": field.name, "found": str(true), "claimed": str(said)})


def _list_meetings(plan: TeamPlan, full: list[TeamStop]) -> list[object]:
    """Return each meeting: of two teams if they sit on sides, else of an attacking and a defending team."""
    if plan.seating is TeamSeating.SIDES:
        return [frozenset(stop[3:5]) for stop in full]
    return [(stop.first, stop.second) for stop in full]


def _list_attackers(plan: TeamPlan, stop: TeamStop) -> list[int | None]:
    """Return the team that attacks each étui of a table. If teams sit on sides, the étui's number says which."""
    if plan.seating is not TeamSeating.SIDES:
        return [stop.first] * len(stop.etuis)
    return [stop.first if str(taker_and_dealer(etui)[0]) in "NS" else stop.second for etui in stop.etuis]


def _bound_meetings(plan: TeamPlan, full: list[TeamStop]) -> int:
    """Return a number of repeated meetings that no plan can go below."""
    sums = []
    for side in (3, 4):
        opponents = plan.lines[4 - side] if plan.lines else plan.teams - 1
        times = [sum(stop[side] == team for stop in full) for team in range(1, plan.teams + 1)]
        sums.append(sum(max(0, count - opponents) for count in times))
    if plan.seating is TeamSeating.SIDES and not plan.lines:
        times = [sum(team in stop[3:5] for stop in full) for team in range(1, plan.teams + 1)]
        return (sum(max(0, count - plan.teams + 1) for count in times) + 1) // 2
    return max(sums)


def _bound_rests(plan: TeamPlan, per_team: list[int]) -> int:
    """Return the lowest possible number of rests of the team that rests most.

    The teams of each line share the line's rests.
    """
    cut = plan.lines[0] if plan.lines else 0
    bound = 0
    for line in (per_team[:cut], per_team[cut:]):
        while line and bound * len(line) < sum(line):
            bound += 1
    return bound


def _most_at_once(full: list[TeamStop]) -> int:
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


def _balance_of_sides(plan: TeamPlan, full: list[TeamStop]) -> int:
    """Return how equal the numbers of positions are in which two teams sit the same way: 0 to 100."""
    if plan.seating is not TeamSeating.SIDES or plan.lines:
        return 100
    way = {(stop.position, team): side for stop in full for side, team in enumerate(stop[3:5])}
    alike = [
        sum(way.get((at, one), one) == way.get((at, other), -1) for at in range(1, plan.positions + 1))
        for one in range(2, plan.teams + 1)
        for other in range(1, one)
    ]
    mean_square = Fraction(sum(count**2 for count in alike), len(alike))
    return round(100 * Fraction(sum(alike), len(alike)) ** 2 / mean_square) if mean_square else 100
