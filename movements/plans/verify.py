"""The check of a plan. It finds every fault, however the plan was made.

This module shares no code with those that make plans, nor with `figures`: it counts everything again in the plainest
way. So it also finds mistakes in those modules.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import ClassVar

from deals.domain.cards import LINES
from deals.domain.etui import taker_and_dealer
from movements.plan.laws import PlanFault
from movements.plans.figures import PlanFigures
from movements.plans.plan import Plan, PlannedPlay
from wording import CodedText, Texts
from wording import gettext_noop as _


@dataclass(frozen=True, slots=True)
class Fault(CodedText):
    """A fault of a plan. `params` are the figures of its message.

    `str(fault)` describes the fault in English, as a part of a sentence.
    """

    code: str
    params: dict[str, int | str]

    messages: ClassVar[Texts] = {
        "position": PlanFault.messages["position"],
        "etuis": PlanFault.messages["etuis"],
        "seats": _("position %(position)s, table %(table)s needs four seats"),
        "stranger": _("position %(position)s, table %(table)s: %(line)s %(number)s is not there"),
        "astray": _(
            "position %(position)s, table %(table)s: %(line)s %(number)s sits on another line without being a rover"
        ),
        "seated_twice": _("position %(position)s: %(line)s %(number)s sits at tables %(first)s and %(table)s"),
        "etui_twice": PlanFault.messages["etui_twice"],
        "barometer": PlanFault.messages["barometer"],
        "replayed": _("%(line)s %(number)s plays étui %(etui)s in positions %(first)s and %(position)s"),
        "announced": _("position %(position)s, table %(table)s: %(seat)s should not be there, as announced"),
        "span": _("%(line)s %(number)s, in the plan from position %(first)s to %(last)s, is not one of its players"),
        "figure": PlanFault.messages["figure"],
    }


def find_faults(plan: Plan, claimed: PlanFigures | None = None) -> list[Fault]:
    """Return every fault of the plan. `claimed`: figures that the plan should have; a false figure is a fault.

    An empty list means no fault. Repeated meetings and uneven rests are not faults, but figures.
    """
    faults = [*_shape(plan), *_spans(plan)]
    if faults:
        return faults
    faults = [*_seats(plan), *_etuis(plan), *_replays(plan), *_check_announcement(plan)]
    if claimed is not None:
        faults += find_false_claims(plan, claimed)
    return faults


def _shape(plan: Plan) -> Iterator[Fault]:
    tables: defaultdict[int, list[int]] = defaultdict(list)
    for play in plan.plays:
        tables[play.position].append(play.table)
        where: dict[str, int | str] = {"position": play.position, "table": play.table}
        if len(play.players) != len(LINES):
            yield Fault("seats", where)
        if not (
            len(set(play.etuis)) == len(play.etuis) == plan.etuis_per_position and all(etui > 0 for etui in play.etuis)
        ):
            yield Fault("etuis", {**where, "expected": plan.etuis_per_position})
    for position in sorted({*tables, *range(1, plan.positions + 1)}):
        found = sorted(tables[position])
        planned = 1 <= position <= plan.positions and 1 <= len(found) <= plan.tables
        if not planned or found != list(range(1, len(found) + 1)):
            yield Fault("position", {"position": position, "most": plan.tables})


def _spans(plan: Plan) -> Iterator[Fault]:
    for span in plan.spans:
        if not (0 <= span.line < len(LINES) and 1 <= span.number <= plan.lines[span.line]):
            who: dict[str, int | str] = {"line": _line(span.line), "number": span.number}
            yield Fault("span", {**who, "first": span.first, "last": span.last})


def _line(line: int) -> str:
    return LINES[line] if 0 <= line < len(LINES) else str(line + 1)


def _there(plan: Plan, line: int, number: int, position: int) -> bool:
    return (
        0 <= line < len(LINES)
        and 1 <= number <= plan.lines[line]
        and all(
            span.first <= position <= span.last for span in plan.spans if (span.line, span.number) == (line, number)
        )
    )


def _people(play: PlannedPlay) -> list[tuple[int, int] | None]:
    """Return the line and number of the player in each seat, None for an empty seat."""
    people: list[tuple[int, int] | None] = []
    for line, seated in enumerate(play.players):
        if isinstance(seated, int):
            people.append((line, seated))
        else:
            people.append(None if seated is None else (seated.line, seated.number))
    return people


def _seats(plan: Plan) -> Iterator[Fault]:
    """Yield a fault for each player in a wrong seat.

    The player is not there in that position, sits in two seats, or sits on another line without being a rover.
    """
    tables: dict[tuple[int, int, int], int] = {}
    seats: dict[tuple[int, int, int], int] = {}
    for play in plan.plays:
        for seat, person in enumerate(_people(play)):
            if person is None:
                continue
            line, number = person
            where: dict[str, int | str] = {"position": play.position, "table": play.table}
            who: dict[str, int | str] = {"line": _line(line), "number": number}
            if not _there(plan, line, number, play.position):
                yield Fault("stranger", {**where, **who})
            if line != seat and person not in plan.rovers:
                yield Fault("astray", {**where, **who})
            first = tables.setdefault((play.position, line, number), play.table)
            if (first, seat) != (play.table, seats.setdefault((play.position, line, number), seat)):
                yield Fault("seated_twice", {**where, **who, "first": first})


def _etuis(plan: Plan) -> Iterator[Fault]:
    """Yield a fault for each étui that lies on two tables in the same position.

    In barometer, yield one for each table that has other étuis than the rest.
    """
    tables: dict[tuple[int, int], int] = {}
    of_position: dict[int, set[int]] = {}
    for play in plan.plays:
        where: dict[str, int | str] = {"position": play.position, "table": play.table}
        if plan.in_barometer(play.position):
            if of_position.setdefault(play.position, set(play.etuis)) != set(play.etuis):
                yield Fault("barometer", where)
            continue
        for etui in play.etuis:
            first = tables.setdefault((play.position, etui), play.table)
            if first != play.table:
                yield Fault("etui_twice", {**where, "etui": etui, "first": first})


def _replays(plan: Plan) -> Iterator[Fault]:
    """Yield a fault for each étui that a player plays twice. A table with an empty seat does not play."""
    played: dict[tuple[int, int, int], int] = {}
    for play in plan.plays:
        if None in play.players:
            continue
        for line, number in filter(None, _people(play)):
            for etui in play.etuis:
                first = played.setdefault((line, number, etui), play.position)
                if first != play.position:
                    who: dict[str, int | str] = {"line": _line(line), "number": number}
                    where = {"position": play.position, "table": play.table}
                    yield Fault("replayed", {**who, "etui": etui, "first": first, **where})


def _check_announcement(plan: Plan) -> Iterator[Fault]:
    """Yield a fault for each player or étui that is not where the arbiter's announcement says.

    In position 1, number t of every line is at table t. Players whose number is above that of the last table are not
    checked: they take the seats of others.
    """
    if plan.shifts is None:
        return
    start = {play.table: play.etuis for play in plan.plays if play.position == 1}
    for play in plan.plays:
        steps = play.position - 1
        home = [(play.table - 1 - steps * shift) % plan.tables + 1 for shift in plan.shifts]
        where: dict[str, int | str] = {"position": play.position, "table": play.table}
        for line, number in enumerate(play.players):
            if isinstance(number, int) and number <= plan.tables and number != home[line]:
                yield Fault("announced", {**where, "seat": f"{LINES[line]} {number}"})
        if not plan.in_barometer(play.position) and play.etuis != start.get(home[-1]):
            yield Fault("announced", {**where, "seat": " ".join(map(str, play.etuis))})


def find_false_claims(plan: Plan, claimed: PlanFigures) -> Iterator[Fault]:
    """Yield a fault for each claimed figure that is not true. The plan itself must be without faults."""
    full = [play for play in plan.plays if None not in play.players]
    meetings = _meetings(full)
    at_table = {(play.position, *person) for play in full for person in _people(play) if person is not None}
    everyone = [(line, number) for line, size in enumerate(plan.lines) for number in range(1, size + 1)]
    positions = range(1, plan.positions + 1)
    resting = [
        (position, line, number)
        for line, number in everyone
        for position in positions
        if _there(plan, line, number, position) and (position, line, number) not in at_table
    ]
    ranked = [who for who in everyone if who not in plan.fillers]
    rests = Counter((line, number) for _, line, number in resting)
    per_player = [rests[who] for who in ranked] or [0]
    etuis: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    for play in full:
        for person in filter(None, _people(play)):
            etuis[person] += play.etuis
    constant = [who for who in ranked if all((span.line, span.number) != who for span in plan.spans)]
    in_plan = {etui for play in plan.plays for etui in play.etuis}
    played = [len(set(etuis[who])) for who in constant] or [0]
    taken = _attacks(full)
    attacks = [taken[who] for who in constant] or [0]
    found = PlanFigures(
        most_meetings=max(meetings.values(), default=0),
        repeated=sum(times - 1 for times in meetings.values()),
        replays=sum(len(played) - len(set(played)) for played in etuis.values()),
        exempt=tuple(sum(at == position for at, _, _ in resting) for position in positions),
        least_exempt=min(per_player),
        most_exempt=max(per_player),
        balance=_balance([(who[0], set(etuis[who])) for who in constant]),
        missing=max((len(in_plan - set(etuis[who])) for who in constant), default=0),
        bound=_bound_meetings(plan, [[who for _, line, who in at_table if line == one] for one in range(len(LINES))]),
        etuis=len(in_plan),
        copies=_copies(plan, full),
        least_played=min(played),
        most_played=max(played),
        least_attacks=min(attacks),
        most_attacks=max(attacks),
    )
    for field in fields(PlanFigures):
        true, said = getattr(found, field.name), getattr(claimed, field.name)
        if true != said:
            yield Fault("figure", {"figure": field.name, "found": str(true), "claimed": str(said)})


def _meetings(full: list[PlannedPlay]) -> Counter[frozenset[object]]:
    meetings: Counter[frozenset[object]] = Counter()
    for play in full:
        people = _people(play)
        for one in range(len(LINES)):
            for other in range(one):
                meetings[frozenset((people[one], people[other]))] += 1
    return meetings


def _attacks(full: list[PlannedPlay]) -> Counter[tuple[int, int] | None]:
    """Return how many étuis each player takes. The number of an étui names the taker."""
    lines = {etui: LINES.index(taker_and_dealer(etui)[0]) for play in full for etui in play.etuis}
    attacks: Counter[tuple[int, int] | None] = Counter()
    for play in full:
        people = _people(play)
        attacks.update(people[lines[etui]] for etui in play.etuis)
    return attacks


def _copies(plan: Plan, full: list[PlannedPlay]) -> int:
    """Return the fewest copies of the étuis with which every table of a position can play all the time."""
    copies = 1
    for position in range(1, plan.positions + 1):
        tables = sum(play.position == position for play in full)
        while plan.in_barometer(position) and copies * plan.etuis_per_position < tables:
            copies += 1
    return copies


def _bound_meetings(plan: Plan, seated: list[list[int]]) -> int:
    """Return a number of repeated meetings that no plan can go below.

    In each position, a player meets one player of every other line. If the player plays more positions than that line
    has members, meetings are repeated.
    """
    times = [Counter(line) for line in seated]
    if plan.rovers:
        return _roving_bound(plan, times)
    bound = 0
    for one in range(len(LINES)):
        for other in range(one):
            by_one = sum(max(0, count - plan.lines[other]) for count in times[one].values())
            by_other = sum(max(0, count - plan.lines[one]) for count in times[other].values())
            bound += max(by_one, by_other)
    return bound


def _roving_bound(plan: Plan, times: list[Counter[int]]) -> int:
    """Return a number of repeated meetings that no plan with rovers can go below.

    In each position, a player meets three of the players whom they can meet.
    """
    everyone = [(line, number) for line, size in enumerate(plan.lines) for number in range(1, size + 1)]
    twice = 0
    for me in everyone:
        can_meet = [other for other in everyone if other[0] != me[0] or me in plan.rovers or other in plan.rovers]
        twice += max(0, 3 * times[me[0]][me[1]] - len(set(can_meet) - {me}))
    return (twice + 1) // 2


def _balance(played: list[tuple[int, set[int]]]) -> int:
    """Return how equal the numbers of étuis are that two players of one line share: 0 to 100.

    It is the square of the mean divided by the mean of the squares, in per cent.
    """
    shared = [
        len(mine & theirs)
        for index, (line, mine) in enumerate(played)
        for other_line, theirs in played[:index]
        if line == other_line
    ]
    if not shared:
        return 100
    mean_square = Fraction(sum(count**2 for count in shared), len(shared))
    return round(100 * Fraction(sum(shared), len(shared)) ** 2 / mean_square) if mean_square else 0
