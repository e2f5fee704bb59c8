"""The check of a plan of an evening. It finds every fault, however the plan was made.

Some laws hold for every plan. Each seating has further ones, in `OWN_LAWS`. This module shares no code with those that
make plans, nor with the figures: it counts everything again in the plainest way.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from deals.domain.cards import LINES
from movements.plan.plan import Member, Plan, PlanStop, Seating
from wording import CodedText, Plural, Texts
from wording import gettext_noop as _

BADGES = (1, 2, 3)
MOST_AT_TABLE = 5
# The fewest and the most competitors at a table, by the kind of odd tables or by the seating. Else two teams sit there.
SIZES = {"lines": (4, 4), "tables": (3, MOST_AT_TABLE), "all_threes": (3, 3), "all_fives": (5, 5)}
# What a fault is called on four lines, and in games.
OF_LINES = {"absent": "stranger", "line": "astray"}
OF_GAMES = {"seats": "size", "stranger": "unknown", "itself": "twice", "seated_twice": "twice"}


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
        "seats": _("position %(position)s, table %(table)s needs %(expected)s seats, not %(found)s"),
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

    Repeated meetings and uneven rests are not faults, but figures. Most laws of a seating rely on its first ones.
    """
    first, others = LAWS[plan.seating]
    faults = [fault for law in first for fault in law(plan)]
    return faults or [fault for law in others for fault in law(plan)]


def _say(plan: Plan[Any], code: str, stop: PlanStop[Any], who: Any = None, **told: int | str) -> PlanFault:
    """Return a fault at a table, in words for a player of a line, for a team, or for a number in a game."""
    in_games = plan.seating is Seating.TABLES
    where: dict[str, int | str] = {"game" if in_games else "position": stop.position, "table": stop.table}
    if isinstance(who, Member):
        return LineFault(OF_LINES.get(code, code), where | _name(who) | told)
    if who is not None:
        where["number" if in_games else "team"] = who
    return PlanFault(OF_GAMES.get(code, code) if in_games else code, where | told)


def _name(member: Member) -> dict[str, int | str]:
    line = LINES[member.line] if 0 <= member.line < len(LINES) else str(member.line + 1)
    return {"line": line, "number": member.number}


def _check_tables(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each position whose tables are not numbered from 1, each once."""
    tables: defaultdict[int, list[int]] = defaultdict(list)
    for stop in plan.stops:
        tables[stop.position].append(stop.table)
    for position in sorted({*tables, *range(1, plan.positions + 1)}):
        found = sorted(tables[position])
        planned = 1 <= position <= plan.positions and 1 <= len(found) <= (plan.tables or len(found))
        if not planned or found != list(range(1, len(found) + 1)):
            yield PlanFault("position", {"position": position, "most": plan.tables})


def _check_games(plan: Plan[int]) -> Iterator[PlanFault]:
    """Yield a fault for each game that should not be there or is missing, and for each table with a gap in its deals.

    A table has two entries if somebody comes or goes between two deals. Later games may not be seated.
    """
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
    least, most = SIZES.get(plan.odd) or SIZES.get(plan.seating, (2, 2))
    for stop in plan.stops:
        if not least <= len(stop.seats) <= most:
            yield _say(plan, "seats", stop, expected=most, found=len(stop.seats))


def _check_etuis(plan: Plan[Any]) -> Iterator[PlanFault]:
    for stop in plan.stops:
        if not len({*stop.etuis}) == len(stop.etuis) == plan.etuis_per_position or min(stop.etuis) < 1:
            yield _say(plan, "etuis", stop, expected=plan.etuis_per_position)


def _check_stays(plan: Plan[Member]) -> Iterator[PlanFault]:
    members = {*plan.everybody()}
    for member, first, last in plan.stays:
        if member not in members:
            yield LineFault("span", {**_name(member), "first": first, "last": last})


def _check_numbers(plan: Plan[int]) -> Iterator[PlanFault]:
    """Yield a fault for each competitor who is not in the plan, or twice at a table."""
    for stop in plan.stops:
        people = stop.people
        for number in {*people}:
            if not 1 <= number <= plan.competitors:
                yield _say(plan, "stranger", stop, number)
            elif people.count(number) > 1:
                yield _say(plan, "itself", stop, number)


def _check_presence(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each competitor at a table who is not in the plan in that position."""
    there = [frozenset(present) for present in plan.list_present()]
    for stop in plan.stops:
        for who in {*stop.people} - there[stop.position - 1]:
            yield _say(plan, "absent", stop, who)


def _check_lines(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each competitor who sits on another line. Floating players may do so."""
    for stop in plan.stops if plan.lines else ():
        for seat, who in enumerate(stop.seats):
            line = who.line if isinstance(who, Member) else int(who is not None and who > plan.lines[0])
            if line != seat and who is not None and who not in plan.rovers:
                yield _say(plan, "line", stop, who)


def _check_places(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each competitor in more places of a position than the seating allows.

    A team may attack at one table and defend at another in a mirrored plan. By badges, it attacks at up to three. In
    games, a table has two entries if somebody comes or goes.
    """
    sides = 2 if plan.seating is Seating.MIRROR else 1
    seated: defaultdict[tuple[int, int], list[Any]] = defaultdict(list)
    for stop in plan.stops:
        for side in range(sides):
            seated[stop.position, side] += stop.seats[side::sides]
    for (position, side), people in seated.items():
        for who in [who for who, times in Counter(people).items() if times > 1 and who is not None]:
            stops = [stop for stop in plan.at(position) for each in stop.seats[side::sides] if each == who]
            entries = {stop.table for stop in stops} if plan.seating is Seating.TABLES else stops
            attacks = plan.seating is Seating.BADGES and all(stop.first == who for stop in stops)
            if len(entries) > (len(BADGES) if attacks else 1):
                first, *_others, last = sorted(stops, key=lambda stop: stop.table)
                yield _say(plan, "seated_twice", last, who, first=first.table)


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
        astray = [
            f"{LINES[line]} {member.number}"
            for line, member in enumerate(stop.seats)
            if member is not None
            and member.line == line
            and member.number <= plan.tables
            and member.number != home[line]
        ]
        if not plan.in_barometer(stop.position) and stop.etuis != start.get(home[-1]):
            astray.append(" ".join(map(str, stop.etuis)))
        for seat in astray:
            yield LineFault("announced", {"position": stop.position, "table": stop.table, "seat": seat})


def _check_badges(plan: Plan[Any]) -> Iterator[PlanFault]:
    attacks: defaultdict[tuple[int, int], list[PlanStop[Any]]] = defaultdict(list)
    for stop in plan.stops:
        if stop.first is not None:
            attacks[stop.position, stop.first].append(stop)
    for (_position, team), stops in sorted(attacks.items()):
        badges = [stop.badge for stop in stops]
        if len({*badges}) < len(badges) or {*badges} - {*BADGES}:
            yield _say(plan, "badge", stops[0], team)


def _check_one_copy(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each étui on two tables of a position, unless all tables of it play the same étuis.

    In barometer, yield one for each table that has other étuis than the rest.
    """
    laid: defaultdict[int, list[PlanStop[Any]]] = defaultdict(list)
    for stop in plan.stops:
        laid[stop.position].append(stop)
    for position, stops in laid.items():
        tables = dict[int, int]()
        if plan.seating is Seating.BADGES or plan.in_barometer(position):
            yield from (_say(plan, "barometer", stop) for stop in stops if {*stop.etuis} != {*stops[0].etuis})
            continue
        for stop in stops:
            for etui in stop.etuis:
                if tables.setdefault(etui, stop.table) != stop.table:
                    yield _say(plan, "etui_twice", stop, etui=etui, first=tables[etui])


def _check_replays(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each étui that the same people play in two positions. A table with an empty seat does not play.

    In a mirrored plan, the attacker of a team and its three defenders are different people.
    """
    mirrored = plan.seating is Seating.MIRROR
    places: defaultdict[tuple[Any, int], dict[int, int]] = defaultdict(dict)
    for stop in plan.stops:
        for side, who in enumerate(stop.seats) if stop.complete else ():
            played = places[who, side if mirrored else 0]
            for etui in stop.etuis:
                if (first := played.setdefault(etui, stop.position)) != stop.position:
                    yield _say(plan, "replayed", stop, who, etui=etui, first=first)


def _check_mirror(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each attack that the other team does not return on the same étui, here or in the next position.

    A team knows the cards after the first half, so no break may lie between the two positions.
    """
    halves: dict[tuple[int, int, int], int] = {}
    for stop in plan.stops:
        if stop.complete:
            one, other = stop.people
            for etui in stop.etuis:
                halves[one, other, etui] = stop.position
    for (one, other, etui), position in halves.items():
        returned = halves.get((other, one, etui))
        if returned is None:
            yield PlanFault("mirror", {"team": one, "other": other, "etui": etui})
        elif returned - position > 1:
            where = {"first": position, "position": returned}
            yield PlanFault("apart", {"team": one, "other": other, "etui": etui, **where})


def _check_everybody_sits(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each person who is there and has no place. Somebody who leaves in a game may have none."""
    seated: defaultdict[int, set[int]] = defaultdict(set)
    for stop in plan.stops:
        seated[stop.position].update(stop.people)
    for game, people in sorted(seated.items()):
        leaving = {stay.competitor for stay in plan.stays if stay.last == game}
        for number in plan.present(game):
            if number not in people | leaving:
                yield PlanFault("left_out", {"game": game, "number": number})


def _check_mort(plan: Plan[Any]) -> Iterator[PlanFault]:
    """Yield a fault for each table where not five sit and one rests in each deal, all equally often."""
    for stop in plan.stops:
        times = [stop.rests.count(number) for number in stop.people]
        wrong = len(stop.seats) != MOST_AT_TABLE or len(stop.rests) != len(stop.etuis)
        if stop.rests and (wrong or sum(times) != len(stop.rests) or max(times) - min(times) > 1):
            yield _say(plan, "rests", stop)


def _check_mates(plan: Plan[Any]) -> Iterator[PlanFault]:
    for team in plan.mates:
        for stop in plan.stops:
            here = [number for number in stop.people if number in team]
            if len(here) > 1:
                yield _say(plan, "mates", stop, here[0], other=here[1])


Law = Callable[[Plan[Any]], Iterator[PlanFault]]
_OF_TEAMS = (_check_tables, _check_seats, _check_etuis, _check_numbers)
_ONCE = (_check_presence, _check_places, _check_replays)
LAWS: Mapping[Seating, tuple[tuple[Law, ...], tuple[Law, ...]]] = {
    Seating.LINES: (
        (_check_tables, _check_seats, _check_etuis, _check_stays),
        (*_ONCE, _check_lines, _check_one_copy, _check_announcement),
    ),
    Seating.SIDES: (_OF_TEAMS, (*_ONCE, _check_lines, _check_one_copy)),
    Seating.MIRROR: (_OF_TEAMS, (*_ONCE, _check_mirror)),
    Seating.BADGES: (_OF_TEAMS, (*_ONCE, _check_badges, _check_one_copy)),
    Seating.TABLES: (
        (_check_games, _check_seats, _check_numbers),
        (_check_presence, _check_places, _check_everybody_sits, _check_mort, _check_mates),
    ),
}
