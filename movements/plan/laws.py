"""The check of a plan of an evening. It finds every fault, however the plan was made.

Some laws hold for every plan. Each seating has further ones, in `OWN_LAWS`. This module shares no code with those that
make plans, nor with the figures: it counts everything again in the plainest way.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from movements.plan.tables import PlanStop, TablePlan, TableSeating
from wording import CodedText, Plural, Texts
from wording import gettext_noop as _

BADGES = (1, 2, 3)
MOST_AT_TABLE = 5
OF_GAMES = {"stranger": "unknown", "itself": "twice", "seated_twice": "twice"}  # what a fault is called in games
SIZES = {"all_threes": (3, 3), "all_fives": (5, 5)}  # the fewest and the most people at a table; else 3 to 5


@dataclass(frozen=True, slots=True)
class PlanFault(CodedText):
    """A fault of a plan. `params` are the figures of its message.

    `str(fault)` describes the fault in English, as a part of a sentence.
    """

    code: str
    params: dict[str, int | str]

    messages: ClassVar[Texts] = {
        "position": _("position %(position)s: its tables must be numbered from 1, each once, at most %(most)s"),
        "etuis": Plural(
            "position %(position)s, table %(table)s needs %(expected)s étui, numbered from 1",
            "position %(position)s, table %(table)s needs %(expected)s different étuis, numbered from 1",
            "expected",
        ),
        "etui_twice": _("position %(position)s: étui %(etui)s is at tables %(first)s and %(table)s"),
        "barometer": _("position %(position)s: table %(table)s has other étuis than table 1"),
        "figure": _("%(figure)s: %(found)s, not %(claimed)s"),
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
        "size": _("game %(game)s, table %(table)s: a table has three to five people, not %(found)s"),
        "unknown": _("game %(game)s, table %(table)s: there is no number %(number)s"),
        "twice": _("game %(game)s: number %(number)s sits in two places"),
        "absent": _("game %(game)s, table %(table)s: number %(number)s is not there in this game"),
        "left_out": _("game %(game)s: number %(number)s has no place"),
        "table_twice": _("game %(game)s: table %(table)s is there twice, or its deals do not follow one another"),
        "rests": _("game %(game)s, table %(table)s: not everybody rests equally often, or somebody rests who cannot"),
        "mates": _("game %(game)s, table %(table)s: numbers %(number)s and %(other)s are of one team"),
        "games": _("game %(game)s is not among the %(found)s games, or an earlier one is not seated"),
    }


def find_plan_faults(plan: TablePlan) -> list[PlanFault]:
    """Return every fault of the plan. An empty list means no fault.

    Repeated meetings and uneven rests are not faults, but figures.
    """
    faults = [*_check_tables(plan), *_check_seats(plan)]
    if faults:
        return faults
    return [fault for law in (_check_places, *OWN_LAWS[plan.seating]) for fault in law(plan)]


def _say(plan: TablePlan, code: str, position: int, number: int | None = None, **told: int | str) -> PlanFault:
    """Return a fault in the words of the seating: a team in a position, or a number in a game."""
    in_games = plan.seating is TableSeating.TABLES
    where: dict[str, int | str] = {"game" if in_games else "position": position}
    who: dict[str, int | str] = {} if number is None else {"number" if in_games else "team": number}
    code = OF_GAMES.get(code, code) if in_games else code
    return PlanFault(code, {**where, **who, **told})


def _check_tables(plan: TablePlan) -> Iterator[PlanFault]:
    """Yield a fault for each position whose tables are not numbered from 1, each once.

    In games, a table has two entries if somebody comes or goes between two deals, and later games may not be seated.
    """
    parts: defaultdict[int, defaultdict[int, list[PlanStop]]] = defaultdict(lambda: defaultdict(list))
    for stop in plan.stops:
        parts[stop.position][stop.table].append(stop)
    in_games = plan.seating is TableSeating.TABLES
    last = max(parts, default=0) if in_games else plan.positions
    for position in sorted({*parts, *range(1, last + 1)}):
        found = parts[position]
        numbered = sorted(found) == list(range(1, len(found) + 1)) and 1 <= len(found) <= (plan.tables or len(found))
        once = all(len(entries) == 1 for entries in found.values())
        planned = 1 <= position <= plan.positions and bool(found)
        if in_games and not planned:
            yield PlanFault("games", {"game": position, "found": plan.positions})
        elif not in_games and not (planned and numbered and once):
            yield PlanFault("position", {"position": position, "most": plan.tables})
        for table, entries in found.items() if in_games else ():
            deals = [etui for part in entries for etui in part.etuis]
            if not all(part.etuis for part in entries) or deals != list(range(1, len(deals) + 1)):
                yield PlanFault("table_twice", {"game": position, "table": table})


def _check_seats(plan: TablePlan) -> Iterator[PlanFault]:
    in_games = plan.seating is TableSeating.TABLES
    least, most = SIZES.get(plan.odd, (3, MOST_AT_TABLE)) if in_games else (2, 2)
    for stop in plan.stops:
        if not least <= len(stop.seats) <= most:
            yield _say(plan, "size", stop.position, table=stop.table, found=len(stop.seats))
        if not in_games and not (
            len({*stop.etuis}) == len(stop.etuis) == plan.etuis_per_position and min(stop.etuis) > 0
        ):
            yield _say(plan, "etuis", stop.position, table=stop.table, expected=plan.etuis_per_position)
        people = stop.people
        for number in sorted({*people}):
            if not 1 <= number <= plan.competitors:
                yield _say(plan, "stranger", stop.position, number, table=stop.table)
            elif people.count(number) > 1:
                yield _say(plan, "itself", stop.position, number, table=stop.table)


def _check_places(plan: TablePlan) -> Iterator[PlanFault]:
    """Yield a fault for each competitor at more tables of a position than the seating allows, or at one while away.

    A team may attack at one table and defend at another in a mirrored plan. By badges, it attacks at up to three.
    """
    sides = 2 if plan.seating is TableSeating.MIRROR else 1
    at: defaultdict[tuple[int, int, int], list[tuple[int, int]]] = defaultdict(list)
    for stop in plan.stops:
        for seat, number in enumerate(stop.seats):
            if number is not None:
                at[stop.position, number, seat % sides].append((stop.table, seat))
    for (position, number, _side), places in sorted(at.items()):
        tables = sorted({table for table, _seat in places})
        attacks = plan.seating is TableSeating.BADGES and all(seat == 0 for _table, seat in places)
        if len(tables) > (len(BADGES) if attacks else 1):
            where = {"first": tables[0], "table": tables[-1]}
            yield _say(plan, "seated_twice", position, number, **where)
    away = {stay.number: stay for stay in plan.stays}
    for stop in plan.stops:
        for number in stop.people:
            if number in away and not away[number].first <= stop.position <= away[number].last:
                yield _say(plan, "absent", stop.position, number, table=stop.table)


def _check_lines(plan: TablePlan) -> Iterator[PlanFault]:
    for stop in plan.stops:
        for side, team in enumerate(stop.seats):
            if team is not None and plan.lines and (team <= plan.lines[0]) != (side == 0):
                yield _say(plan, "line", stop.position, team, table=stop.table)


def _check_badges(plan: TablePlan) -> Iterator[PlanFault]:
    attacks: defaultdict[tuple[int, int], list[PlanStop]] = defaultdict(list)
    for stop in plan.stops:
        if stop.first is not None:
            attacks[stop.position, stop.first].append(stop)
    for (position, team), stops in sorted(attacks.items()):
        badges = [stop.badge for stop in stops]
        if len({*badges}) < len(badges) or {*badges} - {*BADGES}:
            yield _say(plan, "badge", position, team, table=stops[0].table)


def _check_one_copy(plan: TablePlan) -> Iterator[PlanFault]:
    """Yield a fault for each étui on two tables of a position, unless all tables of it play the same étuis."""
    for position in range(1, plan.positions + 1):
        stops = [stop for stop in plan.stops if stop.position == position]
        if len({frozenset(stop.etuis) for stop in stops}) == 1:
            continue
        lying: dict[int, int] = {}
        for stop in stops:
            if plan.seating is TableSeating.BADGES and {*stop.etuis} != {*stops[0].etuis}:
                yield _say(plan, "barometer", stop.position, table=stop.table)
            elif plan.seating is TableSeating.SIDES:
                for etui in stop.etuis:
                    if lying.setdefault(etui, stop.table) != stop.table:
                        yield _say(plan, "etui_twice", stop.position, table=stop.table, etui=etui, first=lying[etui])


def _check_replays(plan: TablePlan) -> Iterator[PlanFault]:
    """Yield a fault for each étui that the same people play in two positions.

    In a mirrored plan, the attacker of a team and its three defenders are different people.
    """
    played: dict[tuple[int, int, int], int] = {}
    for stop in plan.stops:
        if None in stop.seats:
            continue
        for side, team in enumerate(stop.seats):
            assert team is not None
            for etui in stop.etuis:
                part = side if plan.seating is TableSeating.MIRROR else 0
                first = played.setdefault((team, etui, part), stop.position)
                if first != stop.position:
                    yield _say(plan, "replayed", stop.position, team, etui=etui, first=first)


def _check_mirror(plan: TablePlan) -> Iterator[PlanFault]:
    """Yield a fault for each attack that the other team does not return on the same étui, here or in the next position.

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
            yield PlanFault("mirror", who)
        elif returned - position > 1:
            yield PlanFault("apart", {**who, "first": position, "position": returned})


def _check_everybody_sits(plan: TablePlan) -> Iterator[PlanFault]:
    """Yield a fault for each person who is there and has no place. Somebody who leaves in a game may have none."""
    stays = {stay.number: stay for stay in plan.stays}
    seated: defaultdict[int, set[int]] = defaultdict(set)
    for stop in plan.stops:
        seated[stop.position].update(stop.people)
    for position in sorted(seated):
        for number in sorted({*range(1, plan.competitors + 1)} - seated[position]):
            stay = stays.get(number)
            if stay is None or stay.first <= position < stay.last:
                yield _say(plan, "left_out", position, number)


def _check_mort(plan: TablePlan) -> Iterator[PlanFault]:
    for stop in plan.stops:
        if not stop.rests:
            continue
        times = [stop.rests.count(number) for number in stop.people]
        wrong = len(stop.seats) != MOST_AT_TABLE or len(stop.rests) != len(stop.etuis)
        if wrong or sum(times) != len(stop.rests) or max(times) - min(times) > 1:
            yield _say(plan, "rests", stop.position, table=stop.table)


def _check_mates(plan: TablePlan) -> Iterator[PlanFault]:
    for stop in plan.stops:
        for team in plan.mates:
            here = [number for number in stop.people if number in team]
            if len(here) > 1:
                yield _say(plan, "mates", stop.position, here[0], table=stop.table, other=here[1])


Law = Callable[[TablePlan], Iterator[PlanFault]]
OWN_LAWS: Mapping[TableSeating, tuple[Law, ...]] = {
    TableSeating.SIDES: (_check_lines, _check_one_copy, _check_replays),
    TableSeating.MIRROR: (_check_replays, _check_mirror),
    TableSeating.BADGES: (_check_badges, _check_one_copy, _check_replays),
    TableSeating.TABLES: (_check_everybody_sits, _check_mort, _check_mates),
}
