"""The outcomes of a change in which fillers stop, so that no ranked player rests while a filler plays.

A filler only completes a table. Whoever comes late, or comes back, can take a filler's seat. If somebody leaves, a
filler who stops too may leave the others with fewer rests. This module only reads.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from evenings.changes.ways import ChangeOutcome, Newcomer, number_seats, outcome, rank_members, replan
from evenings.plans.current import SessionPlan, member_of
from movements import Member, arrival_lines
from movements.plan.plan import SEATS
from tournaments.models import Entrant
from tournaments.rules.operations import Arrive, Leave, Operation, Return

MOST_STOPPING = 3  # a fourth filler would be a whole table without anybody who is ranked


def put_fillers_seats_first(
    evening: SessionPlan, operation: Arrive | Leave | Return, ways: Sequence[ChangeOutcome]
) -> list[ChangeOutcome]:
    """Return the outcomes of the operation, with those in which fillers stop before `ways`, the outcomes without.

    An outcome may let ranked players rest more often than the best of `ways` does. Then it comes after `ways`. It is
    left out if players would only leave.
    """
    fillers = find_fillers(evening, operation.after, gone=ways[0].gone) if ways else []
    if not fillers:
        return list(ways)
    if isinstance(operation, Leave):
        least = min(map(count_rests, ways))
        found = [way for way in stop_fillers(evening, fillers, ways[0]) if count_rests(way) < least]
        return [*found, *ways]
    found = list(seat_newcomers(evening, fillers, ways[0], any_line=isinstance(operation, Arrive)))
    if found and min(map(count_rests, found)) > min(map(count_rests, ways)):
        return [*ways, *found]
    return [*found, *ways]


def find_fillers(evening: SessionPlan, after: int, *, gone: Sequence[int]) -> list[Entrant]:
    """Return the fillers who still play after position `after`, without the entrants in `gone` (ids)."""
    return [
        entrant
        for entrant in evening.entrants
        if not entrant.ranked
        and entrant.last_position is None
        and entrant.is_there(after + 1)
        and entrant.pk not in gone
    ]


def find_stopping(operation: Operation, gone: Sequence[int]) -> list[int]:
    """Return the ids of the fillers who stop because of the operation, out of all who leave, those in `gone`."""
    match operation:
        case Leave(entrants=named):
            return [pk for pk in gone if pk not in named]
        case Arrive() | Return():
            return list(gone)
    return []


def count_rests(way: ChangeOutcome) -> int:
    """Return how often a ranked player rests in the positions to come."""
    resting = way.plan.list_resting()[way.after :]
    return sum(member not in way.plan.fillers for members in resting for member in members)


def seat_newcomers(
    evening: SessionPlan, fillers: Sequence[Entrant], way: ChangeOutcome, *, any_line: bool
) -> Iterator[ChangeOutcome]:
    """Yield the outcomes in which the newcomers of `way` take fillers' seats, as far as there are any.

    A player who comes back keeps the line. So without `any_line`, the seat must be on the line of the newcomer.
    """
    free, seated, others = list(fillers), list[Newcomer](), list[Newcomer]()
    for newcomer in way.newcomers:
        seat = next((filler for filler in free if any_line or filler.line == newcomer.line), None)
        if seat is None:
            others.append(newcomer)
        else:
            free.remove(seat)
            seated.append(replace(newcomer, member=member_of(seat)))
    if not seated:
        return
    gone = tuple(filler.pk for filler in fillers if filler not in free)
    plan = rank_members(evening.plan, [newcomer.member for newcomer in seated], ranked=True)
    if not others:
        yield outcome(evening, "relieved", plan, way.after, newcomers=tuple(seated), gone=gone)
        return
    lines = arrival_lines(plan, way.after, len(others)) if any_line else [newcomer.member.line for newcomer in others]
    seats = number_seats(plan, lines)
    newcomers = (*seated, *(replace(other, member=seat) for other, seat in zip(others, seats, strict=True)))
    for found in replan(plan, way.after, arriving=tuple(lines)):
        yield outcome(evening, found.code, found.plan, way.after, newcomers=newcomers, gone=gone)


def stop_fillers(evening: SessionPlan, fillers: Sequence[Entrant], way: ChangeOutcome) -> Iterator[ChangeOutcome]:
    """Yield the outcomes in which fillers stop together with the players who leave in `way`.

    The fillers are those with whom the fewest people rest in a position. If several choices are equal, as few fillers
    stop as possible.
    """
    there = [member for member in evening.plan.present(way.after + 1) if member not in find_members(evening, way.gone)]

    def count_resting(stopping: Sequence[Entrant]) -> int:
        stops = {member_of(filler) for filler in stopping}
        sizes = [sum(member.line == line for member in there if member not in stops) for line in range(SEATS)]
        return sum(sizes) - SEATS * min(sizes) if min(sizes) else len(there)  # a line that is empty has no plan

    choices = [some for count in range(MOST_STOPPING + 1) for some in combinations(fillers, count)]
    stopping = min(choices, key=count_resting)
    if not stopping:
        return
    gone = (*way.gone, *(filler.pk for filler in stopping))
    for found in replan(evening.plan, way.after, leaving=tuple(find_members(evening, gone))):
        yield outcome(evening, found.code, found.plan, way.after, gone=gone)


def find_members(evening: SessionPlan, entrants: Sequence[int]) -> list[Member]:
    """Return the starting numbers of these entrants (ids), in the same order."""
    found = {entrant.pk: member_of(entrant) for entrant in evening.entrants}
    return [found[pk] for pk in entrants]
