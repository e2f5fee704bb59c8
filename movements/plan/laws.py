"""The check of a plan of an evening. It finds every fault, however the plan was made.

Some laws hold for every plan. Each seating has further ones, in `OWN_LAWS`. This module shares no code with those that
make plans, nor with the figures: it counts everything again in the plainest way.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from deals.domain.cards import LINES
from movements.plan.plan import Member, Plan, PlanStop, Seating
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


class LineFault(PlanFault):
    """A fault of a plan of four lines, in the words for its players."""

    __slots__ = ()

    messages: ClassVar[Texts] = {
        "seats": _("position %(position)s, table %(table)s needs four seats"),
        "stranger": _("position %(position)s, table %(table)s: %(line)s %(number)s is not there"),
        "astray": _(
            "position %(position)s, table %(table)s: %(line)s %(number)s sits on another line without being a"
            " floating player"
        ),
        "seated_twice": _("position %(position)s: %(line)s %(number)s sits at tables %(first)s and %(table)s"),
        "replayed": _("%(line)s %(number)s plays étui %(etui)s in positions %(first)s and %(position)s"),
        "announced": _("position %(position)s, table %(table)s: %(seat)s should not be there, as announced"),
        "span": _("%(line)s %(number)s, in the plan from position %(first)s to %(last)s, is not one of its players"),
    }


def find_faults(plan: Plan[Member] | Plan[int]) -> list[PlanFault]:
    """Return every fault of the plan. An empty list means no fault.

    Repeated meetings and uneven rests are not faults, but figures.
    """
    faults = [*_check_tables(plan), *_check_seats(plan), *_check_names(plan)]
    return faults or [fault for law in OWN_LAWS[plan.seating] for fault in law(plan)]


def _say(plan: Plan[Any], code: str, position: int, who: Any = None, **told: int | str) -> PlanFault:
    """Return a fault in the words of the seating: a player of a line, a team in a position, or a number in a game."""
    of_line = isinstance(who, Member)
    in_games = plan.seating is Seating.TABLES
    where: dict[str, int | str] = {"game" if in_games else "position": position}
    if of_line:
        where |= {"line": _name_line(who.line), "number": who.number}
    elif who is not None:
        where["number" if in_games else "team"] = who
    code = OF_GAMES.get(code, code) if in_games else code
    params = {**where, **told}
    return LineFault(code, params) if of_line else PlanFault(code, params)


def _name_line(line: int) -> str:
    return LINES[line] if 0 <= line < len(LINES) else str(line + 1)


def _check_tables(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each position whose tables are not numbered from 1, each once.

    In games, a table has two entries if somebody comes or goes between two deals, and later games may not be seated.
    """
    if plan.seating is Seating.TABLES:
        yield from _check_games(plan)
        return
    tables: defaultdict[int, list[int]] = defaultdict(list)
    for stop in plan.stops:
        tables[stop.position].append(stop.table)
    for position in sorted({*tables, *range(1, plan.positions + 1)}):
        found = sorted(tables[position])
        planned = 1 <= position <= plan.positions and 1 <= len(found) <= (plan.tables or len(found))
        if not planned or found != list(range(1, len(found) + 1)):
            yield PlanFault("position", {"position": position, "most": plan.tables})


def _check_games(plan: Plan[int]) -> Iterator[PlanFault]:
    deals: defaultdict[int, defaultdict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    empty = {(stop.position, stop.table) for stop in plan.stops if not stop.etuis}
    for stop in plan.stops:
        deals[stop.position][stop.table] += stop.etuis
    for game in sorted({*deals, *range(1, max(deals, default=0) + 1)}):
        if not 1 <= game <= plan.positions or not deals[game]:
            yield PlanFault("games", {"game": game, "found": plan.positions})
        for table, numbers in deals[game].items():
            if (game, table) in empty or numbers != list(range(1, len(numbers) + 1)):
                yield PlanFault("table_twice", {"game": game, "table": table})


def _check_seats(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each table with a wrong number of seats or of étuis."""
    in_games, of_lines = plan.seating is Seating.TABLES, plan.seating is Seating.LINES
    least, most = SIZES.get(plan.odd, (3, MOST_AT_TABLE)) if in_games else (len(LINES),) * 2 if of_lines else (2, 2)
    for stop in plan.stops:
        if of_lines and len(stop.seats) != most:
            yield LineFault("seats", {"position": stop.position, "table": stop.table})
        elif not least <= len(stop.seats) <= most:
            yield _say(plan, "size", stop.position, table=stop.table, found=len(stop.seats))
        if not in_games and not (
            len({*stop.etuis}) == len(stop.etuis) == plan.etuis_per_position and min(stop.etuis) > 0
        ):
            yield _say(plan, "etuis", stop.position, table=stop.table, expected=plan.etuis_per_position)


def _check_names(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each competitor who is not in the plan, or twice at a table.

    Of four lines, yield one for each stay of somebody who is not in the plan: their seats have a law of their own.
    """
    if plan.seating is Seating.LINES:
        members = {*plan.everybody()}
        for member, first, last in plan.stays:
            if member not in members:
                who: dict[str, int | str] = {"line": _name_line(member.line), "number": member.number}
                yield LineFault("span", {**who, "first": first, "last": last})
        return
    for stop in plan.stops:
        people = stop.people
        if len({*people}) == len(people) and (not people or 1 <= min(people) <= max(people) <= plan.competitors):
            continue
        for number in sorted({*people}):
            if not 1 <= number <= plan.competitors:
                yield _say(plan, "stranger", stop.position, number, table=stop.table)
            elif people.count(number) > 1:
                yield _say(plan, "itself", stop.position, number, table=stop.table)


def _check_line_seats(plan: Plan[Member]) -> Iterator[PlanFault]:
    """Yield a fault for each player in a wrong seat.

    The player is not there in that position, sits in two seats, or sits on another line without being a"
    " floating player.
    """
    members, partly = {*plan.everybody()}, {stay.competitor for stay in plan.stays}
    places: dict[tuple[int, Member], tuple[int, int]] = {}
    for stop in plan.stops:
        for seat, member in enumerate(stop.seats):
            if member is None:
                continue
            if member not in members or (member in partly and _is_away(plan, member, stop.position)):
                yield _say(plan, "stranger", stop.position, member, table=stop.table)
            if member[0] != seat and member not in plan.rovers:
                yield _say(plan, "astray", stop.position, member, table=stop.table)
            here = stop.table, seat
            if (place := places.setdefault((stop.position, member), here)) != here:
                yield _say(plan, "seated_twice", stop.position, member, table=stop.table, first=place[0])


def _is_away(plan: Plan[Any], who: Any, position: int) -> bool:
    return any(stay.competitor == who and not stay.first <= position <= stay.last for stay in plan.stays)


def _check_announcement(plan: Plan[Member]) -> Iterator[PlanFault]:
    """Yield a fault for each player or étui that is not where the arbiter's announcement says.

    In position 1, number t of every line is at table t. Players whose number is above that of the last table are not
    checked: they take the seats of others.
    """
    if plan.shifts is None:
        return
    start = {stop.table: stop.etuis for stop in plan.stops if stop.position == 1}
    for stop in plan.stops:
        steps = stop.position - 1
        home = [(stop.table - 1 - steps * shift) % plan.tables + 1 for shift in plan.shifts]
        where: dict[str, int | str] = {"position": stop.position, "table": stop.table}
        for line, member in enumerate(stop.seats):
            if member is not None and member[0] == line and member[1] <= plan.tables and member[1] != home[line]:
                yield LineFault("announced", {**where, "seat": f"{LINES[line]} {member.number}"})
        if not plan.in_barometer(stop.position) and stop.etuis != start.get(home[-1]):
            yield LineFault("announced", {**where, "seat": " ".join(map(str, stop.etuis))})


def _check_places(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each competitor at more tables of a position than the seating allows, or at one while away.

    A team may attack at one table and defend at another in a mirrored plan. By badges, it attacks at up to three.
    """
    sides = 2 if plan.seating is Seating.MIRROR else 1
    at: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    crowded = set()
    for stop in plan.stops:
        for seat, number in enumerate(stop.seats):
            if number is not None:
                places = at.setdefault(key := (stop.position, number, seat % sides), [])
                places.append((stop.table, seat))
                if len(places) > 1:
                    crowded.add(key)
    for key in sorted(crowded):
        (position, number, _side), places = key, at[key]
        tables = sorted({table for table, _seat in places})
        attacks = plan.seating is Seating.BADGES and all(seat == 0 for _table, seat in places)
        if len(tables) > (len(BADGES) if attacks else 1):
            yield _say(plan, "seated_twice", position, number, first=tables[0], table=tables[-1])
    away = {stay.competitor: stay for stay in plan.stays}
    for stop in plan.stops if away else ():
        for number in stop.people:
            if number in away and not away[number].first <= stop.position <= away[number].last:
                yield _say(plan, "absent", stop.position, number, table=stop.table)


def _check_lines(plan: Plan[Any]) -> Iterator[PlanFault]:
    for stop in plan.stops:
        for side, team in enumerate(stop.seats):
            if team is not None and plan.lines and (team <= plan.lines[0]) != (side == 0):
                yield _say(plan, "line", stop.position, team, table=stop.table)


def _check_badges(plan: Plan[Any]) -> Iterator[PlanFault]:
    attacks: defaultdict[tuple[int, int], list[PlanStop[Any]]] = defaultdict(list)
    for stop in plan.stops:
        if stop.first is not None:
            attacks[stop.position, stop.first].append(stop)
    for (position, team), stops in sorted(attacks.items()):
        badges = [stop.badge for stop in stops]
        if len({*badges}) < len(badges) or {*badges} - {*BADGES}:
            yield _say(plan, "badge", position, team, table=stops[0].table)


def _check_one_copy(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each étui on two tables of a position, unless all tables of it play the same étuis.

    In barometer, yield one for each table that has other étuis than the rest.
    """
    laid: defaultdict[int, list[PlanStop[Any]]] = defaultdict(list)
    for stop in plan.stops:
        laid[stop.position].append(stop)
    for position, stops in laid.items():
        first, tables = {*stops[0].etuis}, dict[int, int]()
        together = plan.in_barometer(position) if plan.seating is Seating.LINES else plan.seating is Seating.BADGES
        if plan.seating is Seating.SIDES and all({*stop.etuis} == first for stop in stops):
            continue
        for stop in stops:
            if together:
                if {*stop.etuis} != first:
                    yield _say(plan, "barometer", position, table=stop.table)
                continue
            for etui in stop.etuis:
                if tables.setdefault(etui, stop.table) != stop.table:
                    yield _say(plan, "etui_twice", position, table=stop.table, etui=etui, first=tables[etui])


def _check_replays(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each étui that the same people play in two positions. A table with an empty seat does not play.

    In a mirrored plan, the attacker of a team and its three defenders are different people.
    """
    mirrored, places = plan.seating is Seating.MIRROR, dict[tuple[Any, int], dict[int, int]]()
    for stop in plan.stops:
        if None in stop.seats:
            continue
        for side, who in enumerate(stop.seats):
            played = places.setdefault((who, side if mirrored else 0), {})
            for etui in stop.etuis:
                if (first := played.setdefault(etui, stop.position)) != stop.position:
                    yield _say(plan, "replayed", stop.position, who, table=stop.table, etui=etui, first=first)


def _check_mirror(plan: Plan[Any]) -> Iterator[PlanFault]:
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


def _check_everybody_sits(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each person who is there and has no place. Somebody who leaves in a game may have none."""
    stays = {stay.competitor: stay for stay in plan.stays}
    seated: defaultdict[int, set[int]] = defaultdict(set)
    for stop in plan.stops:
        seated[stop.position].update(stop.people)
    for position in sorted(seated):
        for number in sorted({*range(1, plan.competitors + 1)} - seated[position]):
            stay = stays.get(number)
            if stay is None or stay.first <= position < stay.last:
                yield _say(plan, "left_out", position, number)


def _check_mort(plan: Plan[Any]) -> Iterator[PlanFault]:
    for stop in plan.stops:
        if not stop.rests:
            continue
        times = [stop.rests.count(number) for number in stop.people]
        wrong = len(stop.seats) != MOST_AT_TABLE or len(stop.rests) != len(stop.etuis)
        if wrong or sum(times) != len(stop.rests) or max(times) - min(times) > 1:
            yield _say(plan, "rests", stop.position, table=stop.table)


def _check_mates(plan: Plan[Any]) -> Iterator[PlanFault]:
    for team in plan.mates:
        for stop in plan.stops:
            here = [number for number in stop.people if number in team]
            if len(here) > 1:
                yield _say(plan, "mates", stop.position, here[0], table=stop.table, other=here[1])


Law = Callable[[Plan[Any]], Iterator[PlanFault]]
OWN_LAWS: Mapping[Seating, tuple[Law, ...]] = {
    Seating.LINES: (_check_line_seats, _check_one_copy, _check_replays, _check_announcement),
    Seating.SIDES: (_check_places, _check_lines, _check_one_copy, _check_replays),
    Seating.MIRROR: (_check_places, _check_replays, _check_mirror),
    Seating.BADGES: (_check_places, _check_badges, _check_one_copy, _check_replays),
    Seating.TABLES: (_check_places, _check_everybody_sits, _check_mort, _check_mates),
}
